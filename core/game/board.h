// Defines what a game tells about its board: what stands on each cell, by number.

#ifndef TRIARCH_CORE_GAME_BOARD_H_
#define TRIARCH_CORE_GAME_BOARD_H_

#include <concepts>

#include "core/game/position.h"

namespace triarch {

// Cells are numbered from 0 to kCells - 1. A piece has the members `type` and `owner`.
template <class P>
concept HasBoard = Position<P> && requires(const P p) {
  { P::kCells } -> std::convertible_to<int>;
  p.PieceOn(0)->type;  // empty where no piece stands
  p.PieceOn(0)->owner;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_BOARD_H_
