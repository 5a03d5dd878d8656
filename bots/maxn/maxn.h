// Searches with max^n: each seat maximises its own points.

#ifndef TRIARCH_BOTS_MAXN_MAXN_H_
#define TRIARCH_BOTS_MAXN_MAXN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bots/search/bounds.h"
#include "bots/search/deepening.h"
#include "bots/search/evaluation_cache.h"
#include "bots/search/limits.h"
#include "bots/search/move_order.h"
#include "bots/search/points.h"
#include "bots/search/quiescence.h"
#include "bots/search/root.h"
#include "bots/search/transposition_table.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// max^n (Luckhardt and Irani 1986): each seat maximises its own points, and a score holds the
// points of all seats. Points that one seat has secured are lost to the others. This prunes a
// little with three seats and becomes alpha-beta with two (bots/search/bounds.h).
template <HasEvaluation P>
class Maxn {
 public:
  using Game = P;
  using Move = typename P::Move;
  static constexpr bool kTakesOnlyMove = true;
  static constexpr bool kNeedsAllViews = true;

  // Without a network, positions get the hand-made evaluation.
  explicit Maxn(std::shared_ptr<const nnue::Network> network = nullptr)
      : evaluations_(std::move(network)) {}

  void NewGame(Seat /*seat*/, uint64_t seed) {
    random_ = Random(seed);
    table_.Clear();
    memory_.Clear();
    evaluations_.Clear();
    path_.Clear();
  }

  // Requires: the game is not over.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    budget_.emplace(limits);
    root_ = RootMoves(state, random_, limits.only_move);
    path_.Push(state.position().key());
    PerSeat<Score> best_points = evaluations_.Points(state.position());
    const Seat seat = state.position().to_move();
    const int depth = Deepen(root_.size(), limits, *budget_, [&](int d) {
      if (const auto points = SearchRoot(seat, d)) best_points = *points;
    });
    return {root_.front().move, budget_->nodes(), depth, best_points};
  }

  // Policy() and Line() return the move weights and the expected line of the last search.
  std::vector<WeighedMove<Move>> Policy() const { return PolicyOf(root_); }
  std::vector<Move> Line() const { return LineOf(root_.front(), table_); }

 private:
  static constexpr int kTableSizeLog2 = 17;
  static constexpr int kQuietPliesMax = 4;  // limit of captures beyond the depth

  // How the mover's points in an entry relate to its exact points.
  enum class Bound : uint8_t { kExact, kLower, kUpper };

  struct Entry {
    uint64_t key = 0;
    PerSeat<Score> points;
    Move move{};
    int8_t depth = 0;
    Bound bound = Bound::kExact;
  };

  // Moves the best move to the front. Returns its points, or nothing if not even the first move was
  // searched.
  std::optional<PerSeat<Score>> SearchRoot(Seat seat, int depth) {
    std::optional<PerSeat<Score>> best;
    size_t best_index = 0;
    std::vector<Score> scores;
    for (size_t i = 0; i < root_.size(); ++i) {
      const RootMove<P>& root = root_[i];
      const Bounds bounds = BoundsOfChild(root.child, seat, best ? (*best)[seat] : -1, kNoBounds);
      const PerSeat<Score> points =
          Later(root.settled ? *root.settled : Visit(root.child, depth - 1, 1, bounds));
      if (budget_->is_spent()) break;
      scores.push_back(points[seat]);
      if (best && points[seat] <= (*best)[seat]) continue;
      best = points;
      best_index = i;
    }
    if (!best) return std::nullopt;
    NoteLosses(root_, scores, (*best)[seat]);
    const auto found = root_.begin() + static_cast<std::ptrdiff_t>(best_index);
    std::rotate(root_.begin(), found, found + 1);
    return best;
  }

  // Returns the points of `position`, exact if the mover's points lie within the bounds.
  PerSeat<Score> Visit(const P& position, int depth, int ply, Bounds bounds) {
    if (!budget_->Spend()) return {};
    if (const std::optional<Outcome> outcome = position.outcome()) return FinalPoints<P>(*outcome);
    if (depth <= 0 || ply >= kDepthMax) {
      return QuietPoints(position, kQuietPliesMax, *budget_, bounds,
                         [this](const P& quiet) { return evaluations_.Points(quiet); });
    }
    const uint64_t key = position.key();
    if (path_.Has(position, key)) return DrawPoints(position);
    std::optional<Move> first;
    if (const Entry* entry = table_.Find(key)) {
      if (entry->depth >= depth && Settles(*entry, position.to_move(), bounds))
        return entry->points;
      first = entry->move;
    }
    path_.Push(key);
    const PerSeat<Score> points = SearchMoves(position, key, depth, ply, bounds, first);
    path_.Pop();
    return points;
  }

  static bool Settles(const Entry& entry, Seat mover, Bounds bounds) {
    switch (entry.bound) {
      case Bound::kExact:
        return true;
      case Bound::kLower:
        return entry.points[mover] >= bounds.enough;
      case Bound::kUpper:
        return entry.points[mover] <= bounds.floor;
    }
    return false;
  }

  PerSeat<Score> SearchMoves(const P& position, uint64_t key, int depth, int ply, Bounds bounds,
                             const std::optional<Move>& first) {
    const Seat seat = position.to_move();
    RankedMoves<Move> moves = memory_.Rank(position, ply, first);
    std::optional<PerSeat<Score>> best;
    Move best_move{};
    while (const auto move = moves.Next()) {
      P child = position;
      child.Play(move->move);
      const Bounds of_child = BoundsOfChild(child, seat, best ? (*best)[seat] : -1, bounds);
      const PerSeat<Score> points = Later(Visit(child, depth - 1, ply + 1, of_child));
      if (budget_->is_spent()) return {};
      if (best && points[seat] <= (*best)[seat]) continue;
      best = points;
      best_move = move->move;
      if (points[seat] >= bounds.enough) break;
    }
    const Bound bound = (*best)[seat] >= bounds.enough  ? Bound::kLower
                        : (*best)[seat] <= bounds.floor ? Bound::kUpper
                                                        : Bound::kExact;
    if (CaptureGain(position, best_move) <= 0) memory_.NoteCut(seat, ply, depth, best_move);
    table_.Store({key, *best, best_move, static_cast<int8_t>(depth), bound});
    return *best;
  }

  Random random_{0};
  TranspositionTable<Entry> table_{kTableSizeLog2};
  MoveMemory<P> memory_;
  EvaluationCache<P> evaluations_;
  Path<P> path_;
  std::vector<RootMove<P>> root_;  // the best move of the last search comes first
  std::optional<Budget> budget_;   // the current search's budget
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_MAXN_MAXN_H_
