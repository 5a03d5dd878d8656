// Searches with alpha-beta as if all other seats cooperated against this one.

#ifndef TRIARCH_BOTS_PARANOID_PARANOID_H_
#define TRIARCH_BOTS_PARANOID_PARANOID_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

struct ParanoidOptions {
  bool is_selective = true;  // otherwise, every move is searched to the full depth; for tests
  // Whether the points of the other seats come from a search for each of them too, not from their
  // standings. Each of these may take as long as the first one.
  bool searches_all = false;
};

// Alpha-beta search that assumes all other seats cooperate against this one and ignore their own
// interests. This makes two camps of any number of seats. The position determines which camp moves
// next, since turns may be skipped. With two seats it is plain alpha-beta.
//
// The search is selective: near the leaves it stops for a camp whose standing is far outside the
// window, and it reduces the depth of moves late in the order unless they turn out well. With three
// seats it leaves out captures that lose material, except for the move to choose. Captures beyond
// the depth are searched only if they involve this seat.
//
// Inside the search, scores are centered (0 is half a point) and seen from the camp to move.
template <HasEvaluation P>
class Paranoid {
 public:
  using Game = P;
  using Move = typename P::Move;
  static constexpr bool kTakesOnlyMove = true;
  static constexpr bool kNeedsAllViews = false;

  // Without a network, positions get the hand-made evaluation.
  explicit Paranoid(ParanoidOptions options = {},
                    std::shared_ptr<const nnue::Network> network = nullptr)
      : options_(options), evaluations_(std::move(network)) {}

  void NewGame(Seat seat, uint64_t seed) {
    self_ = me_ = seat;
    random_ = Random(seed);
    table_.Clear();
    memory_.Clear();
    evaluations_.Clear();
    path_.Clear();
  }

