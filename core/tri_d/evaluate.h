// Estimates the value of positions and captures of Tri-D chess.

#ifndef TRIARCH_CORE_TRI_D_EVALUATE_H_
#define TRIARCH_CORE_TRI_D_EVALUATE_H_

#include <optional>

#include "core/game/evaluate.h"
#include "core/tri_d/position.h"

namespace triarch::tri_d {

PerSeat<int> Evaluate(const Position& position);
int CaptureGain(const Position& position, Move move);
std::optional<Seat> VictimOf(const Position& position, Move move);

static_assert(HasEvaluation<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_EVALUATE_H_
