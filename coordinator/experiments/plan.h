// Holds the planned matches of a tournament with the results of their games.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_PLAN_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_PLAN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "coordinator/experiments/planner.h"
#include "core/record/game_summary.h"
#include "core/record/planned_match.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// Games come in any order. The planner learns of the results of a match when all earlier matches
// are finished.
class Plan {
 public:
  // Requires: IsPlanned(spec), and Schedule::Make accepts the spec.
  explicit Plan(const TournamentSpec& spec);

  // Returns matches to plan now, in the order of their numbers, or none. They count once they are
  // stored and added; until then the call returns them again.
  const std::vector<PlannedMatch>& Next();
  // Adds stored matches. Requires: they follow those that are there.
  void Add(const std::vector<PlannedMatch>& matches);
  // Adds a recorded game. A game that is there, or is of no match, changes nothing.
  void Add(int64_t index, const Outcome& outcome,
           const PerSeat<std::optional<Termination>>& endings = {});
  void Add(const GameSummary& game) { Add(game.index, game.outcome, game.endings); }

  const std::vector<PlannedMatch>& matches() const { return matches_; }
  // The number of games of the planned matches.
  int64_t games() const { return matches_.empty() ? 0 : EndOf(matches_.back()); }
  // Whether no more games are needed: the result is known, or the spec's number of games allows no
  // further match.
  bool is_over() const;
  PlanState State() const;
  const Planner& planner() const { return *planner_; }

 private:
  // The games of a match that is not finished.
  struct Waiting {
    std::vector<std::optional<GameSummary>> games;
    int64_t count = 0;
  };

  void FinishMatches();

  int64_t games_max_;
  std::unique_ptr<Planner> planner_;
  std::vector<PlannedMatch> matches_;
  std::vector<PlannedMatch> next_;
  std::map<int64_t, Waiting> waiting_;  // by number of the match
  int64_t finished_ = 0;                // matches that the planner knows the results of
  bool is_full_ = false;                // no further match fits
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_PLAN_H_
