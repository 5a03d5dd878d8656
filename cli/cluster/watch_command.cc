#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_format.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/cluster/watch_screen.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/tournament/progress.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

// watch: follows a tournament until it is over.
namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kAskEvery{500};
constexpr std::chrono::milliseconds kDrawEvery{500};
constexpr std::chrono::seconds kStandingsEvery{2};
constexpr int kStandingsShare = 10;  // the coordinator works on them at most this part of the time
constexpr std::chrono::seconds kWorkersEvery{2};
constexpr std::chrono::seconds kAnswersWithin{5};
// After the end of a tournament: so long its standings are asked for again where that fails.
constexpr std::chrono::seconds kLastStandings{10};

// What is known of a tournament.
struct News {
  int64_t answers = 0;                        // until now
  Clock::time_point answered = Clock::now();  // or, before the first, since when it is asked
  v1::GetResponse now;                        // the last answer
  v1::ListResponse list;
  v1::StandingsResponse standings;
  int64_t standings_answers = 0;
  absl::Status trouble;       // why there was no answer after that
  absl::Status no_standings;  // why there are none of a tournament that is over
  bool is_last = false;       // the tournament is over, or no answer can come because of `trouble`
};

bool IsOver(const v1::Tournament& tournament) {
  return tournament.state() == "done" || tournament.state() == "cancelled";
}

// Whether another answer may come where this was one.
bool MayPass(const absl::Status& status) {
  return !absl::IsNotFound(status) && !absl::IsUnauthenticated(status) &&
         !absl::IsPermissionDenied(status) && !absl::IsInvalidArgument(status) &&
         !absl::IsUnimplemented(status);
}

// Asks a coordinator again and again, on threads of its own: an answer may take its time, and
// standings much more of it than the rest.
class Reporter {
 public:
  // Each client for one thread.
  Reporter(OperatorClient* client, OperatorClient* standings_client, int64_t id)
      : client_(client),
        standings_client_(standings_client),
        id_(id),
        thread_([this] { Ask(); }),
        standings_thread_([this] { AskForStandings(); }) {}
  ~Reporter() {
    client_->Stop();
    standings_client_->Stop();
    MutexLock lock(&mutex_);
    is_stopped_ = true;
    changed_.NotifyAll();
  }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  News Latest() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return latest_;
  }

 private:
  void Ask() ABSL_LOCKS_EXCLUDED(mutex_);
  void AskForStandings() ABSL_LOCKS_EXCLUDED(mutex_);
  // False once there is nothing more to ask.
  bool Wait(Clock::duration time) ABSL_LOCKS_EXCLUDED(mutex_);

  OperatorClient* const client_;
  OperatorClient* const standings_client_;
  const int64_t id_;

  mutable Mutex mutex_;
  CondVar changed_;
  News latest_ ABSL_GUARDED_BY(mutex_);
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // these last: they use all of the above
  std::jthread standings_thread_;
};

bool Reporter::Wait(Clock::duration time) {
  const auto until = Clock::now() + time;
  MutexLock lock(&mutex_);
  while (!is_stopped_ && !latest_.is_last && Clock::now() < until) {
    changed_.WaitUntil(&mutex_, until);
  }
  return !is_stopped_ && !latest_.is_last;
}

void Reporter::Ask() {
  Clock::time_point list_due;
  do {
    const absl::StatusOr<v1::GetResponse> now = client_->Get(id_);
    absl::StatusOr<v1::ListResponse> list = absl::UnknownError("");
    if (now.ok() && Clock::now() >= list_due) {
      list = client_->List();
      list_due = Clock::now() + kWorkersEvery;
    }
    MutexLock lock(&mutex_);
    latest_.trouble = now.status();
    if (list.ok()) latest_.list = *list;
    if (now.ok()) {
      latest_.now = *now;
      latest_.answered = Clock::now();
      ++latest_.answers;
    } else if (!MayPass(now.status()) && !IsOver(latest_.now.tournament())) {
      latest_.is_last = true;
    }
  } while (Wait(kAskEvery));
}

