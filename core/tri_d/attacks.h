// Holds tables of the columns that each piece reaches from each column.

#ifndef TRIARCH_CORE_TRI_D_ATTACKS_H_
#define TRIARCH_CORE_TRI_D_ATTACKS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/tri_d/board.h"

// The tables are built at compile time from §3 of the rules, which sees the boards from above.
//
// On the map of 6 files and 10 ranks, every piece moves as in flat chess. The map includes columns
// that currently have no cells. Such columns hold no pieces, so lines pass over them (Ruling 3). No
// move can end there, because Layout::CellsOf returns no cells for them. A column with a piece on
// any level blocks a line (the vertical shadow), so the tables need only the occupied *columns*.
namespace triarch::tri_d {

// A line of a slider through a column. The bits of its blocking columns, extracted from the
// occupied columns, are the index into the line's own table.
struct Line {
  ColumnSet hiding = 0;  // columns of the line except its ends and the origin
  uint32_t offset = 0;   // of the line's table in AttackTables::reached
};

// Number of entries of all lines; the builder checks it.
inline constexpr size_t kLineEntries = 10688;

struct AttackTables {
  std::array<std::array<Line, 4>, kColumns> lines{};  // two for the rook, two for the bishop
  std::array<ColumnSet, kLineEntries> reached{};
  std::array<ColumnSet, kColumns> knight{};
  std::array<ColumnSet, kColumns> king{};
  std::array<ColumnSet, kColumns> rook_lines{};
  std::array<ColumnSet, kColumns> bishop_lines{};
  std::array<std::array<ColumnSet, kColumns>, 2> pawn_captures{};   // by the pawn's owner
  std::array<std::array<ColumnSet, kColumns>, 2> pawn_capturers{};  // pawns that attack this one
  // The columns strictly between two columns on a common line; otherwise empty.
  std::array<std::array<ColumnSet, kColumns>, kColumns> between{};
};

extern const AttackTables kAttacks;

constexpr size_t At(Column column) { return static_cast<size_t>(column); }

inline ColumnSet LineAttacks(const Line& line, ColumnSet occupied) {
  return kAttacks.reached[line.offset + ExtractBits(occupied, line.hiding)];
}
inline ColumnSet RookAttacks(Column column, ColumnSet occupied) {
  const auto& lines = kAttacks.lines[At(column)];
  return LineAttacks(lines[0], occupied) | LineAttacks(lines[1], occupied);
}
inline ColumnSet BishopAttacks(Column column, ColumnSet occupied) {
  const auto& lines = kAttacks.lines[At(column)];
  return LineAttacks(lines[2], occupied) | LineAttacks(lines[3], occupied);
}
inline ColumnSet Between(Column a, Column b) { return kAttacks.between[At(a)][At(b)]; }

// Returns the step to the next column of a seat's pawn, which may be off the map.
constexpr int Forward(Seat seat) { return seat == Seat::kFirst ? kFiles : -kFiles; }

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_ATTACKS_H_
