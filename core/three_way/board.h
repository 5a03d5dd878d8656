// Defines the board of Three-Way Chess, 96 hexagonal cells.

#ifndef TRIARCH_CORE_THREE_WAY_BOARD_H_
#define TRIARCH_CORE_THREE_WAY_BOARD_H_

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

// The cells form a six-pointed star (rules §1).
namespace triarch::three_way {

inline constexpr int kCells = 96;
inline constexpr int kColumns = 8;  // of a third, 0..7
inline constexpr int kRows = 4;     // of a third, 0..3: from its owner's back rank inwards

// Cube coordinates of a hexagon, on or off the board; q + r + s is -1 for a cell and 0 for a step.
struct Hex {
  int q = 0;
  int r = 0;
  int s = 0;

  // Returns the same coordinates rotated by a third of a turn, for the next seat.
  constexpr Hex Rotated() const { return {s, q, r}; }
  friend constexpr Hex operator+(Hex a, Hex b) { return {a.q + b.q, a.r + b.r, a.s + b.s}; }
  friend constexpr Hex operator-(Hex a, Hex b) { return {a.q - b.q, a.r - b.r, a.s - b.s}; }
  friend constexpr bool operator==(Hex, Hex) = default;
};

// One of the 96 cells. The index is third · 32 + row · 8 + column, so adding 32 (mod 96) rotates
// the board by a third of a turn: White's cells onto Gray's, Gray's onto Black's.
class Cell {
 public:
  constexpr Cell() = default;  // d4
  static constexpr Cell At(int index) { return Cell(static_cast<uint8_t>(index)); }
  static constexpr Cell At(Seat third, int column, int row) {
    return At(static_cast<int>(Index(third)) * 32 + row * 8 + column);
  }
  // Returns the cell at `hex`; empty if it is off the board.
  static constexpr std::optional<Cell> At(Hex hex);
  // Parses a name such as "h4", in either case; empty if no cell has that name.
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
  constexpr Seat third() const { return SeatAt(index_ >> 5); }
  constexpr int row() const { return (index_ >> 3) & 3; }
  constexpr int column() const { return index_ & 7; }
  constexpr Cell Rotated() const { return At(index_ >= 64 ? index_ - 64 : index_ + 32); }
  constexpr Hex hex() const {
    const int a0 = column() - 4;
    const int a1 = column() < 4 ? row() - 4 : row() - column();
    Hex hex{a0, a1, 3 - column() - a1};
    for (int turn = 0; turn < (index_ >> 5); ++turn) hex = hex.Rotated();
    return hex;
  }
  // Returns the colour of the hexagon: 0 cream, 1 brown, 2 green. A bishop never changes colour.
  constexpr int color() const { return ((hex().q - hex().r) % 3 + 3) % 3; }

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

// Cell indices by q + 7 and r + 7, both 0..14; -1 for no cell.
inline constexpr std::array<std::array<int8_t, 15>, 15> kCellByHex = [] {
  std::array<std::array<int8_t, 15>, 15> cells{};
  for (auto& column : cells) column.fill(-1);
  for (int i = 0; i < kCells; ++i) {
    const Hex hex = Cell::At(i).hex();
    cells[static_cast<size_t>(hex.q + 7)][static_cast<size_t>(hex.r + 7)] = static_cast<int8_t>(i);
  }
  return cells;
}();

constexpr std::optional<Cell> Cell::At(Hex hex) {
  if (hex.q < -7 || hex.q > 7 || hex.r < -7 || hex.r > 7) return std::nullopt;
  const int index = kCellByHex[static_cast<size_t>(hex.q + 7)][static_cast<size_t>(hex.r + 7)];
  if (index < 0) return std::nullopt;
  return At(index);
}

// Return the next and the previous seat in turn order.
constexpr Seat Next(Seat seat) {
  return seat == Seat::kThird ? Seat::kFirst : SeatAt(Index(seat) + 1);
}
constexpr Seat Previous(Seat seat) {
  return seat == Seat::kFirst ? Seat::kThird : SeatAt(Index(seat) - 1);
}

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_BOARD_H_