void Reporter::AskForStandings() {
  Clock::time_point due;
  int64_t games = -1;  // that the standings are of
  std::optional<Clock::time_point> give_up;
  while (Wait(kSignalPoll)) {
    const News news = Latest();
    if (news.answers == 0) continue;
    const v1::Tournament& tournament = news.now.tournament();
    const auto began = Clock::now();
    if (IsOver(tournament) && !give_up) {
      give_up = began + kLastStandings;
      due = began;
    }
    if (began < due || (!give_up && tournament.done() == games)) continue;

    const absl::StatusOr<v1::StandingsResponse> standings = standings_client_->Standings(id_);
    const auto now = Clock::now();
    due = now + std::max<Clock::duration>(kStandingsEvery, kStandingsShare * (now - began));
    if (give_up) due = now + kAskEvery;
    MutexLock lock(&mutex_);
    if (standings.ok()) {
      games = tournament.done();
      latest_.standings = *standings;
      ++latest_.standings_answers;
      if (give_up) latest_.is_last = true;
    } else if (give_up && (now >= *give_up || !MayPass(standings.status()))) {
      latest_.no_standings = standings.status();
      latest_.is_last = true;
    }
  }
}

// ---- What is shown of it, in three ways.

ProgressFigures FiguresOf(const v1::GetResponse& now) {
  const v1::Tournament& tournament = now.tournament();
  ProgressFigures figures{.games_done = tournament.done(),
                          .games_total = tournament.games(),
                          .games_per_second = tournament.games_per_second(),
                          .plies_per_second = tournament.plies_per_second(),
                          .state = tournament.state() == "active" ? "" : tournament.state(),
                          .leader = ""};
  const bool is_rated = tournament.data().empty();
  if (is_rated && now.leaderboard_size() > 0 && now.leaderboard(0).games() > 0) {
    const v1::LeaderboardRow& first = now.leaderboard(0);
    figures.leader = absl::StrFormat("%s %.0f%%", first.bot(),
                                     100 * first.points() / static_cast<double>(first.games()));
  }
  return figures;
}

class Display {
 public:
  virtual ~Display() = default;
  // Called all the time, with the same news or later ones.
  virtual void Show(const News& news) = 0;
  // In the end, if there were answers. The standings of a tournament that is over may be missing.
  virtual void End(const News& news) = 0;
};

// Empty where somebody plays, or may.
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
                 .is_away = !news.trouble.ok() || silence > kAnswersWithin,
                 .away_seconds = std::chrono::duration<double>(silence).count(),
                 .away_why = std::string(news.trouble.message()),
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

// On a terminal: the bar and the standings, in place.
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
  // All of the standings: what does not fit scrolls away upwards. If the last ones are missing,
  // those before stay to be seen.
  void End(const News& news) override {
    const WatchView view = ViewOf(news, Clock::now());
    if (!news.no_standings.ok()) return lines_.Draw(WatchLines(view, size_), size_);
    lines_.Draw(WatchBar(view, size_), size_);
    Print("\n" + news.standings.text());
  }

 private:
  LiveLines lines_{stdout};
  TerminalSize size_;
  Clock::time_point due_;
};

// Says once when no coordinator can be asked, and once when one can again.
class TroubleLog {
 public:
  void Note(const absl::Status& trouble) {
    if (trouble.ok() == is_well_) return;
    is_well_ = trouble.ok();
    const std::string line =
        is_well_ ? "the coordinator is back" : std::string(trouble.message()) + "; asking on";
    std::fprintf(stderr, "%s\n", line.c_str());
  }

 private:
  bool is_well_ = true;
};

// A line on standard error now and then, and the standings in the end.
class PlainDisplay : public Display {
 public:
  void Show(const News& news) override {
    const bool is_paused = news.now.tournament().state() == "paused";
    if (!news.trouble.ok() || is_paused != was_paused_) progress_.Clear();
    if (!news.is_last) trouble_.Note(news.trouble);
    if (is_paused && !was_paused_) {
      const int64_t id = news.now.tournament().id();
      std::fprintf(stderr, "%s\n", absl::StrFormat("paused (triarch resume %d)", id).c_str());
    }
    was_paused_ = is_paused;
    // Once: it is forgotten and said again with each attempt of the worker.
    const std::string refusal = RefusalOf(news.now.tournament());
    if (!refusal.empty() && refusal != refusal_) {
      progress_.Clear();
      std::fprintf(stderr, "%s\n", refusal.c_str());
      refusal_ = refusal;
    }
    if (news.answers > 0 && news.trouble.ok()) {
      progress_.Update(FiguresOf(news.now), Clock::now());
    }
  }
  void End(const News& news) override {
    progress_.Clear();
    const auto data = DataOf(news.now.tournament());
    if (news.no_standings.ok()) {
      Print(news.standings.text());
    } else if (data) {
      Print(DataText(*data) + "\n");
    }
  }

 private:
  ProgressLine progress_{stderr, TerminalColumns(stderr), Clock::now()};
  TroubleLog trouble_;
  bool was_paused_ = false;
  std::string refusal_;  // that was told
};

