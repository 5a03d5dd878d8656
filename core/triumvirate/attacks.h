// Holds tables of the cells that each piece reaches from each cell.

#ifndef TRIARCH_CORE_TRIUMVIRATE_ATTACKS_H_
#define TRIARCH_CORE_TRIUMVIRATE_ATTACKS_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/triumvirate/board.h"

// The tables are built at compile time from §1 and §4 of the rules.
//
// Every row and every column of the board has eight cells, and no diagonal is longer. A sliding
// piece therefore looks along two or three *spans*. A span has at most two rays, with at most six
// cells in total that can block others. The bits of these cells, extracted from the occupied cells,
// are the index into the span's own small table. A bishop's ray that splits at the centre is stored
// as two rays with a common beginning, each blocked separately, exactly as the rules say.
//
// An entry of the table has one bit per cell of the span, so all tables together fit into the
// fastest cache.
namespace triarch::triumvirate {

struct Span {
  // The cells that can block others: all but the last of each ray.
  uint64_t hiding_low = 0;
  // The cells of the rays, at most eight.
  uint64_t cells_low = 0;
  uint32_t hiding_high = 0;
  uint32_t cells_high = 0;
  uint16_t offset = 0;           // of the span's table in AttackTables::reached
  uint8_t hiding_low_count = 0;  // bits of hiding_low
  uint8_t cells_low_count = 0;
};

inline constexpr size_t kSpansMax = 5;  // two for a rook, two or three for a bishop
// Number of entries of all spans; the builder checks it.
inline constexpr size_t kSpanEntries = 10968;

// The cells from which a piece on an empty board attacks a cell next to a king, by how it attacks.
struct NearKing {
  CellSet knights;
  CellSet kings;
  CellSet pawns;  // of either heading
  CellSet rooks;
  CellSet bishops;
};

struct AttackTables {
  // The rook's two spans come first, then the bishop's. If the bishop has only two spans, the third
  // is empty, and its only entry is the empty set.
  std::array<std::array<Span, kSpansMax>, kCells> spans{};
  std::array<uint8_t, kSpanEntries> reached{};  // bits of the span's cells, in index order
  std::array<CellSet, kCells> knight{};
  std::array<CellSet, kCells> king{};
  std::array<NearKing, kCells> near_king{};    // by the king's cell
  std::array<CellSet, kCells> rook_lines{};    // on an empty board
  std::array<CellSet, kCells> bishop_lines{};  // on an empty board
  // Pawns: [0] those that move towards the front and over it, [1] those that move towards the base
  // row of the sector in which they stand ("homeward").
  std::array<std::array<CellSet, kCells>, 2> pawn_captures{};
  std::array<std::array<CellSet, kCells>, 2> pawn_capturers{};  // pawn cells that attack this one
  std::array<std::array<int8_t, kCells>, 2> pawn_step{};        // -1 if the pawn cannot step
  // The cells strictly between two cells on a common line (at most one exists); otherwise empty.
  std::array<std::array<CellSet, kCells>, kCells> between{};
};

extern const AttackTables kAttacks;

inline size_t At(Cell cell) { return static_cast<size_t>(cell.index()); }

[[gnu::always_inline]] inline CellSet SpanAttacks(const Span& span, CellSet occupied) {
  const uint64_t low = ExtractBits(occupied.low, span.hiding_low);
  const uint64_t high = ExtractBits(occupied.high, span.hiding_high);
  const uint64_t reached = kAttacks.reached[span.offset + (low | high << span.hiding_low_count)];
  return {DepositBits(reached, span.cells_low),
          DepositBits(reached >> span.cells_low_count, span.cells_high)};
}

[[gnu::always_inline]] inline CellSet RookAttacks(Cell cell, CellSet occupied) {
  const auto& spans = kAttacks.spans[At(cell)];
  return SpanAttacks(spans[0], occupied) | SpanAttacks(spans[1], occupied);
}
[[gnu::always_inline]] inline CellSet BishopAttacks(Cell cell, CellSet occupied) {
  const auto& spans = kAttacks.spans[At(cell)];
  return SpanAttacks(spans[2], occupied) | SpanAttacks(spans[3], occupied) |
         SpanAttacks(spans[4], occupied);
}
inline CellSet QueenAttacks(Cell cell, CellSet occupied) {
  return RookAttacks(cell, occupied) | BishopAttacks(cell, occupied);
}
inline CellSet KnightAttacks(Cell cell) { return kAttacks.knight[At(cell)]; }
inline CellSet KingAttacks(Cell cell) { return kAttacks.king[At(cell)]; }
inline CellSet PawnCaptures(Cell cell, bool is_homeward) {
  return kAttacks.pawn_captures[is_homeward ? 1 : 0][At(cell)];
}
inline CellSet Between(Cell a, Cell b) { return kAttacks.between[At(a)][At(b)]; }

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_ATTACKS_H_
