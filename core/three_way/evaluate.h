// Estimates the value of positions and captures of Three-Way Chess.

#ifndef TRIARCH_CORE_THREE_WAY_EVALUATE_H_
#define TRIARCH_CORE_THREE_WAY_EVALUATE_H_

#include <optional>

#include "core/game/evaluate.h"
#include "core/three_way/position.h"

namespace triarch::three_way {

PerSeat<int> Evaluate(const Position& position);
int CaptureGain(const Position& position, Move move);
std::optional<Seat> VictimOf(const Position& position, Move move);

static_assert(HasEvaluation<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_EVALUATE_H_
