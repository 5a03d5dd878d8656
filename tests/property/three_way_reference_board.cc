// Computes cells and cell names for the reference implementation of Three-Way Chess.

#include <string>
#include <string_view>
#include <vector>

#include "tests/property/three_way_reference.h"

namespace triarch::three_way_reference {
namespace {

constexpr std::string_view kFiles = "abcdefghijklmno";
}  // namespace

bool IsOnBoard(Hex cell) {
  return (cell.q <= 3 && cell.r <= 3 && cell.s <= 3) ||
         (cell.q >= -4 && cell.r >= -4 && cell.s >= -4);
}

Hex CellAt(int third, int row, int column) {
  const int a0 = column - 4;
  const int a1 = column < 4 ? row - 4 : row - column;
  const int a2 = 3 - column - a1;
  if (third == 0) return {a0, a1, a2};
  if (third == 1) return {a2, a0, a1};
  return {a1, a2, a0};
}

const std::vector<Hex>& Cells() {
  static const auto& cells = *[] {
    auto* made = new std::vector<Hex>;
    for (int third = 0; third < kSeats; ++third) {
      for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kColumns; ++column) {
          made->push_back(CellAt(third, row, column));
        }
      }
    }
    return made;
  }();
  return cells;
}

std::string CellName(Hex cell) {
  return kFiles[static_cast<size_t>(cell.q + 7)] + std::to_string(cell.r + 8);
}

const Piece& State::at(Hex cell) const {
  return grid[static_cast<size_t>(cell.q + 7)][static_cast<size_t>(cell.r + 7)];
}

Piece& State::at(Hex cell) {
  return grid[static_cast<size_t>(cell.q + 7)][static_cast<size_t>(cell.r + 7)];
}

}  // namespace triarch::three_way_reference
