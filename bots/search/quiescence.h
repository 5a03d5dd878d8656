// Plays out winning captures at the leaves of a search.

#ifndef TRIARCH_BOTS_SEARCH_QUIESCENCE_H_
#define TRIARCH_BOTS_SEARCH_QUIESCENCE_H_

#include <optional>

#include "bots/search/bounds.h"
#include "bots/search/limits.h"
#include "bots/search/move_order.h"
#include "bots/search/points.h"
#include "core/game/evaluate.h"
#include "core/game/position.h"

namespace triarch {

// Returns the captures and promotions that are expected to gain and pass `is_wanted`, best first.
template <HasEvaluation P, class IsWanted>
RankedMoves<typename P::Move> GainingMoves(const P& position, IsWanted is_wanted) {
  RankedMoves<typename P::Move> ranked;
  for (const typename P::Move move : position.Captures()) {
    if (!is_wanted(move)) continue;
    const int gain = CaptureGain(position, move);
    if (gain > 0) ranked.Add(move, gain);
  }
  return ranked;
}

// Returns the points of all seats after the winning captures are played out within the bounds; each
// seat makes its best capture or stands pat. `expected(position)` returns ExpectedPoints, possibly
// from a cache. Requires: the game is not over.
template <HasEvaluation P, class Expected>
PerSeat<Score> QuietPoints(const P& position, int plies_left, Budget& budget, Bounds bounds,
                           const Expected& expected) {
  PerSeat<Score> best = expected(position);
  const Seat seat = position.to_move();
  if (plies_left == 0 || best[seat] >= bounds.enough) return best;
  RankedMoves<typename P::Move> captures =
      GainingMoves(position, [](typename P::Move) { return true; });
  while (const auto move = captures.Next()) {
    if (!budget.Spend()) return best;
    P child = position;
    child.Play(move->move);
    const std::optional<Outcome> outcome = child.outcome();
    const Bounds of_child = BoundsOfChild(child, seat, best[seat], bounds);
    const PerSeat<Score> points =
        Later(outcome ? FinalPoints<P>(*outcome)
                      : QuietPoints(child, plies_left - 1, budget, of_child, expected));
    if (points[seat] <= best[seat]) continue;
    best = points;
    if (best[seat] >= bounds.enough) break;
  }
  return best;
}

template <HasEvaluation P>
PerSeat<Score> QuietPoints(const P& position, int plies_left, Budget& budget) {
  return QuietPoints(position, plies_left, budget, kNoBounds, ExpectedPoints<P>);
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_QUIESCENCE_H_
