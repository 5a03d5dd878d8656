// Describes the cells of Three-Way.

#ifndef TRIARCH_CORE_THREE_WAY_GEOMETRY_H_
#define TRIARCH_CORE_THREE_WAY_GEOMETRY_H_

#include <string>
#include <vector>

#include "core/game/geometry.h"
#include "core/three_way/position.h"

// See core/game/geometry.h.
namespace triarch::three_way {

CellGeometry GeometryOf(const Position& position, int cell);
std::string GeometryJson(const Position& position);

// These are defined with the attack tables, which are built from the same rays (§2).
std::vector<CellLine> RookRaysOf(Cell cell);
std::vector<CellLine> BishopRaysOf(Cell cell);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_GEOMETRY_H_
