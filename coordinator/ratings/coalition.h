// Tests whether strengths alone explain the results of three-player games.

#ifndef TRIARCH_COORDINATOR_RATINGS_COALITION_H_
#define TRIARCH_COORDINATOR_RATINGS_COALITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"

// Two bots that spare each other, or a third that decides which of the others wins, cause results
// that no order of strengths explains.
//
// The tests compare sums of (observed − expected by the fit) with their variance under the fit,
// reduced by what the fit has already adapted to (S − A V Aᵀ, with A the covariance with the
// score), times the dispersion of blocks. A sum is not tested if its variance is too small for a
// normal approximation, or if the fit reproduces it by construction, as it does the points of a
// pair of only three bots.
namespace triarch::ratings {

// First places of three bots in the games that all three played.
struct TripleCheck {
  std::array<int, 3> bots{};  // ascending
  int64_t games = 0;
  std::array<double, 3> firsts{};    // a shared first place is split equally
  std::array<double, 3> expected{};  // expected by the fit
  double chi_square = 0;
  int degrees = 0;  // degrees of freedom; 0 if not tested
  double p_value = 1;
  bool is_significant = false;  // at 5 % over all tests of the report (Bonferroni)
};

// Joint points of two bots in the games they both played.
struct PairCheck {
  std::array<int, 2> bots{};  // ascending
  int64_t games = 0;
  double points = 0;
  double expected = 0;
  double z = 0;        // above 0 if better together than the fit expects
  double p_value = 1;  // probability of a result this good by chance (one-sided)
  bool is_tested = false;
  bool is_significant = false;
};

struct CoalitionReport {
  std::vector<TripleCheck> triples;  // ordered by bots
  std::vector<PairCheck> pairs;      // ordered by bots
};

// With more bots the report is empty, because its time grows with bots⁴.
inline constexpr size_t kCoalitionBotsMax = 100;

// Returns an empty report for two-player games. The fit should use TieTerms::kByStage.
CoalitionReport CheckCoalitions(const RatingFit& fit, const GameCounts& counts);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_COALITION_H_
