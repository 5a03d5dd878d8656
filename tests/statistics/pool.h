// Simulates pools of bots with random strengths.

#ifndef TRIARCH_TESTS_STATISTICS_POOL_H_
#define TRIARCH_TESTS_STATISTICS_POOL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/simulated_games.h"

namespace triarch::statistics {

// Returns a world of three seats without seat effects and ties, with strengths from a normal
// distribution of that standard deviation.
ratings::SimulatedWorld DrawPool(size_t bots, double deviation_elo, Random& random);

// The same with strengths at the quantiles of the normal distribution, scaled to exactly that
// standard deviation, in random order.
ratings::SimulatedWorld SpreadPool(size_t bots, double deviation_elo, Random& random);

// Games of a pool, and the number of its matches.
class PoolGames {
 public:
  explicit PoolGames(ratings::SimulatedWorld world) : world_(std::move(world)) {}

  size_t bots() const { return world_.strength.size(); }
  const ratings::SimulatedWorld& world() const { return world_; }
  const std::vector<GameSummary>& games() const { return games_; }
  int64_t matches() const { return matches_; }

  // Plays all seatings of a table.
  experiments::MatchResult Play(const experiments::Table& table, Random& random) {
    return Play(world_, table, random);
  }
  // The same in another world of the same bots.
  experiments::MatchResult Play(const ratings::SimulatedWorld& world,
                                const experiments::Table& table, Random& random);

  ratings::RatingFit Fit(ratings::Strengths strengths = ratings::Strengths::kOne) const;
  ratings::GameCounts Counts() const;

 private:
  ratings::SimulatedWorld world_;
  std::vector<GameSummary> games_;
  int64_t matches_ = 0;
};

// Returns every table of three, in random order.
std::vector<experiments::Table> AllTables(size_t bots, Random& random);

}  // namespace triarch::statistics

#endif  // TRIARCH_TESTS_STATISTICS_POOL_H_
