// Defines the observations of a network: planes of cells, seen from the seat to move.

#ifndef TRIARCH_CORE_GAME_PLANES_H_
#define TRIARCH_CORE_GAME_PLANES_H_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/game/cell_set.h"
#include "core/game/piece.h"
#include "core/game/position.h"
#include "core/game/sample.h"

// A view shows the board rotated so that one seat, the viewer, is seat 0 and the others follow in
// turn order (docs/selfplay-data.md). Each game declares these functions in its planes.h, the first
// four unless it has three seats:
//   Set InView(kGame<P>, Set cells, Seat viewer)         shows a set of cells
//   int CellInView(kGame<P>, int cell, Seat viewer)      shows a cell by number
//   int IndexInView(kGame<P>, int index, Seat viewer)    shows a policy index
//   int IndexFromView(kGame<P>, int index, Seat viewer)  the inverse
//   std::span<const std::string_view> PlaneNames(kGame<P>)
//   void WritePlanes(const P& position, Seat viewer, Set* planes)  one set per name
//   int ClockLimit(const P& position)      plies without an irreversible move that make a draw
namespace triarch {

// Rotates a board of three thirds of 32 cells.
template <class Cell>
constexpr CellSet<Cell> InThirdsView(CellSet<Cell> set, Seat viewer) {
  const uint64_t first = set.low & 0xffffffff;
  const uint64_t second = set.low >> 32;
  switch (viewer) {
    case Seat::kFirst:
      return set;
    case Seat::kSecond:
      return {second | set.high << 32, first};
    case Seat::kThird:
      return {set.high | first << 32, second};
  }
  return set;
}
constexpr int CellInThirdsView(int cell, Seat viewer) {
  const int turned = cell - 32 * static_cast<int>(Index(viewer));
  return turned < 0 ? turned + 96 : turned;
}
constexpr int CellFromThirdsView(int cell, Seat viewer) {
  const int turned = cell + 32 * static_cast<int>(Index(viewer));
  return turned >= 96 ? turned - 96 : turned;
}

// Applies f(cell) to both cells of a piece's policy index.
template <class F>
constexpr int MapIndex(int index, int cells, F f) {
  const int from = index / cells % cells;
  const int to = index % cells;
  const int kind = index / (cells * cells);
  return (kind * cells + f(from)) * cells + f(to);
}

// These serve every game for three, whose boards have three thirds.
template <class P>
concept HasThirds = P::kInfo.seats == 3;

template <HasThirds P, class Cell>
constexpr CellSet<Cell> InView(GameTag<P>, CellSet<Cell> cells, Seat viewer) {
  return InThirdsView(cells, viewer);
}
template <HasThirds P>
constexpr int CellInView(GameTag<P>, int cell, Seat viewer) {
  return CellInThirdsView(cell, viewer);
}
template <HasThirds P>
constexpr int IndexInView(GameTag<P>, int index, Seat viewer) {
  return MapIndex(index, SampleShape<P>::kCells,
                  [&](int cell) { return CellInThirdsView(cell, viewer); });
}
template <HasThirds P>
constexpr int IndexFromView(GameTag<P>, int index, Seat viewer) {
  return MapIndex(index, SampleShape<P>::kCells,
                  [&](int cell) { return CellFromThirdsView(cell, viewer); });
}

// Writes the planes of each seat's pieces by type, the viewer's first, and returns the end.
template <class P, class Set>
Set* WritePiecePlanes(const P& position, Seat viewer, Set* planes) {
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Set owned = position.owned_by(SeatAt((Index(viewer) + i) % P::kInfo.seats));
    for (size_t type = 0; type < kPieceTypes; ++type) {
      *planes++ = InView(kGame<P>, owned & position.of_type(static_cast<PieceType>(type)), viewer);
    }
  }
  return planes;
}

// Returns the halfmove clock as a share of the plies that make a draw, 0 to 255.
template <class P>
uint8_t ClockShare(const P& position) {
  const int limit = ClockLimit(position);
  return static_cast<uint8_t>((std::min(position.halfmove_clock(), limit) * 255 + limit / 2) /
                              limit);
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PLANES_H_
