#ifndef TRIARCH_BOTS_MAXN_MAXN_H_
#define TRIARCH_BOTS_MAXN_MAXN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bots/search/deepening.h"
#include "bots/search/limits.h"
#include "bots/search/move_order.h"
#include "bots/search/points.h"
#include "bots/search/quiescence.h"
#include "bots/search/root.h"
#include "bots/search/transposition_table.h"
#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// max^n (Luckhardt and Irani 1986): every seat maximises its own points, so that a score is the
// points of all of them. All points add up to a constant; a seat that has found enough for itself
// leaves so little to the one before it that the latter will not come here (shallow pruning, Korf
// 1991). With two seats left this is what alpha-beta does one ply deep.
template <Position P>
class Maxn {
 public:
  using Game = P;
  using Move = typename P::Move;

  void NewGame(Seat /*seat*/, uint64_t seed) {
    random_ = Random(seed);
    table_.Clear();
    memory_.Clear();
    path_.Clear();
  }

  // Requires: the game runs.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    budget_.emplace(limits);
    std::vector<RootMove<P>> moves = RootMoves(state, random_);
    path_.Push(state.position().key());
    PerSeat<Score> best_points = ExpectedPoints(state.position());
    const Seat seat = state.position().to_move();
    const int depth = Deepen(moves.size(), limits, *budget_, [&](int d) {
      if (const auto points = SearchRoot(moves, seat, d)) best_points = *points;
    });
    return {moves.front().move, budget_->nodes(), depth, best_points};
  }

 private:
  static constexpr int kTableSizeLog2 = 17;
  static constexpr int kQuietPliesMax = 4;  // of captures beyond the depth
  // A ply rounds each seat's points (see Later), so their sum is exact only to a few millionths.
  static constexpr Score kRounding = 8;

  struct Entry {
    uint64_t key = 0;
    PerSeat<Score> points;
    Move move{};
    int8_t depth = 0;
    bool is_exact = false;  // else pruned: good for the move only
  };

  // Brings the best move to the front; its points, or nothing if not even the first was done.
  std::optional<PerSeat<Score>> SearchRoot(std::vector<RootMove<P>>& moves, Seat seat, int depth) {
    std::optional<PerSeat<Score>> best;
    size_t best_index = 0;
    for (size_t i = 0; i < moves.size(); ++i) {
      const RootMove<P>& root = moves[i];
      const Score enough = best ? EnoughAfter(root.child, seat, (*best)[seat]) : kNever;
      const PerSeat<Score> points =
          Later(root.settled ? *root.settled : Visit(root.child, depth - 1, 1, enough));
      if (budget_->is_spent()) break;
      if (best && points[seat] <= (*best)[seat]) continue;
      best = points;
      best_index = i;
    }
    if (!best) return std::nullopt;
    const auto found = moves.begin() + static_cast<std::ptrdiff_t>(best_index);
    std::rotate(moves.begin(), found, found + 1);
    return best;
  }

  static constexpr Score kNever = 2 * kPoint;

  // How much the seat to move at `child` must find for itself so that `seat`, which has `best`
  // elsewhere, will not come here.
  static Score EnoughAfter(const P& child, Seat seat, Score best) {
    if (child.to_move() == seat) return kNever;
    Score left = static_cast<Score>(P::kInfo.seats) * (kPoint / 2);
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat other = SeatAt(i);
      if (other != seat && other != child.to_move()) left -= SurePoints(child, other);
    }
    // The child's points come back through Later(), which adds less than this.
    return left - best + kPoint / 1000 + kRounding;
  }

  // What a seat has at least, however the game goes on.
  static Score SurePoints(const P& position, Seat seat) {
    Score points = 0;
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat other = SeatAt(i);
      if (other == seat || position.is_in(other)) continue;
      points += SettledChance(position, seat, other) / static_cast<Score>(P::kInfo.seats - 1);
    }
    return points;
  }

  // The points that come of `position`. Its mover stops looking once it has found `enough`.
  PerSeat<Score> Visit(const P& position, int depth, int ply, Score enough) {
    if (!budget_->Spend()) return {};
    if (const std::optional<Outcome> outcome = position.outcome()) return FinalPoints<P>(*outcome);
    if (depth <= 0 || ply >= kDepthMax) return QuietPoints(position, kQuietPliesMax, *budget_);
    const uint64_t key = position.key();
    if (path_.Has(position, key)) return DrawPoints(position);
    std::optional<Move> first;
    if (const Entry* entry = table_.Find(key)) {
      if (entry->is_exact && entry->depth >= depth) return entry->points;
      first = entry->move;
    }
    path_.Push(key);
    const PerSeat<Score> points = SearchMoves(position, key, depth, ply, enough, first);
    path_.Pop();
    return points;
  }

  PerSeat<Score> SearchMoves(const P& position, uint64_t key, int depth, int ply, Score enough,
                             const std::optional<Move>& first) {
    const Seat seat = position.to_move();
    RankedMoves<Move> moves = memory_.Rank(position, ply, first);
    std::optional<PerSeat<Score>> best;
    Move best_move{};
    bool is_pruned = false;
    while (const std::optional<Move> move = moves.Next()) {
      P child = position;
      child.Play(*move);
      const Score child_enough = best ? EnoughAfter(child, seat, (*best)[seat]) : kNever;
      const PerSeat<Score> points = Later(Visit(child, depth - 1, ply + 1, child_enough));
      if (budget_->is_spent()) return {};
      if (best && points[seat] <= (*best)[seat]) continue;
      best = points;
      best_move = *move;
      is_pruned = points[seat] >= enough;
      if (is_pruned) break;
    }
    if (position.CaptureGain(best_move) <= 0) memory_.NoteCut(seat, ply, depth, best_move);
    table_.Store({key, *best, best_move, static_cast<int8_t>(depth), !is_pruned});
    return *best;
  }

  Random random_{0};
  TranspositionTable<Entry> table_{kTableSizeLog2};
  MoveMemory<P> memory_;
  Path<P> path_;
  std::optional<Budget> budget_;  // of the search that is running
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_MAXN_MAXN_H_
