// Deepens a search iteratively until its limits end it.

#ifndef TRIARCH_BOTS_SEARCH_DEEPENING_H_
#define TRIARCH_BOTS_SEARCH_DEEPENING_H_

#include <cstddef>

#include "bots/search/limits.h"

namespace triarch {

// Iterative deepening: calls `iterate(depth)` for 1, 2, … until the limits end it, and gives the
// last depth begun. An iteration that runs out of budget keeps what it has found so far. A search
// without a choice stops after the first, which is there for the score.
template <class Iterate>
int Deepen(size_t choices, const Limits& limits, const Budget& budget, Iterate iterate) {
  for (int depth = 1;; ++depth) {
    iterate(depth);
    if (budget.is_spent() || depth >= limits.depth_max || choices == 1) return depth;
  }
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_DEEPENING_H_
