// Defines the legal moves as sets of target cells.

#ifndef TRIARCH_CORE_GAME_MOVE_SETS_H_
#define TRIARCH_CORE_GAME_MOVE_SETS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "core/base/check.h"
#include "core/game/cell_set.h"
#include "core/game/move_sinks.h"
#include "core/game/piece.h"

namespace triarch {

// The same moves as a MoveList, in the same order, for callers that need only some of them: one set
// of targets for each piece, from which a move is made when it is asked for. `Set` is the game's
// set of cells, as in move_sinks.h. A generator writes to it as to the other receivers. As with a
// MoveList, constructing one costs nothing, and a copy costs as much as it has sets.
template <class Move, class Set>
class MoveSets {
 public:
  static constexpr bool kCapturesOnly = false;

  MoveSets() {}  // leaves the arrays uninitialised
  MoveSets(const MoveSets& other) { *this = other; }
  MoveSets& operator=(const MoveSets& other) {
    if (this == &other) return *this;
    groups_ = other.groups_;
    moves_ = other.moves_;
    std::uninitialized_copy_n(other.ends_.begin(), groups_, ends_.begin());
    std::uninitialized_copy_n(other.first_.begin(), groups_, first_.begin());
    std::uninitialized_copy_n(other.targets_.begin(), groups_, targets_.begin());
    return *this;
  }

  void clear() { groups_ = moves_ = 0; }
  size_t size() const { return moves_; }
  bool empty() const { return moves_ == 0; }
  // Requires: n < size().
  Move operator[](size_t n) const {
    DCHECK(n < moves_);
    size_t group = 0;
    while (ends_[group] <= n) ++group;
    n -= group == 0 ? 0 : ends_[group - 1];
    const Move move = first_[group];
    const Set targets = targets_[group];
    if (SizeOf(targets) == 0) return move;
    if (move.promotion() == PieceType::kPawn) return Move(move.from(), Nth(targets, n));
    return Move(move.from(), Nth(targets, n / kPromotions.size()), move.kind(),
                kPromotions[n % kPromotions.size()]);
  }

  // Calls f(move, targets) for each set in order: a single move if `targets` is empty, and
  // otherwise the moves from move.from() to each target, in all promotions if move.promotion() is
  // not a pawn.
  template <class F>
  void ForEachSet(F f) const {
    for (size_t group = 0; group < groups_; ++group) f(first_[group], targets_[group]);
  }

  // Calls f(move) for each move in order.
  template <class F>
  void ForEach(F f) const {
    for (size_t group = 0; group < groups_; ++group) {
      const Move move = first_[group];
      const Set targets = targets_[group];
      if (SizeOf(targets) == 0) {
        f(move);
      } else if (move.promotion() == PieceType::kPawn) {
        triarch::ForEach<Cell>(targets, [&](Cell to) { f(Move(move.from(), to)); });
      } else {
        triarch::ForEach<Cell>(targets, [&](Cell to) {
          for (const PieceType type : kPromotions) f(Move(move.from(), to, move.kind(), type));
        });
      }
    }
  }

  // Returns the index of the move, or size() if it is not one of them.
  size_t Find(Move move) const {
    size_t found = moves_;
    size_t n = 0;
    ForEach([&](Move other) {
      if (other == move) found = n;
      ++n;
    });
    return found;
  }

  template <class Cell>
  bool Targets(Cell from, Set to) {
    return Add(Move(from, from), to, SizeOf(to));
  }
  template <class Cell, class Kind>
  bool Promotions(Cell from, Set to, Kind kind) {
    return Add(Move(from, from, kind, kPromotions.front()), to, kPromotions.size() * SizeOf(to));
  }
  bool One(Move move) { return Add(move, Set{}, 1); }

 private:
  using Cell = std::remove_cvref_t<decltype(Move().from())>;

  // At most three per piece on 96 cells (a pawn's steps, promotions and double step) and a few for
  // castling and en passant; in Tri-D chess, three per piece on 64 cells and 192 for boards.
  static constexpr size_t kGroupsMax = 512;

  // A set without targets takes the place of the next one.
  bool Add(Move first, Set targets, size_t count) {
    DCHECK(groups_ < kGroupsMax);
    first_[groups_] = first;
    targets_[groups_] = targets;
    moves_ += count;
    ends_[groups_] = static_cast<uint16_t>(moves_);
    groups_ += count == 0 ? 0 : 1;
    return false;
  }

  static Cell Nth(uint64_t set, size_t n) {
    return Cell::At(std::countr_zero(DepositBits(uint64_t{1} << n, set)));
  }
  static Cell Nth(CellSet<Cell> set, size_t n) {
    const auto low = static_cast<size_t>(std::popcount(set.low));
    if (n < low) return Nth(set.low, n);
    return Cell::At(64 + std::countr_zero(DepositBits(uint64_t{1} << (n - low), set.high)));
  }

  size_t groups_ = 0;
  size_t moves_ = 0;
  std::array<uint16_t, kGroupsMax> ends_;  // the number of moves up to each set's end
  union {
    std::array<Move, kGroupsMax> first_;  // the only move of an empty set
  };
  union {
    std::array<Set, kGroupsMax> targets_;
  };
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_MOVE_SETS_H_
