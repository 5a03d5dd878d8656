// Shows positions and policy indices of Tri-D chess to a network.

#ifndef TRIARCH_CORE_TRI_D_PLANES_H_
#define TRIARCH_CORE_TRI_D_PLANES_H_

#include <span>
#include <string_view>

#include "core/game/planes.h"
#include "core/tri_d/position.h"
#include "core/tri_d/sample.h"

// See core/game/planes.h.
namespace triarch::tri_d {

// Black sees the ranks mirrored and the colours exchanged: W with B, and each attack board with the
// other colour's board on the same side.
constexpr int MirroredCell(int cell) {
  if (cell >= kMainCells) return kMainCells + ((cell - kMainCells) ^ 0b1010);
  return kMainCells - 4 - cell / 4 * 4 + cell % 4;
}
constexpr CellSet Mirrored(CellSet cells) {
  // The ranks of the main boards are twelve groups of four bits; the attack boards have four.
  const uint64_t bytes = __builtin_bswap64(cells << 16);
  const uint64_t main = (bytes & 0x0f0f'0f0f'0f0f) << 4 | (bytes >> 4 & 0x0f0f'0f0f'0f0f);
  const uint64_t attack = cells >> kMainCells;
  const uint64_t swapped = attack >> 8 | (attack & 0xff) << 8;
  return main | ((swapped & 0x3333) << 2 | (swapped >> 2 & 0x3333)) << kMainCells;
}
constexpr CellSet InView(GameTag<Position>, CellSet cells, Seat viewer) {
  return viewer == Seat::kFirst ? cells : Mirrored(cells);
}
constexpr int CellInView(GameTag<Position>, int cell, Seat viewer) {
  return viewer == Seat::kFirst ? cell : MirroredCell(cell);
}
constexpr int IndexInView(GameTag<Position>, int index, Seat viewer) {
  if (viewer == Seat::kFirst) return index;
  if (index < kBoardMovesBegin) return MapIndex(index, kCells, MirroredCell);
  const int kind = (index - kBoardMovesBegin) / (kAttackBoards * kPins);
  const int board = (index - kBoardMovesBegin) / kPins % kAttackBoards;
  const int pin = (index - kBoardMovesBegin) % kPins;
  return kBoardMovesBegin + (kind * kAttackBoards + (board ^ 2)) * kPins + pin / 6 * 6 + 5 -
         pin % 6;
}
constexpr int IndexFromView(GameTag<Position> game, int index, Seat viewer) {
  return IndexInView(game, index, viewer);
}
std::span<const std::string_view> PlaneNames(GameTag<Position>);
void WritePlanes(const Position& position, Seat viewer, CellSet* planes);
int ClockLimit(const Position& position);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_PLANES_H_
