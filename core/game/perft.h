// Counts sequences of legal moves.

#ifndef TRIARCH_CORE_GAME_PERFT_H_
#define TRIARCH_CORE_GAME_PERFT_H_

#include <cstdint>

#include "core/game/position.h"

namespace triarch {

// Returns the number of sequences of `depth` legal plies. A finished game has no moves; repetition
// and draw claims are ignored. The last ply is counted without being played.
template <Position P>
uint64_t Perft(const P& position, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return position.CountLegalMoves();
  uint64_t nodes = 0;
  for (const typename P::Move move : position.LegalMoves()) {
    P next = position;
    next.Play(move);
    nodes += Perft(next, depth - 1);
  }
  return nodes;
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PERFT_H_
