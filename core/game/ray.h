// Builds the attack tables of sliding pieces at compile time.

#ifndef TRIARCH_CORE_GAME_RAY_H_
#define TRIARCH_CORE_GAME_RAY_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/game/cell_set.h"

namespace triarch {

// The cells of a ray, in order from its origin.
template <class Cell, size_t kLengthMax>
struct Ray {
  std::array<Cell, kLengthMax> cells{};
  std::array<CellSet<Cell>, kLengthMax + 1> firsts{};  // the set of the first n cells, by n
  size_t length = 0;

  constexpr void Add(Cell cell) {
    firsts[length + 1] = firsts[length] | CellSet<Cell>::Of(cell);
    cells[length++] = cell;
  }

  // Returns how many cells are reached if `occupied` holds pieces: the first occupied cell ends the
  // ray.
  constexpr size_t CountReached(CellSet<Cell> occupied) const {
    for (size_t i = 0; i < length; ++i) {
      if (occupied.contains(cells[i])) return i + 1;
    }
    return length;
  }
  constexpr CellSet<Cell> Reached(CellSet<Cell> occupied) const {
    return firsts[CountReached(occupied)];
  }

  // Returns the cells that can block others: all but the last.
  constexpr CellSet<Cell> hiding() const { return firsts[length == 0 ? 0 : length - 1]; }

  // Writes to `between`, for each cell of the ray, the cells strictly between it and the origin.
  template <class Row>
  constexpr void WriteBetween(Row& between) const {
    for (size_t i = 0; i < length; ++i) between[static_cast<size_t>(cells[i].index())] = firsts[i];
  }
};

// Returns the subset of `set` that follows `subset` in the order of ExtractBits; after the last,
// the empty set.
template <class Cell>
constexpr CellSet<Cell> NextSubset(CellSet<Cell> set, CellSet<Cell> subset) {
  const uint64_t low = (subset.low - set.low) & set.low;
  return {low, low != 0 ? subset.high : (subset.high - set.high) & set.high};
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_RAY_H_
