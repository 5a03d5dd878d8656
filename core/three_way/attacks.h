// Tabulates what each piece reaches from each cell.

#ifndef TRIARCH_CORE_THREE_WAY_ATTACKS_H_
#define TRIARCH_CORE_THREE_WAY_ATTACKS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/three_way/board.h"

// What each piece reaches from each cell (rules §2): tables made at compile time.
//
// Through every cell run three lines of a rook and three of a bishop. A bishop's line is made of
// cells two rows apart, which is what lets it hop between two hexagons, and ends where its next
// cell is off the board, though it may come back to the board behind that. So each line is a
// sequence of cells, at most twelve, with nothing between them. The occupied cells of a line that
// can hide others, pressed together, are the index into its own little table; an entry is the
// cells reached, pressed together too, which keeps the tables small enough for the cache.
namespace triarch::three_way {

struct Line {
  CellSet cells;           // of the line, without the one looked from
  CellSet hiding;          // of them those that can hide others: all but the ends
  uint32_t offset = 0;     // of its table in AttackTables::reached
  uint8_t cells_low = 0;   // popcount of cells.low
  uint8_t hiding_low = 0;  // popcount of hiding.low
};

// Entries of all lines together; the builder checks it.
inline constexpr size_t kLineEntries = 58728;

struct AttackTables {
  std::array<std::array<Line, 6>, kCells> lines{};  // three of the rook, three of the bishop
  std::array<uint16_t, kLineEntries> reached{};
  std::array<CellSet, kCells> knight{};
  std::array<CellSet, kCells> king{};
  std::array<CellSet, kCells> rook_lines{};    // the rook alone on the board
  std::array<CellSet, kCells> bishop_lines{};  // the bishop alone on the board
  // By the pawn's owner. A pawn on a promotion cell has no moves and attacks nothing.
  PerSeat<std::array<CellSet, kCells>> pawn_captures;
  PerSeat<std::array<CellSet, kCells>> pawn_capturers;  // from where a pawn captures here
  PerSeat<std::array<int8_t, kCells>> pawn_step;        // -1 where there is none
  PerSeat<std::array<int8_t, kCells>> pawn_step_back;   // -1 where there is none
  PerSeat<CellSet> promotion;                           // where the owner's pawns promote
  // The cells strictly between two cells of one line (no two cells share two lines); else empty.
  std::array<std::array<CellSet, kCells>, kCells> between{};
};

extern const AttackTables kAttacks;

inline size_t At(Cell cell) { return static_cast<size_t>(cell.index()); }

inline CellSet LineAttacks(const Line& line, CellSet occupied) {
  const uint64_t low = ExtractBits(occupied.low, line.hiding.low);
  const uint64_t high = ExtractBits(occupied.high, line.hiding.high);
  const uint64_t reached = kAttacks.reached[line.offset + (low | high << line.hiding_low)];
  return {DepositBits(reached, line.cells.low),
          DepositBits(reached >> line.cells_low, line.cells.high)};
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
