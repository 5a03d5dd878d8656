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

// Move all columns of a set by one file, to the left and to the right as White sees them, or by one
// rank in the direction of a seat's pawns. Those that would leave the map are dropped.
inline constexpr ColumnSet kAllColumns = (ColumnSet{1} << kColumns) - 1;
inline constexpr ColumnSet kFirstFile = kAllColumns / ((1 << kFiles) - 1);
inline constexpr ColumnSet kLastFile = kFirstFile << (kFiles - 1);
constexpr ColumnSet Left(ColumnSet set) { return (set & ~kFirstFile) >> 1; }
constexpr ColumnSet Right(ColumnSet set) { return (set & ~kLastFile) << 1; }
constexpr ColumnSet Ahead(ColumnSet set, Seat seat) {
  return seat == Seat::kFirst ? (set << kFiles) & kAllColumns : set >> kFiles;
}

// Return the columns that pieces on all the columns of a set attack together.
constexpr ColumnSet AllPawnAttacks(ColumnSet pawns, Seat seat) {
  return Ahead(Left(pawns) | Right(pawns), seat);
}
constexpr ColumnSet AllKnightAttacks(ColumnSet knights) {
  const ColumnSet near = Left(knights) | Right(knights);
  const ColumnSet far = Left(Left(knights)) | Right(Right(knights));
  return (near << 2 * kFiles | near >> 2 * kFiles | far << kFiles | far >> kFiles) & kAllColumns;
}
// Moves the rooks and bishops in four directions at once, and in the four opposite ones: over empty
// columns, by up to 1 + 2 + 4 + 1, and finally to the columns that they attack. A file has ten.
inline ColumnSet AllSliderAttacks(ColumnSet rooks, ColumnSet bishops, ColumnSet occupied) {
  using Four = ColumnSet __attribute__((vector_size(4 * sizeof(ColumnSet))));
  constexpr Four kStep = {kFiles, 1, kFiles + 1, kFiles - 1};
  constexpr Four kUp = {kAllColumns, ~kFirstFile, ~kFirstFile, ~kLastFile};
  constexpr Four kDown = {kAllColumns, ~kLastFile, ~kLastFile, ~kFirstFile};
  const ColumnSet empty = kAllColumns & ~occupied;
  const Four from = {rooks, rooks, bishops, bishops};
  Four up = from;
  Four down = from;
  Four free_up = kUp & empty;
  Four free_down = kDown & empty;
  Four steps = kStep;
  for (int i = 0; i < 3; ++i) {
    up |= free_up & (up << steps);
    down |= free_down & (down >> steps);
    free_up &= free_up << steps;
    free_down &= free_down >> steps;
    steps += steps;
  }
  up |= kUp & empty & (up << kStep);
  down |= kDown & empty & (down >> kStep);
  const Four attacks = (kUp & (up << kStep)) | (kDown & (down >> kStep));
  return (attacks[0] | attacks[1] | attacks[2] | attacks[3]) & kAllColumns;
}

// Returns the step to the next column of a seat's pawn, which may be off the map.
constexpr int Forward(Seat seat) { return seat == Seat::kFirst ? kFiles : -kFiles; }

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_ATTACKS_H_
