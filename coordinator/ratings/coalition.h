#ifndef TRIARCH_COORDINATOR_RATINGS_COALITION_H_
#define TRIARCH_COORDINATOR_RATINGS_COALITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"

// Whether strengths alone explain the results of games of three. Two who spare each other, or a
// third who decides which of the others wins, leave results that no order of strength gives.
//
// Sums of (observed − expected by the fit) are compared with their variance under the fit, less
// what the fit has already adapted to them (S − A V Aᵀ, A the covariance with the score), times
// the dispersion of blocks. A sum that varies too little for a normal approximation, or that the
// fit reproduces by construction (the points of a pair where there are only three bots), is not
// tested.
namespace triarch::ratings {

// First places of three bots in their games among themselves.
struct TripleCheck {
  std::array<int, 3> bots{};  // ascending
  int64_t games = 0;
  std::array<double, 3> firsts{};    // a shared first place counts in equal parts
  std::array<double, 3> expected{};  // by the fit
  double chi_square = 0;
  int degrees = 0;  // of freedom; 0: not tested
  double p_value = 1;
  bool is_significant = false;  // at 5 % over all tests of the report (Bonferroni)
};

// Points of two bots together, in the games where both sit at the table.
struct PairCheck {
  std::array<int, 2> bots{};  // ascending
  int64_t games = 0;
  double points = 0;
  double expected = 0;
  double z = 0;        // above 0: better together than the fit says
  double p_value = 1;  // of doing so well together by chance (one-sided)
  bool is_tested = false;
  bool is_significant = false;
};

struct CoalitionReport {
  std::vector<TripleCheck> triples;  // by bots
  std::vector<PairCheck> pairs;      // by bots
};

// Beyond this many bots the report is left empty: its time grows with bots⁴.
inline constexpr size_t kCoalitionBotsMax = 100;

// Empty for games of two seats. The fit should have TieTerms::kByStage.
CoalitionReport CheckCoalitions(const RatingFit& fit, const GameCounts& counts);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_COALITION_H_
