// Converts sets of cells to sets of columns and back, faster than Layout.

#ifndef TRIARCH_CORE_TRI_D_CELL_MAP_H_
#define TRIARCH_CORE_TRI_D_CELL_MAP_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/tri_d/board.h"

namespace triarch::tri_d {

// A set of cells as sets of columns, one per level. No two boards of a level share a column: W and
// B; N; the attack boards, except that those on the pins number 5 have a level of their own,
// because they stand above those on the pins number 2.
struct Levels {
  std::array<ColumnSet, 4> at{};

  // Returns the columns with a cell of the set.
  constexpr ColumnSet any() const { return at[0] | at[1] | at[2] | at[3]; }
  // Returns the columns with at least two of them.
  constexpr ColumnSet several() const {
    return (at[0] & at[1]) | (at[2] & at[3]) | ((at[0] | at[1]) & (at[2] | at[3]));
  }
  // Returns the number of the set's cells in the columns.
  size_t CountIn(ColumnSet columns) const {
    size_t count = 0;
    for (const ColumnSet level : at) count += static_cast<size_t>(std::popcount(level & columns));
    return count;
  }
  friend constexpr Levels operator&(const Levels& a, const Levels& b) {
    return {{a.at[0] & b.at[0], a.at[1] & b.at[1], a.at[2] & b.at[2], a.at[3] & b.at[3]}};
  }
  friend constexpr Levels operator-(const Levels& a, const Levels& b) {
    return {{a.at[0] & ~b.at[0], a.at[1] & ~b.at[1], a.at[2] & ~b.at[2], a.at[3] & ~b.at[3]}};
  }
};

// What the conversions need, looked up once for a layout.
class CellMap {
 public:
  explicit CellMap(const Layout& layout) {
    std::memcpy(columns_.data(), kBoardTables.main_columns.data(), kMainCells);
    for (size_t i = 0; i < kAttackBoards; ++i) {
      const auto index = static_cast<size_t>(layout.pins[i].index());
      pins_[i] = kBoardTables.pin[index];
      high_[i] = kHighPins[index];
      std::memcpy(&columns_[kMainCells + 4 * i], kBoardTables.pin_columns[index].data(), 4);
    }
  }

  Column ColumnOf(Cell cell) const { return columns_[static_cast<size_t>(cell.index())]; }
  CellSet CellsOf(ColumnSet columns) const {
#ifdef __BMI2__
    const uint64_t outer = ExtractBits(columns, kOuter);  // W and B
    CellSet cells = (outer & 0xffff) | (outer & 0xffff'0000) << 16 | MainPlaces(columns, 1) << 16;
#else
    CellSet cells =
        MainPlaces(columns, 0) | MainPlaces(columns, 1) << 16 | MainPlaces(columns, 2) << 32;
#endif
    for (size_t i = 0; i < kAttackBoards; ++i) {
      cells |= PinPlaces(columns, pins_[i]) << (kMainCells + 4 * i);
    }
    return cells;
  }
  ColumnSet ColumnsOf(CellSet cells) const {
    ColumnSet columns = Outer(cells) | Middle(cells);
    for (size_t i = 0; i < kAttackBoards; ++i) columns |= OfBoard(cells, i);
    return columns;
  }
  Levels LevelsOf(CellSet cells) const {
    Levels levels{{Outer(cells), Middle(cells), 0, 0}};
    for (size_t i = 0; i < kAttackBoards; ++i) {
      levels.at[2] |= OfBoard(cells, i) & ~high_[i];
      levels.at[3] |= OfBoard(cells, i) & high_[i];
    }
    return levels;
  }

 private:
  [[maybe_unused]] static constexpr ColumnSet kOuter = kBoardTables.main[0] | kBoardTables.main[2];
  // The columns of a board on each pin number 5, and none for other pins.
  static constexpr std::array<ColumnSet, kPins> kHighPins = [] {
    std::array<ColumnSet, kPins> sets{};
    for (const size_t pin : {size_t{4}, size_t{10}}) sets[pin] = kBoardTables.pin[pin];
    return sets;
  }();

  static ColumnSet Outer(CellSet cells) {
#ifdef __BMI2__
    return DepositBits((cells & 0xffff) | (cells >> 16 & 0xffff'0000), kOuter);
#else
    return MainColumns(cells, 0) | MainColumns(cells >> 32, 2);
#endif
  }
  static ColumnSet Middle(CellSet cells) { return MainColumns(cells >> 16, 1); }
  ColumnSet OfBoard(CellSet cells, size_t board) const {
    return PinColumns(cells >> (kMainCells + 4 * board), pins_[board]);
  }

  std::array<ColumnSet, kAttackBoards> pins_;  // the columns of each attack board
  std::array<ColumnSet, kAttackBoards>
      high_;  // the same if it is on a pin number 5, otherwise none
  std::array<int8_t, kCells> columns_;
};

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_CELL_MAP_H_
