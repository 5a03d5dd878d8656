// Deepens a search iteratively until it reaches its limits.

#ifndef TRIARCH_BOTS_SEARCH_DEEPENING_H_
#define TRIARCH_BOTS_SEARCH_DEEPENING_H_

#include <cstddef>

#include "bots/search/limits.h"

namespace triarch {

// Iterative deepening: calls `iterate(depth)` for 1, 2, … up to the limits and returns the last
// depth begun. An iteration that runs out of budget keeps its results so far. With a single legal
// move the search stops after the first iteration, which supplies the score, unless the limits ask
// for it.
template <class Iterate>
int Deepen(size_t choices, const Limits& limits, const Budget& budget, Iterate iterate) {
  for (int depth = 1;; ++depth) {
    iterate(depth);
    const bool is_forced = choices == 1 && !limits.only_move;
    if (budget.is_spent() || depth >= limits.depth_max || is_forced) return depth;
  }
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_DEEPENING_H_
