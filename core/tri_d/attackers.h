// Finds the attackers of a cell, for bots.

#ifndef TRIARCH_CORE_TRI_D_ATTACKERS_H_
#define TRIARCH_CORE_TRI_D_ATTACKERS_H_

#include "core/game/attackers.h"
#include "core/tri_d/position.h"

namespace triarch::tri_d {

CellNumbers CellsOwnedBy(const Position& position, Seat seat);
CellNumbers AttackersOf(const Position& position, CellNumber cell, CellNumbers cells);
int PieceValue(const Position& position, CellNumber cell);

static_assert(HasAttackers<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_ATTACKERS_H_
