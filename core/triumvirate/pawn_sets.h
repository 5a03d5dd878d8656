// Finds the cells from which pawns move to sets of cells.

#ifndef TRIARCH_CORE_TRIUMVIRATE_PAWN_SETS_H_
#define TRIARCH_CORE_TRIUMVIRATE_PAWN_SETS_H_

#include <cstdint>

#include "core/triumvirate/board.h"

// All pawns at once (§4). Within a sector, a step ahead adds 8 to the index of an inward pawn's
// cell and subtracts 8 from a homeward pawn's; a capture adds or subtracts 7 or 9. Only a step over
// a front is different: it mirrors the front row.
namespace triarch::triumvirate {

constexpr CellSet RowCells(int row) {
  const uint64_t sector = uint64_t{0xff} << (8 * row);
  return {sector | sector << 32, sector};
}
constexpr CellSet ColumnCells(int column) {
  const uint64_t sector = uint64_t{0x01010101} << column;
  return {sector | sector << 32, sector};
}
inline constexpr CellSet kFrontRows = RowCells(kRows - 1);
inline constexpr CellSet kBaseRows = RowCells(0);
inline constexpr CellSet kLeftColumns = ColumnCells(0);
inline constexpr CellSet kRightColumns = ColumnCells(kColumns - 1);

// Move each cell of a set up or down by `count`. Each word of a set is shifted on its own: what
// leaves a sector has to be masked out.
constexpr CellSet ShiftUp(CellSet set, int count) {
  return CellSet{set.low << count, set.high << count};
}
constexpr CellSet ShiftDown(CellSet set, int count) {
  return CellSet{set.low >> count, set.high >> count};
}

// Returns the cells that meet the set's cells of the front rows across the front: `(sector, c, 3)`
// borders on `(neighbour, 7 − c, 3)`.
[[gnu::always_inline]] constexpr CellSet AcrossFronts(CellSet set) {
  // The three front rows, one per byte, with their columns reversed.
  uint64_t rows = (set.low >> 24 & 0xff) | (set.low >> 48 & 0xff00) | (set.high >> 8 & 0xff0000);
  rows = (rows & 0x555555) << 1 | (rows >> 1 & 0x555555);
  rows = (rows & 0x333333) << 2 | (rows >> 2 & 0x333333);
  rows = (rows & 0x0f0f0f) << 4 | (rows >> 4 & 0x0f0f0f);
  // Columns 0 to 3 border on the next sector, columns 4 to 7 on the one after it.
  rows |= rows << 24;
  rows = (rows >> 8 & 0x0f0f0f) | (rows >> 16 & 0xf0f0f0);
  return {(rows & 0xff) << 24 | (rows & 0xff00) << 48, (rows & 0xff0000) << 8};
}

// Return the cells from which an inward or a homeward pawn steps to a cell of the set.
[[gnu::always_inline]] constexpr CellSet InwardStepsTo(CellSet set) {
  return (ShiftDown(set, kColumns) & ~kFrontRows) | AcrossFronts(set);
}
[[gnu::always_inline]] constexpr CellSet HomewardStepsTo(CellSet set) {
  return ShiftUp(set, kColumns) & kAllCells & ~kBaseRows;
}

// The cells from which pawns of one heading capture on a set of cells, by the side of the capture.
struct CaptureSources {
  CellSet left;
  CellSet right;
};
// Omits the cells of the front rows, where captures go over the front.
[[gnu::always_inline]] constexpr CaptureSources InwardCapturesTo(CellSet set) {
  return {.left = ShiftDown(set, kColumns - 1) & ~kFrontRows & ~kLeftColumns,
          .right = ShiftDown(set, kColumns + 1) & ~kFrontRows & ~kRightColumns};
}
[[gnu::always_inline]] constexpr CaptureSources HomewardCapturesTo(CellSet set) {
  constexpr CellSet kFrom = kAllCells & ~kBaseRows;
  return {.left = ShiftUp(set, kColumns + 1) & kFrom & ~kLeftColumns,
          .right = ShiftUp(set, kColumns - 1) & kFrom & ~kRightColumns};
}

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_PAWN_SETS_H_
