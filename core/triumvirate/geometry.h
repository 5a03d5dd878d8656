// Describes the cells of Triumvirate.

#ifndef TRIARCH_CORE_TRIUMVIRATE_GEOMETRY_H_
#define TRIARCH_CORE_TRIUMVIRATE_GEOMETRY_H_

#include <string>
#include <vector>

#include "core/game/geometry.h"
#include "core/triumvirate/position.h"

// See core/game/geometry.h.
namespace triarch::triumvirate {

CellGeometry GeometryOf(const Position& position, int cell);
std::string GeometryJson(const Position& position);

// These are defined with the attack tables, which are built from the same rays (§1, §2).
CellSet OrthogonalNeighborsOf(Cell cell);
CellSet DiagonalNeighborsOf(Cell cell);
std::vector<CellLine> RookRaysOf(Cell cell);
std::vector<CellLine> BishopRaysOf(Cell cell);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_GEOMETRY_H_
