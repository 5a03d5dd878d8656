// Describes a search for the best of several variants of a bot.

#ifndef TRIARCH_CORE_RECORD_BEST_OF_SPEC_H_
#define TRIARCH_CORE_RECORD_BEST_OF_SPEC_H_

#include <array>

namespace triarch {

// The first bot of the tournament is the base, and the others are the variants.
struct BestOfSpec {
  // The hypotheses H0 and H1 of each variant, ascending, in Elo: how much stronger than the base.
  std::array<double, 2> elo = {0, 10};
  double alpha = 0.05;  // largest probability that any variant passes if all are as under H0
  double beta = 0.05;   // largest probability that a variant drops out under H1

  friend bool operator==(const BestOfSpec&, const BestOfSpec&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_BEST_OF_SPEC_H_
