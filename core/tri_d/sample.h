// Converts positions and moves to self-play data.

#ifndef TRIARCH_CORE_TRI_D_SAMPLE_H_
#define TRIARCH_CORE_TRI_D_SAMPLE_H_

#include <cstdint>

#include "core/game/sample.h"
#include "core/tri_d/position.h"

// Positions and moves of self-play data (core/game/sample.h, docs/selfplay-data.md).
namespace triarch::tri_d {

inline constexpr int kSampleCells = kCells;
// kind · 64² + from · 64 + to, kind by PromotionKind, for what pieces do: castling goes from the
// king's cell to the rook's, as its own cell may be a step away; a freed pawn's promotion goes from
// its cell to the same. Behind these kBoardMovesBegin + kind · 48 + board · 12 + pin for the attack
// boards, the kind by the pawn that promotes with the move.
inline constexpr int kBoardMovesBegin = kPromotionKinds * kCells * kCells;
inline constexpr int kPolicySize = kBoardMovesBegin + kPromotionKinds * kAttackBoards * kPins;

constexpr int PolicyIndex(Move move) {
  const int kind = PromotionKind(move.promotion());
  if (move.kind() == MoveKind::kBoard) {
    return kBoardMovesBegin + (kind * kAttackBoards + move.board()) * kPins + move.pin().index();
  }
  // The rook of long castling stands beside the cell where the king goes, z0 beside a0.
  const int to = move.to().index() ^ (move.kind() == MoveKind::kCastleLong ? 1 : 0);
  return (kind * kCells + move.from().index()) * kCells + to;
}

// Writes kSampleCells and kSampleState bytes. Positions of running games with equal bytes have the
// same key() and the same halfmove clock (as far as 255). Others have different ones, but for
// positions that differ in nothing but which of a player's two boards is which: to the rules they
// are the same (§7), while a move, and so its PolicyIndex, names the board. En passant counts only
// where it could be played.
void PackPosition(const Position& position, uint8_t* cells, uint8_t* state);

}  // namespace triarch::tri_d

template <>
struct triarch::SampleShape<triarch::tri_d::Position> {
  static constexpr int kCells = tri_d::kSampleCells;
  static constexpr int kPolicySize = tri_d::kPolicySize;
};

#endif  // TRIARCH_CORE_TRI_D_SAMPLE_H_
