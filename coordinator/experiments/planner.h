// Chooses the matches of a tournament by the results so far.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_PLANNER_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_PLANNER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/experiments/test_state.h"
#include "core/record/game_summary.h"
#include "core/record/planned_match.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

struct FinishedMatch {
  PlannedMatch match;
  // All of them, in order, with index, match, bots, outcome and endings only.
  std::vector<GameSummary> games;
};

// Returns the points of each bot over the games of a match. Requires: no bot sits twice.
MatchResult ResultOf(const FinishedMatch& finished);

// What users see of a tournament under way.
struct PlanState {
  std::string line;  // for a progress line: "round 2 of 5"
  // How many games the tournament will have, if that can be estimated.
  std::optional<int64_t> games_expected = {};
  // Of a search for the best variant.
  std::optional<Verdict> verdict = {};
  // For metrics: by variant its log-likelihood ratio, or by tuned option its distance from the
  // start in steps. Empty for the other tournaments.
  std::vector<std::pair<std::string, double>> figures = {};
};

// A state machine that is told of planned and of finished matches, both in the order of their
// numbers, so that the next matches depend on results alone, and not on which came first. Each
// match is planned before it is finished. A planner that keeps many workers busy plans ahead: it
// does not wait for the results of the last matches planned.
class Planner {
 public:
  virtual ~Planner() = default;
  virtual void OnPlanned(const PlannedMatch& match) = 0;
  // Not called after is_over().
  virtual void OnFinished(const FinishedMatch& match) = 0;
  // Returns the tables to plan now, if any; only their bots and options are set. If the results of
  // all planned matches are known and it is not over, there are some.
  virtual std::vector<PlannedMatch> Next() = 0;
  // Whether the result is known. Planned matches that are not finished are then not needed.
  virtual bool is_over() const = 0;
  virtual PlanState State() const = 0;
};

// Requires: IsPlanned(spec), and Schedule::Make accepts the spec.
std::unique_ptr<Planner> MakePlanner(const TournamentSpec& spec);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_PLANNER_H_
