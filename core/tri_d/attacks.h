// Tabulates what each piece reaches from each column.

#ifndef TRIARCH_CORE_TRI_D_ATTACKS_H_
#define TRIARCH_CORE_TRI_D_ATTACKS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/tri_d/board.h"

// What each piece reaches from each column, seen from above (rules §3): tables made at compile
// time.
//
// On the map of 6 files and 10 ranks every piece moves as in flat chess. Columns that do not exist
// now are part of the map: nothing stands in them, so that lines pass over them (Ruling 3), and
// nothing can end there, as Layout::CellsOf gives no cells for them. A column that holds anything
// on any level stops a line (the vertical shadow), which the occupied *columns* tell.
namespace triarch::tri_d {

// A line of a slider through a column: the occupied columns that can hide others, pressed together,
// are the index into its own table.
struct Line {
  ColumnSet hiding = 0;  // columns of the line but its ends and the one looked from
  uint32_t offset = 0;   // of its table in AttackTables::reached
};

// Entries of all lines together; the builder checks it.
inline constexpr size_t kLineEntries = 10688;

struct AttackTables {
  std::array<std::array<Line, 4>, kColumns> lines{};  // two of the rook, two of the bishop
  std::array<ColumnSet, kLineEntries> reached{};
  std::array<ColumnSet, kColumns> knight{};
  std::array<ColumnSet, kColumns> king{};
  std::array<ColumnSet, kColumns> rook_lines{};
  std::array<ColumnSet, kColumns> bishop_lines{};
  std::array<std::array<ColumnSet, kColumns>, 2> pawn_captures{};   // by the pawn's owner
  std::array<std::array<ColumnSet, kColumns>, 2> pawn_capturers{};  // from where it captures here
  // The columns strictly between two columns of one line; else empty.
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

// The next column of a seat's pawn, which may lie off the map.
constexpr int Forward(Seat seat) { return seat == Seat::kFirst ? kFiles : -kFiles; }

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_ATTACKS_H_
