// Defines the values of positions and captures that a game offers to searchers.

#ifndef TRIARCH_CORE_GAME_EVALUATE_H_
#define TRIARCH_CORE_GAME_EVALUATE_H_

#include <concepts>
#include <optional>

#include "core/game/piece.h"
#include "core/game/position.h"

namespace triarch {

// Each game declares these functions in its evaluate.h.
template <class P>
concept HasEvaluation = Position<P> && requires(const P p, const typename P::Move move) {
  // Returns the value of the position for each seat in hundredths of a pawn.
  { Evaluate(p) } -> std::same_as<PerSeat<int>>;
  // Returns the expected gain of a capture or promotion in hundredths of a pawn; 0 for a quiet
  // move.
  { CaptureGain(p, move) } -> std::same_as<int>;
  // Returns the owner of the piece that the move captures, if any.
  { VictimOf(p, move) } -> std::same_as<std::optional<Seat>>;
};

// Returns whether a move on a board of one layer neither captures nor promotes.
template <Position P>
bool IsQuiet(const P& position, typename P::Move move) {
  return move.promotion() == PieceType::kPawn && move.kind() != decltype(move.kind())::kEnPassant &&
         !position.occupied().contains(move.to());
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_EVALUATE_H_
