// Plays the best rated move without a search.

#ifndef TRIARCH_BOTS_SMART_SMART_H_
#define TRIARCH_BOTS_SMART_SMART_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bots/search/limits.h"
#include "bots/search/root.h"
#include "bots/smart/explanation.h"
#include "bots/smart/rated_move.h"
#include "bots/smart/rating.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/game_state.h"

namespace triarch {

// Rates each legal move without a search (rating.h), re-examines the best few, and plays the best
// one that does not allow an immediate mate. Ties are broken at random. It ignores limits: a move
// takes a fraction of a millisecond.
template <HasAttackers P>
requires HasEvaluation<P>
class Smart {
 public:
  using Game = P;
  using Move = typename P::Move;
  static constexpr bool kTakesOnlyMove = true;

  explicit Smart(const SmartWeights& weights = {}) : weights_(weights) {}

  void NewGame(Seat /*seat*/, uint64_t seed) { random_ = Random(seed); }

  // Requires: the game is not over.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    const Rater<P> rater(state.position(), weights_);
    Rate(state, rater, limits.only_move);
    LookAgain(rater);
    AvoidMate(state.position().to_move());
    const RatedMove<P>& best = rated_.front();
    return {.move = best.root.move,
            .nodes = nodes_,
            .depth = 1,
            .points = rater.PointsAfter(best.root)};
  }

  std::vector<WeighedMove<Move>> Policy() const { return PolicyOf<P>(rated_); }

  // Explains the last search, which was for this state, in several lines.
  std::string Explain(const GameState<P>& state) const {
    return ExplainMoves(state.position(), Rater<P>(state.position(), weights_), rated_);
  }

 private:
  static constexpr size_t kLookedAtAgain = 6;
  static constexpr int kMated = 100'000;
  // Replies tried for a seat that moves between a check and its victim.
  static constexpr int kAnswersTried = 3;

  // Sorts all moves, best first. The sort is stable, so ties keep the random order of RootMoves.
  void Rate(const GameState<P>& state, const Rater<P>& rater, std::optional<size_t> only) {
    rated_.clear();
    for (const RootMove<P>& root : RootMoves(state, random_, only)) {
      const bool is_repeated = state.occurrences(root.child.key()) > 0;
      rated_.push_back({root, rater.Rate(root, is_repeated)});
    }
    nodes_ = static_cast<int64_t>(rated_.size());
    SortBest(rated_.size());
  }

  // Sorts the first `count` moves.
  void SortBest(size_t count) {
    std::stable_sort(rated_.begin(), rated_.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const RatedMove<P>& a, const RatedMove<P>& b) {
                       return a.rating.total() > b.rating.total();
                     });
  }

  void LookAgain(const Rater<P>& rater) {
    const size_t count = std::min(rated_.size(), kLookedAtAgain);
    Budget budget{Limits()};
    for (size_t i = 0; i < count; ++i) {
      if (!rated_[i].root.settled) rater.LookAgain(rated_[i].root, budget, rated_[i].rating);
    }
    nodes_ += budget.nodes();
    SortBest(count);
  }

  // Moves the best move that allows no mate to the front.
  void AvoidMate(Seat me) {
    for (size_t tries = 0; tries < rated_.size() && !rated_.front().root.settled; ++tries) {
      if (!AllowsMate(rated_.front().root.child, me)) return;
      rated_.front().rating.risk -= kMated;
      SortBest(rated_.size());
    }
  }

  // Returns whether the next seats can eliminate `me`, trying only kAnswersTried replies of a seat
  // that moves in between.
  bool AllowsMate(const P& child, Seat me) {
    if (!child.is_in(me) || child.to_move() == me) return false;
    for (const Move move : child.LegalMoves()) {
      P next = child;
      next.Play(move);
      ++nodes_;
      if (!next.is_in(me)) return true;
      if (next.outcome() || next.to_move() == me || !next.in_check(me)) continue;
      if (!IsSaved(next, me)) return true;
    }
    return false;
  }

  bool IsSaved(const P& position, Seat me) {
    int tried = 0;
    for (const Move answer : position.LegalMoves()) {
      P next = position;
      next.Play(answer);
      ++nodes_;
      if (next.is_in(me)) return true;
      if (++tried == kAnswersTried) break;
    }
    return false;
  }

  const SmartWeights weights_;
  Random random_{0};
  std::vector<RatedMove<P>> rated_;  // the last search's moves, best first
  int64_t nodes_ = 0;                // positions in the last search
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_SMART_H_
