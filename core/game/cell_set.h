// Defines sets of cells, and the bit operations on them.

#ifndef TRIARCH_CORE_GAME_CELL_SET_H_
#define TRIARCH_CORE_GAME_CELL_SET_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace triarch {

// A set of cells of a board with 96 cells. A game's Cell has `index()`, 0..95, and `At(index)`.
template <class Cell>
struct CellSet {
  uint64_t low = 0;   // cells 0..63
  uint64_t high = 0;  // cells 64..95

  static constexpr CellSet Of(Cell cell) {
    const int i = cell.index();
    return i < 64 ? CellSet{uint64_t{1} << i, 0} : CellSet{0, uint64_t{1} << (i - 64)};
  }
  constexpr bool empty() const { return (low | high) == 0; }
  constexpr int size() const { return std::popcount(low) + std::popcount(high); }
  constexpr bool contains(Cell cell) const {
    const int i = cell.index();
    return (((i < 64 ? low : high) >> (i & 63)) & 1) != 0;
  }
  constexpr bool has_one() const { return !empty() && without_first().empty(); }
  // Requires: not empty.
  constexpr Cell first() const {
    return Cell::At(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high));
  }
  constexpr CellSet without_first() const {
    return low != 0 ? CellSet{low & (low - 1), high} : CellSet{0, high & (high - 1)};
  }

  friend constexpr CellSet operator&(CellSet a, CellSet b) {
    return {a.low & b.low, a.high & b.high};
  }
  friend constexpr CellSet operator|(CellSet a, CellSet b) {
    return {a.low | b.low, a.high | b.high};
  }
  friend constexpr CellSet operator^(CellSet a, CellSet b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }
  friend constexpr CellSet operator~(CellSet a) { return {~a.low, ~a.high & 0xffffffffu}; }
  constexpr CellSet& operator&=(CellSet b) { return *this = *this & b; }
  constexpr CellSet& operator|=(CellSet b) { return *this = *this | b; }
  constexpr CellSet& operator^=(CellSet b) { return *this = *this ^ b; }
  friend constexpr bool operator==(CellSet, CellSet) = default;

  // Iterates in index order: for (Cell cell : set).
  class Iterator {
   public:
    using value_type = Cell;
    using difference_type = std::ptrdiff_t;
    constexpr explicit Iterator(uint64_t low, uint64_t high) : low_(low), high_(high) {}
    constexpr Cell operator*() const { return CellSet{low_, high_}.first(); }
    constexpr Iterator& operator++() {
      const CellSet rest = CellSet{low_, high_}.without_first();
      low_ = rest.low;
      high_ = rest.high;
      return *this;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    uint64_t low_;
    uint64_t high_;
  };
  constexpr Iterator begin() const { return Iterator(low, high); }
  constexpr Iterator end() const { return Iterator(0, 0); }
};

// Returns whether `f(cell)` is true for any cell of the set. Calls `f` in index order and stops at
// the first such cell. One loop that contains `f` once is measurably faster in hot loops than an
// iterator or a loop per word.
template <class Cell, class F>
constexpr bool AnyOf(CellSet<Cell> set, F f) {
  while ((set.low | set.high) != 0) {
    const bool is_low = set.low != 0;
    const int index = is_low ? std::countr_zero(set.low) : 64 + std::countr_zero(set.high);
    set.high = is_low ? set.high : set.high & (set.high - 1);
    set.low &= set.low - 1;
    if (f(Cell::At(index))) return true;
  }
  return false;
}

// Returns the bits of `value` that `mask` selects, packed into the low bits.
inline uint64_t ExtractBits(uint64_t value, uint64_t mask) {
#ifdef __BMI2__
  return _pext_u64(value, mask);
#else
  uint64_t result = 0;
  for (uint64_t bit = 1; mask != 0; bit <<= 1, mask &= mask - 1) {
    if ((value & mask & (~mask + 1)) != 0) result |= bit;
  }
  return result;
#endif
}

// The inverse: returns the low bits of `value`, moved to the positions of the bits of `mask`.
inline uint64_t DepositBits(uint64_t value, uint64_t mask) {
#ifdef __BMI2__
  return _pdep_u64(value, mask);
#else
  uint64_t result = 0;
  for (; mask != 0; value >>= 1, mask &= mask - 1) {
    if ((value & 1) != 0) result |= mask & (~mask + 1);
  }
  return result;
#endif
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_CELL_SET_H_
