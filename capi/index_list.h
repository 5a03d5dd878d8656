// Lists the policy indices of legal moves in ascending order.

#ifndef TRIARCH_CAPI_INDEX_LIST_H_
#define TRIARCH_CAPI_INDEX_LIST_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/game/cell_set.h"
#include "core/game/move_sinks.h"
#include "core/planes.h"
#include "core/sample.h"

namespace triarch::capi {

template <class Set, class Cell>
constexpr Set SetOf(Cell cell) {
  if constexpr (std::is_same_v<Set, uint64_t>) {
    return uint64_t{1} << cell.index();
  } else {
    return Set::Of(cell);
  }
}

// Collects the moves of a position by the cell where they start. This costs less than sorting the
// indices.
template <class P>
class IndexList {
 public:
  using Cell = decltype(typename P::Move().from());
  using Set = decltype(std::declval<P>().occupied());

  // The room that Write needs: it writes a few indices more than there are.
  static constexpr size_t kRoom = kLegalMovesMax + 8;

  // Writes the indices in the viewer's view to `indices` and returns the end.
  uint16_t* Write(const typename P::MoveSets& moves, Seat viewer, uint16_t* indices) {
    from_ = Set{};
    pawns_ = 0;
    others_ = 0;
    board_moves_ = {};
    moves.ForEachSet([&](typename P::Move move, Set targets) {
      if (SizeOf(targets) == 0) {
        AddOne(IndexInView(kGame<P>, PolicyIndex(move), viewer));
        return;
      }
      const int from = CellInView(kGame<P>, move.from().index(), viewer);
      const Set to = InView(kGame<P>, targets, viewer);
      Add(from, to);
      if (move.promotion() != PieceType::kPawn) promoting_[pawns_++] = {from, to};
    });
    ForEach<Cell>(from_, [&](Cell from) {
      indices =
          WriteTargets(from.index() * kCells, targets_[static_cast<size_t>(from.index())], indices);
    });
    indices = WritePromotions(indices);
    for (size_t i = 0; i < kBoardWords; ++i) {
      indices = WriteWord(kBoardMoves + static_cast<int>(64 * i), board_moves_[i], indices);
    }
    return indices;
  }

 private:
  static constexpr int kCells = SampleShape<P>::kCells;
  // The indices of moves of boards come after those of pieces.
  static constexpr int kBoardMoves = kPromotionKinds * kCells * kCells;
  static constexpr size_t kBoardWords = (SampleShape<P>::kPolicySize - kBoardMoves + 63) / 64;

  struct Pawn {
    int from;
    Set to;
  };

  void Add(int from, Set to) {
    const Set bit = SetOf<Set>(Cell::At(from));
    Set& targets = targets_[static_cast<size_t>(from)];
    targets = SizeOf(from_ & bit) == 0 ? to : targets | to;
    from_ = from_ | bit;
  }
  void AddOne(int index) {
    if (index < kCells * kCells) {
      Add(index / kCells, SetOf<Set>(Cell::At(index % kCells)));
    } else if (index < kBoardMoves) {
      rest_[others_++] = static_cast<uint16_t>(index);
    } else {
      const auto number = static_cast<size_t>(index - kBoardMoves);
      board_moves_[number / 64] |= uint64_t{1} << (number % 64);
    }
  }

  // Writes up to three indices more: a processor predicts the number of fours better than the
  // number of targets.
  static uint16_t* WriteWord(int base, uint64_t targets, uint16_t* indices) {
    constexpr uint64_t kLast = uint64_t{1} << 63;  // spares the test for an empty set
    uint16_t* const end = indices + std::popcount(targets);
    while (indices < end) {
      for (int i = 0; i < 4; ++i, targets &= targets - 1) {
        *indices++ = static_cast<uint16_t>(base + std::countr_zero(targets | kLast));
      }
    }
    return end;
  }
  static uint16_t* WriteTargets(int base, uint64_t targets, uint16_t* indices) {
    return WriteWord(base, targets, indices);
  }
  static uint16_t* WriteTargets(int base, triarch::CellSet<Cell> targets, uint16_t* indices) {
    return WriteWord(base + 64, targets.high, WriteWord(base, targets.low, indices));
  }

  // Writes promotions to other pieces than queens.
  uint16_t* WritePromotions(uint16_t* indices) {
    if (pawns_ == 0 && others_ == 0) return indices;
    uint16_t* const begin = indices;
    for (int kind = 1; kind < kPromotionKinds && pawns_ > 0; ++kind) {
      for (size_t i = 0; i < pawns_; ++i) {
        indices =
            WriteTargets((kind * kCells + promoting_[i].from) * kCells, promoting_[i].to, indices);
      }
    }
    indices = std::copy_n(rest_.begin(), others_, indices);
    std::sort(begin, indices);
    return indices;
  }

  Set from_{};
  std::array<Set, kCells> targets_;  // of the cells in from_
  size_t pawns_ = 0;
  std::array<Pawn, 2 * kCells> promoting_;  // a pawn's steps and its captures
  size_t others_ = 0;
  std::array<uint16_t, kLegalMovesMax> rest_;
  std::array<uint64_t, kBoardWords> board_moves_{};
};

// Returns the legal move with a policy index, which is not one of a view.
template <class P>
std::optional<typename P::Move> MoveAtIndex(const typename P::MoveSets& moves, int index) {
  using Move = typename P::Move;
  using Cell = decltype(Move().from());
  constexpr int kCells = SampleShape<P>::kCells;
  const int to = index % kCells;
  const int from = index / kCells % kCells;
  const int kind = index / (kCells * kCells);
  std::optional<Move> found;
  moves.ForEachSet([&](Move move, auto targets) {
    if (SizeOf(targets) == 0) {
      if (PolicyIndex(move) == index) found = move;
      return;
    }
    if (kind >= kPromotionKinds || move.from().index() != from) return;
    if (SizeOf(targets & SetOf<decltype(targets)>(Cell::At(to))) == 0) return;
    if (move.promotion() != PieceType::kPawn) {
      found = Move(move.from(), Cell::At(to), move.kind(), kPromotions[static_cast<size_t>(kind)]);
    } else if (kind == 0) {
      found = Move(move.from(), Cell::At(to));
    }
  });
  return found;
}

}  // namespace triarch::capi

#endif  // TRIARCH_CAPI_INDEX_LIST_H_
