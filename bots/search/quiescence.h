#ifndef TRIARCH_BOTS_SEARCH_QUIESCENCE_H_
#define TRIARCH_BOTS_SEARCH_QUIESCENCE_H_

#include <optional>

#include "bots/search/limits.h"
#include "bots/search/move_order.h"
#include "bots/search/points.h"
#include "core/game/position.h"

namespace triarch {

// The captures and promotions that are expected to gain, best first.
template <Position P>
RankedMoves<typename P::Move> GainingMoves(const P& position) {
  RankedMoves<typename P::Move> ranked;
  for (const typename P::Move move : position.Captures()) {
    const int gain = position.CaptureGain(move);
    if (gain > 0) ranked.Add(move, gain);
  }
  return ranked;
}

// The points of all seats once nothing is left to capture at a gain, if every seat takes what is
// best for itself or stands still. Requires: the game is not over.
template <Position P>
PerSeat<Score> QuietPoints(const P& position, int plies_left, Budget& budget) {
  PerSeat<Score> best = ExpectedPoints(position);
  if (plies_left == 0) return best;
  const Seat seat = position.to_move();
  RankedMoves<typename P::Move> captures = GainingMoves(position);
  while (const auto move = captures.Next()) {
    if (!budget.Spend()) return best;
    P child = position;
    child.Play(*move);
    const std::optional<Outcome> outcome = child.outcome();
    const PerSeat<Score> points =
        Later(outcome ? FinalPoints<P>(*outcome) : QuietPoints(child, plies_left - 1, budget));
    if (points[seat] > best[seat]) best = points;
  }
  return best;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_QUIESCENCE_H_
