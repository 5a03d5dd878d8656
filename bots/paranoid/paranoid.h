#ifndef TRIARCH_BOTS_PARANOID_PARANOID_H_
#define TRIARCH_BOTS_PARANOID_PARANOID_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bots/search/deepening.h"
#include "bots/search/limits.h"
#include "bots/search/move_order.h"
#include "bots/search/points.h"
#include "bots/search/root.h"
#include "bots/search/transposition_table.h"
#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// Alpha-beta as if all the others played together against this seat and cared for nothing else.
// That makes two camps out of any number of seats; which camp is to move next is read from the
// position, since turns may be skipped. With two seats it is plain alpha-beta.
//
// Inside the search scores are centered (0 is half a point) and seen from the camp to move.
template <Position P>
class Paranoid {
 public:
  using Game = P;
  using Move = typename P::Move;

  void NewGame(Seat seat, uint64_t seed) {
    me_ = seat;
    random_ = Random(seed);
    table_.Clear();
    memory_.Clear();
    path_.Clear();
  }

  // Requires: the game runs, and it is this seat's turn.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    budget_.emplace(limits);
    std::vector<RootMove<P>> moves = RootMoves(state, random_);
    path_.Push(state.position().key());
    Score best_score = 0;
    const int depth = Deepen(moves.size(), limits, *budget_, [&](int d) {
      if (const auto score = SearchRoot(moves, d)) best_score = *score;
    });
    // The others' standings as they are, our own as the search sees it.
    const RootMove<P>& best = moves.front();
    return {best.move, budget_->nodes(), depth, PointsAt(best, best_score)};
  }

 private:
  static constexpr int kTableSizeLog2 = 17;
  static constexpr int kQuietPliesMax = 8;  // of captures beyond the depth
  static constexpr Score kInfinity = kPoint;

  enum class Bound : uint8_t { kExact, kLower, kUpper };

  struct Entry {
    uint64_t key = 0;
    Move move{};
    Score score = 0;
    int8_t depth = 0;
    Bound bound = Bound::kExact;
  };

  // What a node is asked: its score, if it lies between alpha and beta.
  struct Window {
    Score alpha;
    Score beta;

    // The window of a node one ply on, seen from this camp: a little wider, as Later() shrinks what
    // comes back.
    Window Next() const {
      return {alpha < 0 ? alpha + alpha / 1000 - 1 : alpha,
              beta > 0 ? beta + beta / 1000 + 1 : beta};
    }
    Window Flipped() const { return {-beta, -alpha}; }
  };

  bool IsMine(const P& position) const { return position.to_move() == me_; }
  // This seat's points as a score of the camp to move.
  Score ScoreOf(const PerSeat<Score>& points, bool is_mine) const {
    const Score score = points[me_] - kPoint / 2;
    return is_mine ? score : -score;
  }

  // Searches all moves to `depth` and brings the best to the front; its score, seen from this seat,
  // or nothing if the budget was spent before the first was done.
  std::optional<Score> SearchRoot(std::vector<RootMove<P>>& moves, int depth) {
    Window window{-kInfinity, kInfinity};
    std::optional<size_t> best;
    for (size_t i = 0; i < moves.size(); ++i) {
      const RootMove<P>& root = moves[i];
      const Score score = root.settled
                              ? Later(ScoreOf(*root.settled, true))
                              : VisitChild(root.child, true, depth, 0, window, best.has_value());
      if (budget_->is_spent()) break;
      if (!best || score > window.alpha) {
        window.alpha = score;
        best = i;
      }
    }
    if (!best) return std::nullopt;
    // The others keep their order: the second best of the last iteration stays near the front.
    std::rotate(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(*best),
                moves.begin() + static_cast<std::ptrdiff_t>(*best) + 1);
    return window.alpha;
  }

  // The score of a move, seen from the camp that made it. `is_probed`: another move set alpha, and
  // this one is first only asked whether it is better at all.
  Score VisitChild(const P& child, bool is_mine, int depth, int ply, Window window,
                   bool is_probed) {
    if (is_probed && window.beta - window.alpha > 1) {
      const Score score =
          VisitChild(child, is_mine, depth, ply, {window.alpha, window.alpha + 1}, false);
      if (score <= window.alpha || score >= window.beta || budget_->is_spent()) return score;
    }
    const Window next = window.Next();
    if (IsMine(child) == is_mine) return Later(Visit(child, depth - 1, ply + 1, next));
    return Later(-Visit(child, depth - 1, ply + 1, next.Flipped()));
  }

  Score Visit(const P& position, int depth, int ply, Window window) {
    if (!budget_->Spend()) return 0;
    const bool is_mine = IsMine(position);
    if (const std::optional<Outcome> outcome = position.outcome()) {
      return ScoreOf(FinalPoints<P>(*outcome), is_mine);
    }
    if (depth <= 0 || ply >= kDepthMax) return Quiesce(position, kQuietPliesMax, window);
    const uint64_t key = position.key();
    if (path_.Has(position, key)) return ScoreOf(DrawPoints(position), is_mine);
    const Entry* entry = table_.Find(key);
    if (entry != nullptr && entry->depth >= depth && Settles(*entry, window)) return entry->score;
    std::optional<Move> first;
    if (entry != nullptr) first = entry->move;
    path_.Push(key);
    const Score score = SearchMoves(position, key, depth, ply, window, first);
    path_.Pop();
    return score;
  }

  static bool Settles(const Entry& entry, Window window) {
    switch (entry.bound) {
      case Bound::kExact:
        return true;
      case Bound::kLower:
        return entry.score >= window.beta;
      case Bound::kUpper:
        return entry.score <= window.alpha;
    }
    return false;
  }

  Score SearchMoves(const P& position, uint64_t key, int depth, int ply, Window window,
                    const std::optional<Move>& first) {
    const bool is_mine = IsMine(position);
    const Score alpha_before = window.alpha;
    RankedMoves<Move> moves = memory_.Rank(position, ply, first);
    Score best = -kInfinity;
    Move best_move{};
    bool is_probed = false;
    while (const std::optional<Move> move = moves.Next()) {
      P child = position;
      child.Play(*move);
      const Score score = VisitChild(child, is_mine, depth, ply, window, is_probed);
      if (budget_->is_spent()) return 0;
      if (!is_probed || score > best) {
        best = score;
        best_move = *move;
      }
      is_probed = true;
      window.alpha = std::max(window.alpha, best);
      if (best >= window.beta) {
        if (position.CaptureGain(best_move) <= 0) {
          memory_.NoteCut(position.to_move(), ply, depth, best_move);
        }
        break;
      }
    }
    const Bound bound = best >= window.beta   ? Bound::kLower
                        : best > alpha_before ? Bound::kExact
                                              : Bound::kUpper;
    table_.Store({key, best_move, best, static_cast<int8_t>(depth), bound});
    return best;
  }

  // A score for a position without hanging pieces: the camp to move may be content with how it
  // stands or go on with captures that gain.
  Score Quiesce(const P& position, int plies_left, Window window) {
    const bool is_mine = IsMine(position);
    Score best = ScoreOf(ExpectedPoints(position), is_mine);
    if (best >= window.beta || plies_left == 0) return best;
    window.alpha = std::max(window.alpha, best);
    RankedMoves<Move> captures = GainingMoves(position);
    while (const std::optional<Move> move = captures.Next()) {
      P child = position;
      child.Play(*move);
      const Score score = QuiesceChild(child, is_mine, plies_left, window);
      if (budget_->is_spent()) return best;
      best = std::max(best, score);
      window.alpha = std::max(window.alpha, best);
      if (best >= window.beta) break;
    }
    return best;
  }

  Score QuiesceChild(const P& child, bool is_mine, int plies_left, Window window) {
    if (!budget_->Spend()) return 0;
    if (const std::optional<Outcome> outcome = child.outcome()) {
      return Later(ScoreOf(FinalPoints<P>(*outcome), is_mine));
    }
    const Window next = window.Next();
    if (IsMine(child) == is_mine) return Later(Quiesce(child, plies_left - 1, next));
    return Later(-Quiesce(child, plies_left - 1, next.Flipped()));
  }

  // All seats' points: the others' standings as they are after the move, this seat's so that it
  // comes to what the search found.
  PerSeat<Score> PointsAt(const RootMove<P>& best, Score score) const {
    if (best.settled) return *best.settled;
    PerSeat<Score> points = ExpectedPoints(best.child);
    const Score mine = score + kPoint / 2;
    const Score total = static_cast<Score>(P::kInfo.seats) * (kPoint / 2);
    const Score others = total - points[me_];
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      const Seat seat = SeatAt(i);
      if (seat == me_ || others == 0) continue;
      points[seat] =
          static_cast<Score>(static_cast<int64_t>(points[seat]) * (total - mine) / others);
    }
    points[me_] = mine;
    return points;
  }

  Seat me_ = Seat::kFirst;
  Random random_{0};
  TranspositionTable<Entry> table_{kTableSizeLog2};
  MoveMemory<P> memory_;
  Path<P> path_;
  std::optional<Budget> budget_;  // of the search that is running
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_PARANOID_PARANOID_H_
