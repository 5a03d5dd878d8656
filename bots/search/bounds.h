// Bounds the nodes of a search in which each seat plays for itself.

#ifndef TRIARCH_BOTS_SEARCH_BOUNDS_H_
#define TRIARCH_BOTS_SEARCH_BOUNDS_H_

#include <algorithm>
#include <cstddef>

#include "bots/search/points.h"
#include "core/game/position.h"
#include "core/game/seat.h"

// Bounds for pruning a search in which each seat plays for itself. All points add up to a constant,
// so the points that one seat has secured are lost to the others.
namespace triarch {

// The query to a node, about its mover's points. The mover may stop at `enough`, because the
// previous mover will then avoid this node. Values up to `floor` need not be exact.
struct Bounds {
  Score floor;
  Score enough;
};
inline constexpr Bounds kNoBounds{.floor = -1, .enough = 2 * kPoint};

// Returns the least points that a seat gets, however the game continues.
template <Position P>
Score SurePoints(const P& position, Seat seat) {
  Score points = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat other = SeatAt(i);
    if (other == seat || position.is_in(other)) continue;
    points += SettledChance(position, seat, other) / static_cast<Score>(P::kInfo.seats - 1);
  }
  return points;
}

// Returns the bounds of `child`, a move of `seat`, which has found `best` elsewhere (-1 if nothing
// yet) and has bounds of its own. With more than two seats left, only the child is pruned (shallow
// pruning, Korf 1991), because the third seat may take any share. With two left it is alpha-beta.
template <Position P>
Bounds BoundsOfChild(const P& child, Seat seat, Score best, Bounds bounds) {
  // Later() changes the child's points by less than this, and each ply rounds, so sums are exact
  // only to a few millionths.
  constexpr Score kSlack = kPoint / 1000 + 8;
  Score left = static_cast<Score>(P::kInfo.seats) * (kPoint / 2);
  size_t in_count = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat other = SeatAt(i);
    if (other != seat && other != child.to_move()) left -= SurePoints(child, other);
    if (child.is_in(other)) ++in_count;
  }
  const bool is_duel = in_count == 2 && child.is_in(seat);
  const Score known = is_duel ? std::max(best, bounds.floor) : best;
  Bounds of_child = kNoBounds;
  if (child.to_move() == seat) {
    if (is_duel && known >= 0) of_child.floor = known - kSlack;
    return of_child;
  }
  if (known >= 0) of_child.enough = left - known + kSlack;
  if (is_duel && bounds.enough < kNoBounds.enough) {
    of_child.floor = left - bounds.enough - kSlack;
  }
  return of_child;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_BOUNDS_H_
