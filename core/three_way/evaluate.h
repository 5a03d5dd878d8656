// Estimates the value of positions and captures of Three-Way Chess.

#ifndef TRIARCH_CORE_THREE_WAY_EVALUATE_H_
#define TRIARCH_CORE_THREE_WAY_EVALUATE_H_

#include <optional>

#include "core/game/evaluate.h"
#include "core/three_way/position.h"

namespace triarch::three_way {

PerSeat<int> Evaluate(const Position& position);
// Requires: the move captures or promotes.
int GainOfCapture(const Position& position, Move move);

// Inline because searches call it for every move, and most are quiet.
inline int CaptureGain(const Position& position, Move move) {
  return IsQuiet(position, move) ? 0 : GainOfCapture(position, move);
}

std::optional<Seat> VictimOf(const Position& position, Move move);

static_assert(HasEvaluation<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_EVALUATE_H_
