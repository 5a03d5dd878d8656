// Describes the cells of Tri-D chess.

#ifndef TRIARCH_CORE_TRI_D_GEOMETRY_H_
#define TRIARCH_CORE_TRI_D_GEOMETRY_H_

#include <string>
#include <vector>

#include "core/game/geometry.h"
#include "core/tri_d/position.h"

// See core/game/geometry.h.
namespace triarch::tri_d {

CellGeometry GeometryOf(const Position& position, int cell);
std::string GeometryJson(const Position& position);

// The directions of a rook are the first four, those of a bishop the others.
inline constexpr int kRayDirections = 8;
// Returns the columns of a ray, in order. Defined with the attack tables, which are built from the
// same rays (§3).
std::vector<Column> RayColumnsOf(Column column, int direction);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_GEOMETRY_H_
