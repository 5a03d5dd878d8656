// Orders moves for a search, best first.

#ifndef TRIARCH_BOTS_SEARCH_MOVE_ORDER_H_
#define TRIARCH_BOTS_SEARCH_MOVE_ORDER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "bots/search/limits.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/position.h"

namespace triarch {

// A move with its rank; higher ranks are tried first.
template <class Move>
struct RankedMove {
  Move move;
  int rank = 0;
};

// Yields moves best first. Takes 16 KB, of which it touches only what it holds. A cutoff usually
// comes early, so sorting all of them would be a waste.
template <class Move>
class RankedMoves {
 public:
  void Add(Move move, int rank) { moves_.push_back({move, rank}); }
  size_t size() const { return moves_.size(); }

  // Returns the best remaining move, or the earliest of tied moves.
  std::optional<RankedMove<Move>> Next() {
    if (next_ == moves_.size()) return std::nullopt;
    // A search for the highest rank, and then for its move, needs no unpredictable branch.
    int highest = moves_[next_].rank;
    for (size_t i = next_ + 1; i < moves_.size(); ++i) highest = std::max(highest, moves_[i].rank);
    size_t best = next_;
    while (moves_[best].rank != highest) ++best;
    std::swap(moves_[next_], moves_[best]);
    return moves_[next_++];
  }

 private:
  MoveList<RankedMove<Move>> moves_;
  size_t next_ = 0;
};

// Records which quiet moves were good elsewhere in the tree, by seat and distance from the root.
template <HasEvaluation P>
class MoveMemory {
 public:
  using Move = typename P::Move;
  static_assert(std::has_unique_object_representations_v<Move> && sizeof(Move) <= 8);

  void Clear() { *this = MoveMemory(); }

  // Notes that `move` caused a cutoff.
  void NoteCut(Seat seat, int ply, int depth, Move move) {
    auto& killers = killers_[static_cast<size_t>(ply)];
    if (killers[0] != move) {
      killers[1] = killers[0];
      killers[0] = move;
    }
    int32_t& worth = history_[seat][Slot(move)];
    worth += depth * depth;
    if (worth > kHistoryMax) Age();
  }

  // Ranks `first`, then captures and promotions by gain, then remembered moves, then losing
  // captures.
  RankedMoves<Move> Rank(const P& position, int ply, const std::optional<Move>& first) const {
    RankedMoves<Move> ranked;
    const Seat seat = position.to_move();
    const auto& killers = killers_[static_cast<size_t>(ply)];
    for (const Move move : position.LegalMoves()) {
      ranked.Add(move, first == move ? std::numeric_limits<int>::max()
                                     : RankOf(position, seat, killers, move));
    }
    return ranked;
  }

  // A move of at least this rank is a capture, a promotion or a remembered move.
  static constexpr int kKillerRank = 1 << 22;

 private:
  static constexpr int32_t kHistoryMax = 1 << 20;
  static constexpr int kGainRank = 1 << 24;
  static constexpr size_t kSlots = 4096;

  static size_t Slot(Move move) {
    uint64_t bits = 0;
    std::memcpy(&bits, &move, sizeof(move));
    return static_cast<size_t>(Mix64(bits) % kSlots);
  }

  int RankOf(const P& position, Seat seat, const std::array<Move, 2>& killers, Move move) const {
    const int gain = CaptureGain(position, move);
    if (gain > 0) return kGainRank + gain;
    if (gain < 0) return gain;
    if (move == killers[0]) return kKillerRank + 1;
    if (move == killers[1]) return kKillerRank;
    return history_[seat][Slot(move)];
  }

  // Makes recent results outweigh old ones.
  void Age() {
    for (auto& seat : history_) {
      for (int32_t& worth : seat) worth /= 2;
    }
  }

  std::array<std::array<Move, 2>, kDepthMax> killers_{};
  PerSeat<std::array<int32_t, kSlots>> history_{};
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_MOVE_ORDER_H_
