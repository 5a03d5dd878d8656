// Shows positions and policy indices of Triumvirate to a network.

#ifndef TRIARCH_CORE_TRIUMVIRATE_PLANES_H_
#define TRIARCH_CORE_TRIUMVIRATE_PLANES_H_

#include <span>
#include <string_view>

#include "core/game/planes.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/sample.h"

// See core/game/planes.h.
namespace triarch::triumvirate {

std::span<const std::string_view> PlaneNames(GameTag<Position>);
void WritePlanes(const Position& position, Seat viewer, CellSet* planes);
int ClockLimit(const Position& position);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_PLANES_H_
