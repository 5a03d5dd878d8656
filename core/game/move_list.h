// Defines a list of moves that does not allocate.

#ifndef TRIARCH_CORE_GAME_MOVE_LIST_H_
#define TRIARCH_CORE_GAME_MOVE_LIST_H_

#include <cstddef>
#include <memory>
#include <type_traits>

#include "core/base/check.h"

namespace triarch {

// An upper bound on the legal moves of any position of any game, even an artificial one. On 96
// cells, at most 24 pieces can reach a cell (along twelve lines, or as knights), and no piece
// reaches more than 41 cells, so 60 target cells and 36 pieces give about 1 500 moves.
inline constexpr size_t kLegalMovesMax = 2048;

// Legal moves in generation order, stored in the object itself. Constructing a list costs nothing;
// copying one copies only its actual moves.
template <class Move>
class MoveList {
 public:
  using value_type = Move;

  MoveList() {}
  MoveList(const MoveList& other) { *this = other; }
  MoveList& operator=(const MoveList& other) {
    if (this != &other) std::uninitialized_copy_n(other.moves_, other.size_, moves_);
    size_ = other.size_;
    return *this;
  }

  void clear() { size_ = 0; }
  void push_back(Move move) {
    DCHECK(size_ < kLegalMovesMax);
    std::construct_at(&moves_[size_++], move);
  }
  template <class... Args>
  void emplace_back(Args... args) {
    push_back(Move(args...));
  }

  // Appends the moves that `write` constructs at the place it gets; it returns the place after
  // them. One such call is cheaper than many of push_back, each of which updates the size.
  template <class F>
  void Append(F write) {
    size_ = static_cast<size_t>(write(end()) - begin());
    DCHECK(size_ <= kLegalMovesMax);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Move& operator[](size_t i) const { return moves_[i]; }
  Move& operator[](size_t i) { return moves_[i]; }
  const Move* begin() const { return moves_; }
  const Move* end() const { return moves_ + size_; }
  Move* begin() { return moves_; }
  Move* end() { return moves_ + size_; }

 private:
  static_assert(std::is_trivially_copyable_v<Move>);
  size_t size_ = 0;
  union {  // leaves the array uninitialised
    Move moves_[kLegalMovesMax];
  };
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_MOVE_LIST_H_
