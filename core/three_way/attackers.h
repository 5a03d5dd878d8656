// Finds the attackers of a cell, for bots.

#ifndef TRIARCH_CORE_THREE_WAY_ATTACKERS_H_
#define TRIARCH_CORE_THREE_WAY_ATTACKERS_H_

#include "core/game/attackers.h"
#include "core/three_way/position.h"

namespace triarch::three_way {

CellNumbers CellsOwnedBy(const Position& position, Seat seat);
CellNumbers AttackersOf(const Position& position, CellNumber cell, CellNumbers cells);
int PieceValue(const Position& position, CellNumber cell);

static_assert(HasAttackers<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_ATTACKERS_H_
