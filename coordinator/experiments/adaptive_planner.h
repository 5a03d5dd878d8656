// Plans the matches of an adaptive tournament.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_ADAPTIVE_PLANNER_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_ADAPTIVE_PLANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/experiments/planner.h"
#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// The leader is known to be the best when it is ahead of every other bot by this many errors:
// it is stronger than each with a probability of 99.5 %.
inline constexpr double kBestDeviates = 2.58;

// Plans batches (NextBatch). A batch is planned when all but the last batch before it are finished,
// and only from their results, so that workers have games while a batch ends.
//
// A fit follows every batch, after many batches only every hundredth part of them. The goal is
// checked after each fit, once every bot has kStartMatches matches. When it is reached, the next
// batch, which may be in play already, is the last one: so the games do not depend on which of them
// came first.
class AdaptivePlanner : public Planner {
 public:
  AdaptivePlanner(const TournamentSpec& spec, size_t seats);

  void OnPlanned(const PlannedMatch& match) override;
  void OnFinished(const FinishedMatch& match) override;
  std::vector<PlannedMatch> Next() override;
  bool is_goal_reached() const { return matches_max_.has_value(); }
  // Whether the goal is reached, and the last batch is finished.
  bool is_over() const override { return finished_ == matches_max_; }
  PlanState State() const override;

 private:
  // A fit to all games of the first batches.
  struct Look {
    int64_t batches = 0;
    ratings::RatingFit fit;
  };

  Look LookNow();
  // Returns the fit from which the next batch is planned.
  const Look& LookForNext() const;
  bool IsGoalReached() const;
  std::string GoalText() const;

  FormatOptions options_;
  std::vector<std::string> names_;  // of the bots
  // Errors are relative to the anchor, as in the standings.
  ratings::RatingOptions rating_options_;
  size_t seats_;
  uint64_t seed_;
  int64_t games_max_;
  int64_t batch_;  // matches per batch
  ratings::GameCounter counter_;
  std::vector<int64_t> matches_;  // planned, by bot
  std::vector<Table> tables_;     // planned, from the older of `looks_` on
  int64_t planned_ = 0;
  int64_t finished_ = 0;
  std::vector<Look> looks_;             // the last two; at first one without games
  std::optional<int64_t> matches_max_;  // set when the goal is reached
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_ADAPTIVE_PLANNER_H_
