// Defines the geometry of a board's cells, for pictures and for programs without our rules.

#ifndef TRIARCH_CORE_GAME_GEOMETRY_H_
#define TRIARCH_CORE_GAME_GEOMETRY_H_

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game/cell_set.h"
#include "core/game/position.h"

namespace triarch {

// Cells by number, in the order in which a piece passes them.
using CellLine = std::vector<int>;

// Returns the cells of a set, ascending.
template <class Cell>
CellLine NumbersOf(CellSet<Cell> cells) {
  CellLine numbers;
  for (const Cell cell : cells) numbers.push_back(cell.index());
  return numbers;
}
inline CellLine NumbersOf(uint64_t cells) {
  CellLine numbers;
  for (; cells != 0; cells &= cells - 1) numbers.push_back(std::countr_zero(cells));
  return numbers;
}

struct CellGeometry {
  std::string name;
  // The game's own coordinates by name: sector, row, column, …
  std::vector<std::pair<std::string_view, int>> coordinates;
  int color = 0;        // of the cell, from 0
  CellLine orthogonal;  // neighbours, ascending
  CellLine diagonal;
  CellLine knight;  // where a knight can jump, ascending
  // The rays of the sliding pieces on an empty board. A ray that splits is given as two rays with a
  // common beginning: each is blocked separately.
  std::vector<CellLine> rook;
  std::vector<CellLine> bishop;
  std::vector<Seat> promotes;  // the seats whose pawns promote here
  int turned = 0;              // the cell onto which the board's rotation to the next seat moves it
  // In a picture of a flat board, in no particular unit; y points down. Empty for other boards.
  std::vector<std::array<double, 2>> corners;
  std::array<double, 2> center{};
};

// Each game declares in its geometry.h:
//   CellGeometry GeometryOf(const P& position, int cell)
//   std::string GeometryJson(const P& position)   of all cells: `triarch cells --json`

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_GEOMETRY_H_
