#include "cli/cluster/news_feed.h"

#include <algorithm>
#include <optional>

#include "core/record/tournament_state.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{50};  // for the end of the tournament
constexpr std::chrono::milliseconds kPollEvery{500};
constexpr std::chrono::seconds kWorkersEvery{2};
constexpr std::chrono::seconds kStandingsEvery{2};
constexpr int kStandingsShare = 10;  // the coordinator spends at most 1/10 of its time on standings
// How long to retry fetching the final standings after the end of a tournament.
constexpr std::chrono::seconds kLastStandings{10};

// Returns whether a retry may succeed.
bool IsTemporary(const absl::Status& status) {
  return !absl::IsNotFound(status) && !absl::IsUnauthenticated(status) &&
         !absl::IsPermissionDenied(status) && !absl::IsInvalidArgument(status) &&
         !absl::IsUnimplemented(status);
}

}  // namespace

bool IsOver(const v1::Tournament& tournament) {
  const auto state = ParseTournamentState(tournament.state());
  return state && IsOver(*state);
}

bool NewsFeed::Wait(Clock::duration time) {
  const auto until = Clock::now() + time;
  MutexLock lock(&mutex_);
  while (!is_stopped_ && !latest_.is_last && Clock::now() < until) {
    changed_.WaitUntil(&mutex_, until);
  }
  return !is_stopped_ && !latest_.is_last;
}

void NewsFeed::PollTournament() {
  Clock::time_point list_due;
  do {
    const absl::StatusOr<v1::GetResponse> now = client_->Get(id_);
    absl::StatusOr<v1::ListResponse> list = absl::UnknownError("");
    if (now.ok() && Clock::now() >= list_due) {
      list = client_->List();
      list_due = Clock::now() + kWorkersEvery;
    }
    MutexLock lock(&mutex_);
    latest_.error = now.status();
    if (list.ok()) latest_.list = *list;
    if (now.ok()) {
      latest_.now = *now;
      latest_.answered = Clock::now();
      ++latest_.answers;
    } else if (!IsTemporary(now.status()) && !IsOver(latest_.now.tournament())) {
      latest_.is_last = true;
    }
  } while (Wait(kPollEvery));
}

void NewsFeed::PollStandings() {
  Clock::time_point due;
  int64_t games = -1;  // number counted in the latest standings
  std::optional<Clock::time_point> give_up;
  while (Wait(kPoll)) {
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
    if (give_up) due = now + kPollEvery;
    MutexLock lock(&mutex_);
    if (standings.ok()) {
      games = tournament.done();
      latest_.standings = *standings;
      ++latest_.standings_answers;
      if (give_up) latest_.is_last = true;
    } else if (give_up && (now >= *give_up || !IsTemporary(standings.status()))) {
      latest_.standings_error = standings.status();
      latest_.is_last = true;
    }
  }
}

}  // namespace triarch
