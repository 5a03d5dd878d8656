// Defines receivers of generated moves, which list or count them or check whether one exists.

#ifndef TRIARCH_CORE_GAME_MOVE_SINKS_H_
#define TRIARCH_CORE_GAME_MOVE_SINKS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "core/game/cell_set.h"
#include "core/game/move_list.h"
#include "core/game/piece.h"

// A move generator passes whole sets of target cells where it can. A sink returns true to stop the
// generator. A set is a CellSet or, for a smaller board, 64 bits. The kind of a promotion is the
// MoveKind that its Move takes in addition to the piece. For a sink with `kCapturesOnly`, a
// generator may omit moves that are neither captures nor promotions. `empty()` says that the sink
// has got no move yet. A sink that needs neither the moves nor their order also has `Add(n)`, which
// takes n moves at once.
namespace triarch {

template <class Cell>
constexpr size_t SizeOf(CellSet<Cell> set) {
  return static_cast<size_t>(set.size());
}
constexpr size_t SizeOf(uint64_t set) { return static_cast<size_t>(std::popcount(set)); }

template <class Cell, class F>
constexpr void ForEach(CellSet<Cell> set, F f) {
  AnyOf(set, [&](Cell cell) {
    f(cell);
    return false;
  });
}
template <class Cell, class F>
constexpr void ForEach(uint64_t set, F f) {
  for (; set != 0; set &= set - 1) f(Cell::At(std::countr_zero(set)));
}

template <class Move>
struct MoveLister {
  static constexpr bool kCapturesOnly = false;
  MoveList<Move>& moves;

  bool empty() const { return moves.empty(); }
  template <class Cell, class Set>
  bool Targets(Cell from, Set to) {
    moves.Append([&](Move* next) {
      if constexpr (std::is_same_v<Set, uint64_t>) {
        return WriteInFours(from, to, next);
      } else {
        ForEach<Cell>(to, [&](Cell cell) { std::construct_at(next++, from, cell); });
        return next;
      }
    });
    return false;
  }
  template <class Cell, class Set, class Kind>
  bool Promotions(Cell from, Set to, Kind kind) {
    ForEach<Cell>(to, [&](Cell cell) {
      for (const PieceType type : kPromotions) moves.emplace_back(from, cell, kind, type);
    });
    return false;
  }
  bool One(Move move) {
    moves.push_back(move);
    return false;
  }

 private:
  // Writes a move to each of the cells and up to three more, which the list ignores: a processor
  // predicts the number of fours better than the number of targets.
  template <class Cell>
  static Move* WriteInFours(Cell from, uint64_t to, Move* next) {
    constexpr uint64_t kLast = uint64_t{1} << 63;  // spares the test for an empty set
    Move* const end = next + SizeOf(to);
    while (next < end) {
      for (int i = 0; i < 4; ++i, to &= to - 1) {
        std::construct_at(next++, from, Cell::At(std::countr_zero(to | kLast)));
      }
    }
    return end;
  }
};

// Lists the captures and promotions, in the same order as MoveLister.
template <class Move, class Set>
struct CaptureLister {
  static constexpr bool kCapturesOnly = true;
  MoveList<Move>& moves;
  const Set enemies;

  template <class Cell>
  bool Targets(Cell from, Set to) {
    return MoveLister<Move>{moves}.Targets(from, to & enemies);
  }
  template <class Cell, class Kind>
  bool Promotions(Cell from, Set to, Kind kind) {
    return MoveLister<Move>{moves}.Promotions(from, to, kind);
  }
  bool One(Move move) {
    using Kind = decltype(move.kind());
    if (move.kind() == Kind::kEnPassant || move.promotion() != PieceType::kPawn) {
      moves.push_back(move);
    }
    return false;
  }
};

struct MoveCounter {
  static constexpr bool kCapturesOnly = false;
  size_t count = 0;

  bool empty() const { return count == 0; }
  bool Add(size_t n) {
    count += n;
    return false;
  }
  template <class Cell, class Set>
  bool Targets(Cell, Set to) {
    count += SizeOf(to);
    return false;
  }
  template <class Cell, class Set, class Kind>
  bool Promotions(Cell, Set to, Kind) {
    count += kPromotions.size() * SizeOf(to);
    return false;
  }
  template <class Move>
  bool One(Move) {
    ++count;
    return false;
  }
};

struct MoveFinder {
  static constexpr bool kCapturesOnly = false;
  bool found = false;

  bool empty() const { return !found; }
  bool Add(size_t n) { return found |= n != 0; }
  template <class Cell, class Set>
  bool Targets(Cell, Set to) {
    return found |= SizeOf(to) != 0;
  }
  template <class Cell, class Set, class Kind>
  bool Promotions(Cell, Set to, Kind) {
    return found |= SizeOf(to) != 0;
  }
  template <class Move>
  bool One(Move) {
    return found = true;
  }
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_MOVE_SINKS_H_
