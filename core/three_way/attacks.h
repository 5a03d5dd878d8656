// Holds tables of the cells that each piece reaches from each cell.

#ifndef TRIARCH_CORE_THREE_WAY_ATTACKS_H_
#define TRIARCH_CORE_THREE_WAY_ATTACKS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/three_way/board.h"

// The tables are built at compile time from §2 of the rules.
//
// Three rook lines and three bishop lines run through every cell. The cells of a bishop's line are
// two rows apart, so the bishop hops between two hexagons. A line ends where its next cell is off
// the board, even if it would return to the board beyond the gap. So each line is a sequence of at
// most twelve cells with nothing in between. The bits of its blocking cells, extracted from the
// occupied cells, are the index into the line's own small table. An entry is the number of one of
// the line's sets of reached cells. There are few of them, one for each pair of ends, so the tables
// are small enough for the cache.
namespace triarch::three_way {

struct Line {
  CellSet hiding;           // cells of the line that can block others: all but the ends
  uint32_t offset = 0;      // of the line's table in AttackTables::line_entries
  uint16_t set_offset = 0;  // of the line's sets in AttackTables::line_sets
  uint16_t hiding_low = 0;  // popcount of hiding.low
};

// Number of entries and sets of all lines; the builder checks them.
inline constexpr size_t kLineEntries = 58728;
inline constexpr size_t kLineSets = 4668;

struct AttackTables {
  std::array<std::array<Line, 6>, kCells> lines{};  // three for the rook, three for the bishop
  std::array<uint8_t, kLineEntries> line_entries{};
  std::array<CellSet, kLineSets> line_sets{};
  std::array<CellSet, kCells> knight{};
  std::array<CellSet, kCells> king{};
  std::array<CellSet, kCells> rook_lines{};    // on an empty board
  std::array<CellSet, kCells> bishop_lines{};  // on an empty board
  // By the pawn's owner. A pawn on a promotion cell has no moves and attacks nothing.
  PerSeat<std::array<CellSet, kCells>> pawn_captures;
  PerSeat<std::array<CellSet, kCells>> pawn_capturers;  // pawn cells that attack this one
  PerSeat<std::array<int8_t, kCells>> pawn_step;        // -1 if off the board
  PerSeat<std::array<int8_t, kCells>> pawn_step_back;   // -1 if off the board
  // For an en passant capture, by the capturer's owner and the passed-over cell: the cell where the
  // capturing pawn stands, or -1 if no pawn of that owner can capture there.
  PerSeat<std::array<int8_t, kCells>> en_passant_from;
  // The cells from which such a piece attacks one of the steps of a king on the cell.
  std::array<CellSet, kCells> knights_near{};
  std::array<CellSet, kCells> kings_near{};
  PerSeat<std::array<CellSet, kCells>> pawns_near;
  PerSeat<CellSet> promotion;  // promotion cells of the owner's pawns
  // The cells strictly between two cells on a common line (at most one exists); otherwise empty.
  std::array<std::array<CellSet, kCells>, kCells> between{};
};

extern const AttackTables kAttacks;

inline size_t At(Cell cell) { return static_cast<size_t>(cell.index()); }

inline CellSet LineAttacks(const Line& line, CellSet occupied) {
  const uint64_t low = ExtractBits(occupied.low, line.hiding.low);
  const uint64_t high = ExtractBits(occupied.high, line.hiding.high);
  const size_t entry = kAttacks.line_entries[line.offset + (low | high << line.hiding_low)];
  return kAttacks.line_sets[line.set_offset + entry];
}

inline CellSet RookAttacks(Cell cell, CellSet occupied) {
  const auto& lines = kAttacks.lines[At(cell)];
  return LineAttacks(lines[0], occupied) | LineAttacks(lines[1], occupied) |
         LineAttacks(lines[2], occupied);
}
inline CellSet BishopAttacks(Cell cell, CellSet occupied) {
  const auto& lines = kAttacks.lines[At(cell)];
  return LineAttacks(lines[3], occupied) | LineAttacks(lines[4], occupied) |
         LineAttacks(lines[5], occupied);
}
inline CellSet QueenAttacks(Cell cell, CellSet occupied) {
  return RookAttacks(cell, occupied) | BishopAttacks(cell, occupied);
}
inline CellSet KnightAttacks(Cell cell) { return kAttacks.knight[At(cell)]; }
inline CellSet KingAttacks(Cell cell) { return kAttacks.king[At(cell)]; }
inline CellSet PawnCaptures(Seat owner, Cell cell) {
  return kAttacks.pawn_captures[owner][At(cell)];
}
inline CellSet Between(Cell a, Cell b) { return kAttacks.between[At(a)][At(b)]; }

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_ATTACKS_H_
