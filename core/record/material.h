// Adds up the material of each seat.

#ifndef TRIARCH_CORE_RECORD_MATERIAL_H_
#define TRIARCH_CORE_RECORD_MATERIAL_H_

#include <cstdint>

#include "core/any_state.h"
#include "core/game/seat.h"

namespace triarch {

// Returns the value of each seat's pieces except kings, in hundredths of a pawn (PieceValue of
// core/game/attackers.h).
PerSeat<int64_t> MaterialOf(const AnyState& state);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_MATERIAL_H_
