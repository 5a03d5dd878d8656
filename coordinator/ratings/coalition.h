// Tests whether strengths alone explain the results of games with three seats.

#ifndef TRIARCH_COORDINATOR_RATINGS_COALITION_H_
#define TRIARCH_COORDINATOR_RATINGS_COALITION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coordinator/ratings/game_counts.h"
#include "coordinator/ratings/rating.h"

// Two bots that attack the third, or one that lets the other win, cause results that no strengths
// explain. So do two copies of one bot, and a bot's style. The tests cannot tell these apart.
//
// They use a fit with two strengths per bot (Strengths::kByStage), which explains most styles, and
// compare sums of (observed − expected by the fit) over games with their variance under the fit,
// reduced by what the fit has already adapted to (C − A V Aᵀ, with A the covariance with the
// score), times the dispersion of blocks. A sum is not tested if its variance is too small for a
// normal approximation, or if the fit largely determines it. Pools of fewer than four bots are not
// tested at all.
namespace triarch::ratings {

// A sum of points over the games of a pair, compared with the fit.
struct PairTest {
  double observed = 0;
  double expected = 0;
  double z = 0;
  double p_value = 1;
  double p_holm = 1;  // corrected for the number of pairs (Holm)
  bool is_tested = false;
  bool is_significant = false;  // p_holm below 2.5 %
};

// Two bots in the games that both played, without the games of pairs that were flagged earlier and
// without tables at which a bot sits twice.
struct PairCheck {
  std::array<int, 2> bots{};  // ascending
  int64_t games = 0;
  PairTest gang = {};  // points of the third bot; p is the probability of so few
  PairTest feed = {};  // points of bots[1] less those of bots[0]; p is two-sided
};

// First places of three bots in the same games. Significant sums mean that the
// results are not transitive, whatever the cause.
struct TripleCheck {
  std::array<int, 3> bots{};  // ascending
  int64_t games = 0;
  std::array<double, 3> firsts{};    // a shared first place is split equally
  std::array<double, 3> expected{};  // expected by the fit
  double chi_square = 0;
  int degrees = 0;  // degrees of freedom; 0 if not tested
  double p_value = 1;
  double p_holm = 1;            // corrected for the number of triples (Holm)
  bool is_significant = false;  // p_holm below 5 %
};

struct CoalitionReport {
  std::vector<PairCheck> pairs;      // ordered by bots
  std::vector<TripleCheck> triples;  // ordered by bots; without triples that hold a flagged pair
};

inline constexpr size_t kCoalitionBotsMin = 4;
// With more bots the report is empty, because its time grows with bots⁴.
inline constexpr size_t kCoalitionBotsMax = 100;

// Tests all pairs and triples. The games of a flagged pair distort the strengths, and with them the
// tests of others, so the most significant pair's common games are left out and the rest is tested
// again, up to ten times. `fit` has two strengths per bot (Strengths::kByStage) and is fitted to
// `counts`. Returns an empty report for games with two seats.
CoalitionReport CheckCoalitions(RatingFit fit, const GameCounts& counts);

}  // namespace triarch::ratings

#endif  // TRIARCH_COORDINATOR_RATINGS_COALITION_H_
