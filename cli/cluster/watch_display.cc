#include "cli/cluster/watch_display.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/cluster/operator_json.h"
#include "cli/cluster/watch_screen.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "coordinator/experiments/test_text.h"
#include "core/record/tournament_state.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kDrawEvery{500};
constexpr std::chrono::seconds kAnswerTimeout{5};  // then the coordinator counts as away

experiments::TestState TestOf(const v1::TestState& test) {
  experiments::TestState state;
  state.units = test.units();
  state.llr = test.llr();
  state.bounds = {.lower = test.llr_low(), .upper = test.llr_high()};
  if (test.has_elo()) {
    state.elo = {.low = test.elo_low(), .value = test.elo(), .high = test.elo_high()};
  }
  return state;
}

ProgressFigures FiguresOf(const v1::GetResponse& now) {
  const v1::Tournament& tournament = now.tournament();
  ProgressFigures figures{
      .games_done = tournament.done(),
      .games_total = tournament.games(),
      .games_per_second = tournament.games_per_second(),
      .plies_per_second = tournament.plies_per_second(),
      .state = tournament.state() == ToString(TournamentState::kActive) ? "" : tournament.state(),
      .leader = "",
      .stage = ""};
  if (tournament.has_test()) {
    figures.stage = TestLine(TestOf(tournament.test()));
    if (!IsOver(tournament)) {
      // Games beyond a gap do not count yet.
      figures.games_total =
          std::max(tournament.done(), tournament.test().games() + tournament.test().games_left());
    }
    return figures;
  }
  if (tournament.has_plan()) {
    const v1::PlanState& plan = tournament.plan();
    figures.stage = plan.line();
    figures.games_total = tournament.done();
    if (!IsOver(tournament))
      figures.games_total = std::max(tournament.done(), plan.games_expected());
    return figures;
  }
  const bool is_rated = tournament.data().empty();
  if (is_rated && now.leaderboard_size() > 0 && now.leaderboard(0).games() > 0) {
    const v1::LeaderboardRow& first = now.leaderboard(0);
    figures.leader = absl::StrFormat("%s %.0f%%", first.bot(),
                                     100 * first.points() / static_cast<double>(first.games()));
  }
  return figures;
}

// Returns why no worker can play the tournament; "" if one plays it or can.
std::string RefusalOf(const v1::Tournament& tournament) {
  if (tournament.leased() > 0) return "";
  return RefusalText({tournament.refusals().begin(), tournament.refusals().end()});
}

WatchView ViewOf(const News& news, Clock::time_point now) {
  const v1::Tournament& tournament = news.now.tournament();
  const Clock::duration silence = now - news.answered;
  WatchView view{.id = tournament.id(),
                 .figures = FiguresOf(news.now),
                 .state = tournament.state(),
                 .refusal = RefusalOf(tournament),
                 .is_away = !news.error.ok() || silence > kAnswerTimeout,
                 .away_seconds = std::chrono::duration<double>(silence).count(),
                 .away_why = std::string(news.error.message()),
                 .data = std::nullopt,
                 .standings = news.standings.text()};
  view.data = DataOf(tournament);
  for (const v1::Worker& worker : news.list.workers()) {
    if (worker.state() != "alive") continue;
    ++view.workers;
    view.slots += worker.slots();
    view.busy_slots += worker.busy_slots();
  }
  return view;
}

// Redraws the bar and the standings in place on a terminal.
class LiveDisplay : public Display {
 public:
  void Show(const News& news) override {
    const auto now = Clock::now();
    const TerminalSize size = SizeOfTerminal(stdout).value_or(TerminalSize());
    if (now < due_ && size == size_) return;
    const WatchView view = ViewOf(news, now);
    if (news.answers == 0 && (!view.is_away || news.is_last)) return;
    due_ = now + kDrawEvery;
    size_ = size;
    lines_.Draw(WatchLines(view, size), size);
  }
  // Prints all of the standings, which may scroll. If the last standings are missing, leaves the
  // previous ones on the screen.
  void End(const News& news) override {
    const WatchView view = ViewOf(news, Clock::now());
    if (!news.standings_error.ok()) return lines_.Draw(WatchLines(view, size_), size_);
    lines_.Draw(WatchBar(view, size_), size_);
    Print("\n" + news.standings.text());
  }

 private:
  LiveLines lines_{stdout};
  TerminalSize size_;
  Clock::time_point due_;
};

// Logs once when no coordinator answers, and once when one answers again.
class OutageLog {
 public:
  void Note(const absl::Status& error) {
    if (error.ok() == is_well_) return;
    is_well_ = error.ok();
    const std::string line =
        is_well_ ? "the coordinator answers again" : std::string(error.message()) + "; retrying";
    Log(line);
  }

 private:
  bool is_well_ = true;
};

// Prints progress lines on standard error, and the standings at the end.
class PlainDisplay : public Display {
 public:
  void Show(const News& news) override {
    const bool is_paused = news.now.tournament().state() == ToString(TournamentState::kPaused);
    if (!news.error.ok() || is_paused != was_paused_) progress_.Clear();
    if (!news.is_last) outage_.Note(news.error);
    if (is_paused && !was_paused_) {
      const int64_t id = news.now.tournament().id();
      Log(absl::StrFormat("paused (triarch resume %d)", id));
    }
    was_paused_ = is_paused;
    // Prints a refusal once, although it recurs with each attempt of the worker.
    const std::string refusal = RefusalOf(news.now.tournament());
    if (!refusal.empty() && refusal != refusal_) {
      progress_.Clear();
      Log(refusal);
      refusal_ = refusal;
    }
    if (news.answers > 0 && news.error.ok()) {
      progress_.Update(FiguresOf(news.now), Clock::now());
    }
  }
  void End(const News& news) override {
    progress_.Clear();
    const auto data = DataOf(news.now.tournament());
    if (news.standings_error.ok()) {
      Print(news.standings.text());
    } else if (data) {
      Print(DataText(*data) + "\n");
    }
  }

 private:
  ProgressLine progress_{stderr, TerminalColumns(stderr), Clock::now()};
  OutageLog outage_;
  bool was_paused_ = false;
  std::string refusal_;  // the last one printed
};

// Prints one JSON object per line for each answer.
class JsonDisplay : public Display {
 public:
  void Show(const News& news) override {
    if (!news.is_last) outage_.Note(news.error);
    // The last line waits for the last standings.
    const bool is_waiting = IsOver(news.now.tournament()) && !news.is_last;
    if (news.answers == answers_ || is_waiting) return;
    answers_ = news.answers;
    const bool has_standings = news.standings_answers != standings_answers_;
    standings_answers_ = news.standings_answers;
    Print(WatchJson(news.now, has_standings ? &news.standings : nullptr));
    std::fflush(stdout);
  }
  void End(const News&) override {}

 private:
  OutageLog outage_;
  int64_t answers_ = 0;
  int64_t standings_answers_ = 0;
};

}  // namespace

std::unique_ptr<Display> MakeDisplay(bool is_json) {
  if (is_json) return std::make_unique<JsonDisplay>();
  if (SizeOfTerminal(stdout)) return std::make_unique<LiveDisplay>();
  return std::make_unique<PlainDisplay>();
}

}  // namespace triarch
