// Converts positions and moves of Tri-D chess to self-play data.

#ifndef TRIARCH_CORE_TRI_D_SAMPLE_H_
#define TRIARCH_CORE_TRI_D_SAMPLE_H_

#include <cstdint>

#include "core/game/sample.h"
#include "core/tri_d/position.h"

// See core/game/sample.h and docs/selfplay-data.md.
namespace triarch::tri_d {

inline constexpr int kSampleCells = kCells;
// Index for moves of pieces: kind · 64² + from · 64 + to, with the kind from PromotionKind.
// Castling goes from the king's cell to the rook's, because the king's target may also be a normal
// step. The promotion of a freed pawn goes from its cell to the same cell. Index for moves of
// attack boards: kBoardMovesBegin + kind · 48 + board · 12 + pin, with the kind of the pawn that
// promotes with the move.
inline constexpr int kBoardMovesBegin = kPromotionKinds * kCells * kCells;
inline constexpr int kPolicySize = kBoardMovesBegin + kPromotionKinds * kAttackBoards * kPins;

constexpr int PolicyIndex(Move move) {
  const int kind = PromotionKind(move.promotion());
  if (move.kind() == MoveKind::kBoard) {
    return kBoardMovesBegin + (kind * kAttackBoards + move.board()) * kPins + move.pin().index();
  }
  // The rook of long castling stands next to the king's target cell: z0 is next to a0.
  const int to = move.to().index() ^ (move.kind() == MoveKind::kCastleLong ? 1 : 0);
  return (kind * kCells + move.from().index()) * kCells + to;
}

// Writes kSampleCells and kSampleState bytes. Positions of running games with equal bytes have the
// same key() and the same halfmove clock (up to 255). The converse holds with one exception:
// positions that differ only by an exchange of a player's two boards have the same key() (§7) but
// different bytes, because a move, and so its PolicyIndex, names the board. En passant counts only
// if the capture is legal.
void PackPosition(const Position& position, uint8_t* cells, uint8_t* state);

}  // namespace triarch::tri_d

template <>
struct triarch::SampleShape<triarch::tri_d::Position> {
  static constexpr int kCells = tri_d::kSampleCells;
  static constexpr int kPolicySize = tri_d::kPolicySize;
};

#endif  // TRIARCH_CORE_TRI_D_SAMPLE_H_
