// Defines the board of Triumvirate, 96 cells in three sectors.

#ifndef TRIARCH_CORE_TRIUMVIRATE_BOARD_H_
#define TRIARCH_CORE_TRIUMVIRATE_BOARD_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/game/cell_set.h"
#include "core/game/seat.h"

// Each sector has 8 columns and 4 rows (rules §1).
namespace triarch::triumvirate {

inline constexpr int kCells = 96;
inline constexpr int kColumns = 8;  // of a sector, local 0..7: from left to right for its owner
inline constexpr int kRows = 4;     // of a sector, local 0..3: from base row to front

// One of the 96 cells. The index is sector · 32 + local row · 8 + local column, so adding 32 (mod
// 96) rotates the board by a third of a turn: White's cells onto Black's, Black's onto Red's.
class Cell {
 public:
  constexpr Cell() = default;  // A1
  static constexpr Cell At(int index) { return Cell(static_cast<uint8_t>(index)); }
  static constexpr Cell At(Seat sector, int column, int row) {
    return At(static_cast<int>(Index(sector)) * 32 + row * 8 + column);
  }
  // Parses a name such as "E2"; empty if no cell has that name (§1: 48 of the 144 names are
  // unused).
  static std::optional<Cell> Parse(std::string_view text);
  std::string ToString() const;
  // Writes the name to `text` and returns its length. Requires: room for kNameMax bytes.
  size_t Write(char* text) const {
    const auto& name = kNames[index_];
    std::memcpy(text, name.data(), kNameMax);
    return static_cast<size_t>(name[kNameMax]);
  }
  static constexpr size_t kNameMax = 3;

  constexpr int index() const { return index_; }
  constexpr Seat sector() const { return SeatAt(index_ >> 5); }
  constexpr int row() const { return (index_ >> 3) & 3; }
  constexpr int column() const { return index_ & 7; }
  constexpr Cell Rotated() const { return At(index_ >= 64 ? index_ - 64 : index_ + 32); }
  constexpr bool is_dark() const { return (column() + row()) % 2 == 0; }  // as A1
  constexpr bool is_rosette() const { return row() == 3 && (column() == 3 || column() == 4); }
  constexpr bool is_base_row() const { return row() == 0; }
  // Return the column letter A..L as 0..11, and the row number 1..12.
  int letter() const;
  int number() const;
  // Returns the sector at the other end of the cell's column, the other end of its bridge (§1, §4).
  constexpr Seat bridge_neighbor() const {
    const size_t step = column() < 4 ? 1 : 2;
    return SeatAt((Index(sector()) + step) % 3);
  }
  // Returns whether the cell's bridge joins `other` to another sector.
  constexpr bool is_on_bridge_of(Seat other) const {
    return other == sector() || other == bridge_neighbor();
  }

  friend constexpr auto operator<=>(Cell, Cell) = default;

 private:
  // The names of the cells, each followed by its length. Precomputed because a tournament writes
  // two per move.
  static const std::array<std::array<char, kNameMax + 1>, kCells> kNames;

  constexpr explicit Cell(uint8_t index) : index_(index) {}
  uint8_t index_ = 0;
};

using CellSet = triarch::CellSet<Cell>;

inline constexpr CellSet kAllCells{~uint64_t{0}, 0xffffffffu};

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_BOARD_H_
