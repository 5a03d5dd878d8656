#include "coordinator/experiments/plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/base/check.h"
#include "core/game/outcome.h"

namespace triarch::experiments {

MatchResult ResultOf(const FinishedMatch& finished) {
  MatchResult result = {.bots = finished.match.bots, .points = {}};
  result.points.resize(result.bots.size());
  for (const GameSummary& game : finished.games) {
    const PerSeat<double> points = Points(game.outcome.place, result.bots.size());
    for (size_t i = 0; i < result.bots.size(); ++i) {
      const auto place = std::find(result.bots.begin(), result.bots.end(), game.bots[SeatAt(i)]);
      CHECK(place != result.bots.end());
      result.points[static_cast<size_t>(place - result.bots.begin())] += points[SeatAt(i)];
    }
  }
  return result;
}

Plan::Plan(const TournamentSpec& spec) : games_max_(spec.games), planner_(MakePlanner(spec)) {}

const std::vector<PlannedMatch>& Plan::Next() {
  if (!next_.empty() || is_full_ || planner_->is_over()) return next_;
  int64_t number = std::ssize(matches_);
  int64_t first_game = games();
  for (PlannedMatch& match : planner_->Next()) {
    match.number = number++;
    match.first_game = first_game;
    first_game = EndOf(match);
    is_full_ = first_game > games_max_;
    if (is_full_) break;
    next_.push_back(std::move(match));
  }
  return next_;
}

void Plan::Add(const std::vector<PlannedMatch>& matches) {
  for (const PlannedMatch& match : matches) {
    CHECK(match.number == std::ssize(matches_) && match.first_game == games());
    planner_->OnPlanned(match);
    matches_.push_back(match);
  }
  next_.clear();
}

void Plan::Add(int64_t index, const Outcome& outcome,
               const PerSeat<std::optional<Termination>>& endings) {
  const PlannedMatch* const match = FindMatch(matches_, index);
  if (match == nullptr || match->number < finished_ || planner_->is_over()) return;
  Waiting& waiting = waiting_[match->number];
  waiting.games.resize(static_cast<size_t>(GamesOf(*match)));
  std::optional<GameSummary>& place = waiting.games[static_cast<size_t>(index - match->first_game)];
  if (place) return;
  GameSummary& game = place.emplace();
  game.index = index;
  game.match = match->number;
  const PerSeat<int> places = SeatPlaces(*match, index);
  for (size_t i = 0; i < match->bots.size(); ++i) {
    game.bots[SeatAt(i)] = match->bots[static_cast<size_t>(places[SeatAt(i)])];
  }
  game.outcome = outcome;
  game.endings = endings;
  ++waiting.count;
  FinishMatches();
}

void Plan::FinishMatches() {
  while (!waiting_.empty() && !planner_->is_over()) {
    const auto next = waiting_.begin();
    if (next->first != finished_ || next->second.count < std::ssize(next->second.games)) return;
    FinishedMatch finished = {.match = matches_[static_cast<size_t>(finished_)], .games = {}};
    for (std::optional<GameSummary>& game : next->second.games) {
      finished.games.push_back(*std::move(game));
    }
    waiting_.erase(next);
    ++finished_;
    planner_->OnFinished(finished);
  }
}

bool Plan::is_over() const {
  return planner_->is_over() || (is_full_ && next_.empty() && finished_ == std::ssize(matches_));
}

PlanState Plan::State() const {
  PlanState state = planner_->State();
  if (state.verdict == Verdict::kUnderWay && is_over()) state.verdict = Verdict::kUndecided;
  return state;
}

}  // namespace triarch::experiments
