// Chooses the next matches of a pool so that few games give precise ratings or find the best bot.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_ADAPTIVE_PAIRING_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_ADAPTIVE_PAIRING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/ratings/rating.h"
#include "core/record/format_spec.h"

namespace triarch::experiments {

// Until each bot has this many matches, tables are drawn by lot.
inline constexpr int64_t kStartMatches = 3;

// Returns the share of the mean number of matches below which no bot falls.
constexpr double FloorShare(AdaptiveGoal goal) {
  return goal == AdaptiveGoal::kRatings ? 0.5 : 0.25;
}

// Returns the next matches, as many as give each bot about one; afterwards, fit again. Each is the
// table from which `fit` would learn most about the goal if the matches before it were played:
//
//   gain = tr((V M V)_b L (I + V_b L)⁻¹),
//
// where V is the covariance of the strengths by the model, _b the part of the table's bots, L the
// information of a match without ties at the fitted strengths, and M the quadratic form to be made
// small: I − J/n, or for the best bot the sum over the others of φ(z)(z + ½)/√v times their squared
// distance from the leader, of which v is the variance and z the fitted value in errors.
//
// A bot below the floor is at the next table. With more than 60 bots only 2 000 tables drawn by lot
// compete. `matches` counts each bot's matches so far, also those at the tables of `pending`, which
// `fit` does not know yet; they are taken as played. The fit depends a little on the machine, so
// record the batch rather than choosing it again. Requires: as many bots as fill a table, and a fit
// with one strength per bot.
std::vector<Table> NextBatch(const ratings::RatingFit& fit, std::span<const int64_t> matches,
                             AdaptiveGoal goal, uint64_t seed, std::span<const Table> pending = {});

// Returns how sure it is that the bot with the highest fitted strength is the strongest: the
// difference to the bot that comes closest, in the errors that standings show. Requires: at least
// two bots.
struct Leader {
  int bot = 0;
  double deviates = 0;
};
Leader LeaderOf(const ratings::RatingFit& fit);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_ADAPTIVE_PAIRING_H_
