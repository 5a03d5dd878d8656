// Defines how a game offers the pieces on its board, by cell number.

#ifndef TRIARCH_CORE_GAME_BOARD_H_
#define TRIARCH_CORE_GAME_BOARD_H_

#include <concepts>

#include "core/game/position.h"

namespace triarch {

// Cells are numbered from 0 to kCells - 1. A piece has the members `type` and `owner`.
template <class P>
concept HasBoard = Position<P> && requires(const P p) {
  { P::kCells } -> std::convertible_to<int>;
  p.PieceOn(0)->type;  // PieceOn is empty if no piece stands on the cell
  p.PieceOn(0)->owner;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_BOARD_H_
