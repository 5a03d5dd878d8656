// Tabulates what each piece reaches from each cell.

#ifndef TRIARCH_CORE_TRIUMVIRATE_ATTACKS_H_
#define TRIARCH_CORE_TRIUMVIRATE_ATTACKS_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/triumvirate/board.h"

// What each piece reaches from each cell (rules §1, §4): tables made at compile time.
//
// Every row and every column of the board has eight cells, and no diagonal is longer. A sliding
// piece therefore looks at two or three *spans*, each of at most two rays with at most six cells
// that can hide something: the occupied cells of a span, pressed together, are the index into its
// own little table. A bishop's ray that splits at the centre is two rays with a common beginning,
// each stopped on its own, which is exactly the rule.
namespace triarch::triumvirate {

struct Span {
  CellSet hiding;        // cells of the rays that can hide others: all but the last of each ray
  uint16_t offset = 0;   // of its table in AttackTables::reached
  uint8_t low_bits = 0;  // popcount of hiding.low
};

inline constexpr size_t kSpansMax = 5;  // two of a rook, two or three of a bishop
// Entries of all spans together; the builder checks it.
inline constexpr size_t kSpanEntries = 10968;

struct AttackTables {
  // The rook's two spans come first, then the bishop's. A bishop of two spans has an empty third
  // one, whose only entry is the empty set.
  std::array<std::array<Span, kSpansMax>, kCells> spans{};
  std::array<CellSet, kSpanEntries> reached{};
  std::array<CellSet, kCells> knight{};
  std::array<CellSet, kCells> king{};
  std::array<CellSet, kCells> rook_lines{};    // the rook alone on the board
  std::array<CellSet, kCells> bishop_lines{};  // the bishop alone on the board
  // Pawns: [0] those that walk to the front and over it, [1] those that walk towards the base row
  // of the sector they stand in ("homeward").
  std::array<std::array<CellSet, kCells>, 2> pawn_captures{};
  std::array<std::array<CellSet, kCells>, 2> pawn_capturers{};  // from where a pawn captures here
  std::array<std::array<int8_t, kCells>, 2> pawn_step{};        // -1 where there is none
  // The cells strictly between two cells of one line (no two cells share two lines); else empty.
  std::array<std::array<CellSet, kCells>, kCells> between{};
};

extern const AttackTables kAttacks;

inline size_t At(Cell cell) { return static_cast<size_t>(cell.index()); }

inline CellSet SpanAttacks(const Span& span, CellSet occupied) {
  const uint64_t low = ExtractBits(occupied.low, span.hiding.low);
  const uint64_t high = ExtractBits(occupied.high, span.hiding.high);
  return kAttacks.reached[span.offset + (low | high << span.low_bits)];
}

inline CellSet RookAttacks(Cell cell, CellSet occupied) {
  const auto& spans = kAttacks.spans[At(cell)];
  return SpanAttacks(spans[0], occupied) | SpanAttacks(spans[1], occupied);
}
inline CellSet BishopAttacks(Cell cell, CellSet occupied) {
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
