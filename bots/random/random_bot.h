#ifndef TRIARCH_BOTS_RANDOM_RANDOM_BOT_H_
#define TRIARCH_BOTS_RANDOM_RANDOM_BOT_H_

#include <cstdint>

#include "bots/search/limits.h"
#include "bots/search/root.h"
#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// Any legal move, all alike: the bottom of every standings.
template <Position P>
class RandomBot {
 public:
  using Game = P;
  using Move = typename P::Move;

  void NewGame(Seat /*seat*/, uint64_t seed) { random_ = Random(seed); }

  SearchResult<Move> Search(const GameState<P>& state, const Limits& /*limits*/) {
    const MoveList<Move> moves = state.position().LegalMoves();
    return {.move = moves[random_.Below(static_cast<uint32_t>(moves.size()))]};
  }

 private:
  Random random_{0};
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_RANDOM_RANDOM_BOT_H_
