// Defines the searcher `greedy`, which looks one ply ahead.

#ifndef TRIARCH_BOTS_GREEDY_GREEDY_H_
#define TRIARCH_BOTS_GREEDY_GREEDY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "bots/search/root.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// Looks one ply ahead. Prefers, in this order, a move that ends the game well, one that eliminates
// another seat, the best capture by exchange value, and the best standing. Breaks ties at random.
template <HasEvaluation P>
class Greedy {
 public:
  using Game = P;
  using Move = typename P::Move;

  void NewGame(Seat /*seat*/, uint64_t seed) { random_ = Random(seed); }

  SearchResult<Move> Search(const GameState<P>& state, const Limits& /*limits*/) {
    const P& position = state.position();
    moves_ = RootMoves(state, random_);
    const Score now = ExpectedPoints(position)[position.to_move()];
    worths_.clear();
    for (const RootMove<P>& root : moves_) worths_.push_back(WorthOf(position, now, root));
    const auto best = std::max_element(worths_.begin(), worths_.end());
    const RootMove<P>& root = moves_[static_cast<size_t>(best - worths_.begin())];
    return {.move = root.move, .nodes = static_cast<int64_t>(moves_.size()), .depth = 1};
  }

  // Returns a softmax over the standings after each move. A move that is worse by a higher-ranked
  // criterion loses another kStep.
  std::vector<WeighedMove<Move>> Policy() const {
    const Worth best = *std::max_element(worths_.begin(), worths_.end());
    std::vector<RootMove<P>> moves = moves_;
    for (size_t i = 0; i < moves.size(); ++i) {
      const bool is_less =
          std::tie(std::get<0>(worths_[i]), std::get<1>(worths_[i]), std::get<2>(worths_[i])) !=
          std::tie(std::get<0>(best), std::get<1>(best), std::get<2>(best));
      moves[i].loss =
          std::max(0, std::get<3>(best) - std::get<3>(worths_[i])) + (is_less ? kStep : 0);
    }
    return PolicyOf(moves);
  }

 private:
  // The criteria, compared in this order: end of the game, eliminations, exchange value, standing.
  using Worth = std::tuple<Score, int, int, Score>;

  static Worth WorthOf(const P& position, Score now, const RootMove<P>& root) {
    const Seat me = position.to_move();
    // Ending the game counts only if it yields more points than this seat can expect now.
    const Score end = root.settled ? (*root.settled)[me] : now;
    const Score standing = root.settled ? end : ExpectedPoints(root.child)[me];
    return {end, EliminationsBy(position, root.child), root.gain, standing};
  }

  // Returns how many other seats the move eliminates, or -1 if it eliminates its own seat.
  static int EliminationsBy(const P& position, const P& child) {
    if (!child.is_in(position.to_move())) return -1;
    int count = 0;
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (position.is_in(seat) && !child.is_in(seat)) ++count;
    }
    return count;
  }

  static constexpr Score kStep = kPoint / 10;

  Random random_{0};
  std::vector<RootMove<P>> moves_;  // from the last search
  std::vector<Worth> worths_;       // the criteria, one per entry of `moves_`
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_GREEDY_GREEDY_H_