// A JSON object a line, for each answer.
class JsonDisplay : public Display {
 public:
  void Show(const News& news) override {
    if (!news.is_last) trouble_.Note(news.trouble);
    // The last line is there with the last standings.
    const bool is_waiting = IsOver(news.now.tournament()) && !news.is_last;
    if (news.answers == answers_ || is_waiting) return;
    answers_ = news.answers;
    OperatorJson json = ToJson(news.now.tournament());
    json["leaderboard"] = OperatorJson::array();
    for (const v1::LeaderboardRow& row : news.now.leaderboard()) {
      if (json.contains("data")) break;  // in self-play nobody leads
      json["leaderboard"].push_back(
          {{"bot", row.bot()}, {"games", row.games()}, {"points", row.points()}});
    }
    if (news.standings_answers != standings_answers_) {
      standings_answers_ = news.standings_answers;
      json["standings"] = OperatorJson::parse(news.standings.json(), nullptr, false);
    }
    Print(JsonLine(json));
    std::fflush(stdout);
  }
  void End(const News&) override {}

 private:
  TroubleLog trouble_;
  int64_t answers_ = 0;
  int64_t standings_answers_ = 0;
};

// ---- The command.

struct WatchOptions {
  CoordinatorOptions coordinator;
  int64_t id = 0;
  bool is_json = false;
};

std::unique_ptr<Display> MakeDisplay(bool is_json) {
  if (is_json) return std::make_unique<JsonDisplay>();
  if (SizeOfTerminal(stdout)) return std::make_unique<LiveDisplay>();
  return std::make_unique<PlainDisplay>();
}

// Until the tournament is over, no answer can come any more, or somebody interrupts.
News Follow(OperatorClient* client, OperatorClient* standings_client, const WatchOptions& options,
            const Interrupt& interrupt) {
  Reporter reporter(client, standings_client, options.id);
  const std::unique_ptr<Display> display = MakeDisplay(options.is_json);
  News news;
  while (!news.is_last && !interrupt.is_asked()) {
    std::this_thread::sleep_for(kSignalPoll);
    news = reporter.Latest();
    display->Show(news);
  }
  if (news.answers > 0) display->End(news);
  return news;
}

int RunWatch(const WatchOptions& options) {
  const auto client = OperatorClient::Make(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto standings_client = OperatorClient::Make(options.coordinator);
  if (!standings_client.ok()) return UsageError(standings_client.status());
  const Interrupt interrupt;
  const News news = Follow(client->get(), standings_client->get(), options, interrupt);
  const v1::Tournament& tournament = news.now.tournament();
  if (!news.is_last && news.answers == 0) {
    return Fail(absl::StrFormat(
        "interrupted before a coordinator answered; tournament %d is left as it is", options.id));
  }
  if (!news.is_last) {
    return Fail(
        absl::StrFormat("interrupted: %d of %d games were recorded; tournament %d is left as it is",
                        tournament.done(), tournament.games(), options.id));
  }
  if (!IsOver(tournament)) return Fail(news.trouble);
  if (!news.no_standings.ok()) {
    std::fprintf(stderr, "no standings: %s\n", std::string(news.no_standings.message()).c_str());
  }
  if (tournament.state() != "cancelled") return kExitDone;
  return Fail(absl::StrFormat("tournament %d was cancelled: %d of %d games were recorded",
                              options.id, tournament.done(), tournament.games()));
}

}  // namespace

void AddWatchCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<WatchOptions>();
  CLI::App* const command =
      app.add_subcommand("watch", "Follow a tournament until it is over, then show its standings.");
  AddIdOption(command, &options->id);
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_flag("--json", options->is_json, "A JSON object a line, twice a second");
  command->footer(
      "On a terminal: a bar and the standings so far, redrawn in place. Elsewhere: a line on\n"
      "standard error now and then. With --json: an object with `standings` whenever they are "
      "new.\n"
      "A coordinator that is away is asked again until it, or one that stood by, answers; Ctrl-C\n"
      "ends the watching, not the tournament. When it is over, its standings are asked for again\n"
      "for 10 s if they cannot be had. The exit code is 0 when all games are played, 1 when the\n"
      "tournament was cancelled or is not known, or the watching was interrupted.\n\n"
      "Examples:\n"
      "  triarch watch 3 --coordinator localhost:7071\n"
      "  triarch watch 3 --coordinator a:7071,b:7071 --json");
  SetRun(command, options, RunWatch, exit_code);
}

}  // namespace triarch
