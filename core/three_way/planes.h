// Shows positions and policy indices of Three-Way to a network.

#ifndef TRIARCH_CORE_THREE_WAY_PLANES_H_
#define TRIARCH_CORE_THREE_WAY_PLANES_H_

#include <span>
#include <string_view>

#include "core/game/planes.h"
#include "core/three_way/position.h"
#include "core/three_way/sample.h"

// See core/game/planes.h.
namespace triarch::three_way {

std::span<const std::string_view> PlaneNames(GameTag<Position>);
void WritePlanes(const Position& position, Seat viewer, CellSet* planes);
int ClockLimit(const Position& position);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_PLANES_H_
