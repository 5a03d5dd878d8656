// Counts sequences of legal moves.

#ifndef TRIARCH_CORE_GAME_PERFT_H_
#define TRIARCH_CORE_GAME_PERFT_H_

#include <cstdint>

#include "core/game/position.h"

namespace triarch {

// Counts the sequences of `depth` plies that begin with one of `moves`, the legal moves of the
// position. Requires: depth >= 2.
template <Position P>
uint64_t PerftOf(const P& position, const MoveList<typename P::Move>& moves, int depth) {
  uint64_t nodes = 0;
  MoveList<typename P::Move> replies;
  for (const typename P::Move move : moves) {
    P next = position;
    if (depth == 2) {
      nodes += next.PlayAndCount(move);
    } else {
      next.PlayAndList(move, replies);
      nodes += PerftOf(next, replies, depth - 1);
    }
  }
  return nodes;
}

// Returns the number of sequences of `depth` legal plies. A finished game has no moves; repetition
// and draw claims are ignored. The last ply is counted without being played.
template <Position P>
uint64_t Perft(const P& position, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return position.CountLegalMoves();
  return PerftOf(position, position.LegalMoves(), depth);
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PERFT_H_