  // Requires: the game is not over, and it is this seat's turn.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    budget_.emplace(limits);
    root_ = RootMoves(state, random_, limits.only_move);
    path_.Push(state.position().key());
    Score best_score = 0;
    const int depth = Deepen(root_.size(), limits, *budget_, [&](int d) {
      if (const auto score = SearchRoot(d)) best_score = *score;
    });
    const RootMove<P>& best = root_.front();
    SearchResult<Move> result{best.move, budget_->nodes(), depth, PointsAt(best, best_score)};
    if (options_.searches_all && !best.settled) SearchForOthers(state.position(), limits, result);
    return result;
  }

  // Policy() and Line() return the move weights and the expected line of the last search.
  std::vector<WeighedMove<Move>> Policy() const { return PolicyOf(root_); }
  std::vector<Move> Line() const { return LineOf(root_.front(), table_); }

 private:
  static constexpr int kTableSizeLog2 = 17;
  static constexpr int kQuietPliesMax = 8;  // limit of captures beyond the depth
  static constexpr Score kInfinity = kPoint;

  // Selectivity. A window this narrow only tests whether a move is better than another.
  static constexpr Score kNarrow = kPoint / 100;
  // Up to these depths, a camp far above the window stops, and a camp far below it searches only
  // captures.
  static constexpr int kContentDepthMax = 3;
  static constexpr int kHopelessDepthMax = 2;
  static constexpr int kLeadPerPly = 150;  // possible gain per ply, in hundredths of a pawn
  static constexpr int kReducedDepthMin = 3;
  static constexpr int kReducedAfter = 4;       // after this many moves, one ply less
  static constexpr int kMoreReducedAfter = 12;  // after this many moves, two plies less

  enum class Bound : uint8_t { kExact, kLower, kUpper };

  struct Entry {
    uint64_t key = 0;
    Move move{};
    Score score = 0;
    int8_t depth = 0;
    Bound bound = Bound::kExact;
  };

  // The query to a node: its score if that lies between alpha and beta.
  struct Window {
    Score alpha;
    Score beta;

    // Returns the window of a node one ply deeper, seen from this camp. It is slightly wider
    // because Later() shrinks the result.
    Window Next() const {
      return {alpha < 0 ? alpha + alpha / 1000 - 1 : alpha,
              beta > 0 ? beta + beta / 1000 + 1 : beta};
    }
    Window Flipped() const { return {-beta, -alpha}; }
  };

  bool IsMine(const P& position) const { return position.to_move() == me_; }
  // Returns this seat's points as a score of the camp to move.
  static Score ScoreOf(Score points, bool is_mine) {
    const Score score = points - kPoint / 2;
    return is_mine ? score : -score;
  }
  Score ScoreOf(const PerSeat<Score>& points, bool is_mine) const {
    return ScoreOf(points[me_], is_mine);
  }

  // Replaces the points of the other seats by those of a search for each of them, moved by the same
  // amount so that all points still add up. With one other seat, they do so already.
  void SearchForOthers(const P& position, const Limits& limits, SearchResult<Move>& result) {
    const std::vector<RootMove<P>> root = root_;
    PerSeat<Score>& points = *result.points;
    Score missing = static_cast<Score>(P::kInfo.seats) * (kPoint / 2) - points[self_];
    std::vector<Seat> others;
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      if (SeatAt(i) == self_) continue;
      if (!position.is_in(SeatAt(i))) return;
      others.push_back(SeatAt(i));
    }
    if (others.size() == 1) return;
    for (const Seat seat : others) {
      me_ = seat;
      budget_.emplace(limits);
      points[seat] = evaluations_.PointsOf(position, seat);
      Deepen(root_.size(), limits, *budget_, [&](int d) {
        if (const auto score = SearchRoot(d)) points[seat] = kPoint / 2 - *score;
      });
      result.nodes += budget_->nodes();
      missing -= points[seat];
      root_ = root;
    }
    me_ = self_;
    for (const Seat seat : others) {
      points[seat] = std::max(0, points[seat] + missing / static_cast<Score>(others.size()));
    }
  }

  // Returns the table's key of a position: scores of searches for different seats are different.
  uint64_t TableKey(uint64_t key) const {
    return me_ == self_ ? key : key ^ ((Index(me_) + 1) * 0x9e37'79b9'7f4a'7c15);
  }

  // Searches all moves to `depth` and moves the best to the front. Returns its score, seen from
  // the seat to move, or nothing if the budget ran out before the first move was finished.
  std::optional<Score> SearchRoot(int depth) {
    Window window{-kInfinity, kInfinity};
    const bool is_mine = me_ == self_;  // this player's own turn
    std::optional<size_t> best;
    std::vector<Score> scores;
    for (size_t i = 0; i < root_.size(); ++i) {
      const RootMove<P>& root = root_[i];
      const Score score = root.settled
                              ? Later(ScoreOf(*root.settled, is_mine))
                              : VisitChild(root.child, is_mine, depth, 0, window, best.has_value());
      if (budget_->is_spent()) break;
      scores.push_back(score);
      if (!best || score > window.alpha) {
        window.alpha = score;
        best = i;
      }
    }
    if (!best) return std::nullopt;
    NoteLosses(root_, scores, window.alpha);
    // The others keep their order, so the second best of the last iteration stays near the front.
    const auto found = root_.begin() + static_cast<std::ptrdiff_t>(*best);
    std::rotate(root_.begin(), found, found + 1);
    return window.alpha;
  }

  // Returns the score of a move, seen from the camp that made it. If `is_probed`, another move has
  // set alpha, and a narrow window first tests whether this move is better.
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
    const Entry* entry = table_.Find(TableKey(key));
    if (entry != nullptr && entry->depth >= depth && Settles(*entry, window)) return entry->score;
    std::optional<Move> first;
    if (entry != nullptr) first = entry->move;
    if (options_.is_selective && window.beta - window.alpha < kNarrow) {
      if (const auto score = ScoreByStanding(position, depth, window)) return *score;
    }
    path_.Push(key);
    const Score score = SearchMoves(position, key, depth, ply, window, first);
    path_.Pop();
    return score;
  }

  // Returns a score outside the window if the camp to move is so far from it that no move is likely
  // to matter.
  std::optional<Score> ScoreByStanding(const P& position, int depth, Window window) {
    if (depth > std::max(kContentDepthMax, kHopelessDepthMax)) return std::nullopt;
    const PerSeat<int> leads = evaluations_.Leads(position, me_);
    if (depth <= kContentDepthMax) {
      const Score low = ScoreIf(position, leads, -kLeadPerPly * depth);
      if (low >= window.beta && !position.in_check(position.to_move())) return low;
    }
    if (depth <= kHopelessDepthMax) {
      const Score high = ScoreIf(position, leads, kLeadPerPly * depth);
      if (high <= window.alpha && !position.in_check(position.to_move())) {
        const Score score = Quiesce(position, kQuietPliesMax, window);
        if (score <= window.alpha) return score;
      }
    }
    return std::nullopt;
  }

  // Returns the score that the camp to move would have if it gained so much.
  Score ScoreIf(const P& position, PerSeat<int> leads, int gain) const {
    const bool is_mine = IsMine(position);
    for (int& lead : leads) lead += is_mine ? gain : -gain;
    return ScoreOf(PointsFromLeads(position, me_, leads), is_mine);
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
    int tried = 0;
    while (const auto move = moves.Next()) {
      // Losing captures come last. With three seats, what the captor loses to one opponent helps
      // the other, so hardly anyone makes them.
      if (options_.is_selective && P::kInfo.seats > 2 && tried > 0 && move->rank < 0) break;
      P child = position;
      child.Play(move->move);
      ++tried;
      const bool is_late = options_.is_selective && depth >= kReducedDepthMin &&
                           tried > kReducedAfter && move->rank < MoveMemory<P>::kKillerRank;
      Score score = window.alpha;
      if (is_late) {
        const int less = tried > kMoreReducedAfter ? 2 : 1;
        const Window narrow{window.alpha, window.alpha + 1};
        score = VisitChild(child, is_mine, depth - less, ply, narrow, false);
      }
      if (!is_late || score > window.alpha) {
        score = VisitChild(child, is_mine, depth, ply, window, is_probed);
      }
      if (budget_->is_spent()) return 0;
      if (!is_probed || score > best) {
        best = score;
        best_move = move->move;
      }
      is_probed = true;
      window.alpha = std::max(window.alpha, best);
      if (best >= window.beta) {
        if (CaptureGain(position, best_move) <= 0) {
          memory_.NoteCut(position.to_move(), ply, depth, best_move);
        }
        break;
      }
    }
    const Bound bound = best >= window.beta   ? Bound::kLower
                        : best > alpha_before ? Bound::kExact
                                              : Bound::kUpper;
    table_.Store({TableKey(key), best_move, best, static_cast<int8_t>(depth), bound});
    return best;
  }

  // Returns a score once no pieces hang: the camp to move may accept its standing or continue with
  // captures that gain.
  Score Quiesce(const P& position, int plies_left, Window window) {
    const bool is_mine = IsMine(position);
    Score best = ScoreOf(evaluations_.PointsOf(position, me_), is_mine);
    if (best >= window.beta || plies_left == 0) return best;
    window.alpha = std::max(window.alpha, best);
    RankedMoves<Move> captures = GainingMoves(position, [&](Move move) {
      if (is_mine || !options_.is_selective) return true;
      const std::optional<Seat> victim = VictimOf(position, move);
      return !victim || *victim == me_;
    });
    while (const auto move = captures.Next()) {
      P child = position;
      child.Play(move->move);
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

  // Returns all seats' points: this seat's from the search, the others' by their standings after
  // the move, adjusted so that all add up.
  PerSeat<Score> PointsAt(const RootMove<P>& best, Score score) {
    if (best.settled) return *best.settled;
    PerSeat<Score> points = evaluations_.Points(best.child);
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

  const ParanoidOptions options_;
  Seat self_ = Seat::kFirst;  // whose player this is
  Seat me_ = Seat::kFirst;    // for whom it searches: itself, but in SearchForOthers
  Random random_{0};
  TranspositionTable<Entry> table_{kTableSizeLog2};
  MoveMemory<P> memory_;
  EvaluationCache<P> evaluations_;
  Path<P> path_;
  std::vector<RootMove<P>> root_;  // the best move of the last search comes first
  std::optional<Budget> budget_;   // the current search's budget
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_PARANOID_PARANOID_H_
