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

constexpr CellSet InView(GameTag<Position>, CellSet cells, Seat viewer) {
  return InThirdsView(cells, viewer);
}
constexpr int CellInView(GameTag<Position>, int cell, Seat viewer) {
  return CellInThirdsView(cell, viewer);
}
constexpr int IndexInView(GameTag<Position>, int index, Seat viewer) {
  return MapIndex(index, kCells, [&](int cell) { return CellInThirdsView(cell, viewer); });
}
constexpr int IndexFromView(GameTag<Position>, int index, Seat viewer) {
  return MapIndex(index, kCells, [&](int cell) { return CellFromThirdsView(cell, viewer); });
}
std::span<const std::string_view> PlaneNames(GameTag<Position>);
void WritePlanes(const Position& position, Seat viewer, CellSet* planes);
int ClockLimit(const Position& position);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_PLANES_H_
