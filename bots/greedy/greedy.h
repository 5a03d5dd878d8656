#ifndef TRIARCH_BOTS_GREEDY_GREEDY_H_
#define TRIARCH_BOTS_GREEDY_GREEDY_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "bots/search/root.h"
#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// Looks one ply ahead: a move that ends the game well or throws somebody out, else the best capture
// by exchange value, else the best standing. Equal moves are drawn by lot.
template <Position P>
class Greedy {
 public:
  using Game = P;
  using Move = typename P::Move;

  void NewGame(Seat /*seat*/, uint64_t seed) { random_ = Random(seed); }

  SearchResult<Move> Search(const GameState<P>& state, const Limits& /*limits*/) {
    const P& position = state.position();
    const std::vector<RootMove<P>> moves = RootMoves(state, random_);
    const Score now = ExpectedPoints(position)[position.to_move()];
    const RootMove<P>* best = nullptr;
    Worth best_worth;
    for (const RootMove<P>& root : moves) {
      const Worth worth = WorthOf(position, now, root);
      if (best != nullptr && worth <= best_worth) continue;
      best = &root;
      best_worth = worth;
    }
    return {.move = best->move, .nodes = static_cast<int64_t>(moves.size()), .depth = 1};
  }

 private:
  // What comes first counts first.
  using Worth = std::tuple<Score, int, int, Score>;

  static Worth WorthOf(const P& position, Score now, const RootMove<P>& root) {
    const Seat me = position.to_move();
    // An end of the game is taken if it gives more than this seat can expect as it stands.
    const Score end = root.settled ? (*root.settled)[me] : now;
    const Score standing = root.settled ? end : ExpectedPoints(root.child)[me];
    return {end, ThrownOut(position, root.child), root.gain, standing};
  }

  // How many others the move throws out; less than none if it is its maker.
  static int ThrownOut(const P& position, const P& child) {
    if (!child.is_in(position.to_move())) return -1;
    int count = 0;
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (position.is_in(seat) && !child.is_in(seat)) ++count;
    }
    return count;
  }

  Random random_{0};
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_GREEDY_GREEDY_H_
