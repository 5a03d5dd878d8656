// Builds the attack tables of sliding pieces at compile time.

#ifndef TRIARCH_CORE_GAME_RAY_H_
#define TRIARCH_CORE_GAME_RAY_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/game/cell_set.h"

// What the attack tables of the games' sliders are built from, at compile time.
namespace triarch {

// The cells of a ray in order.
template <class Cell, size_t kLengthMax>
struct Ray {
  std::array<Cell, kLengthMax> cells{};
  size_t length = 0;

  constexpr void Add(Cell cell) { cells[length++] = cell; }

  // What is reached where `occupied` stands: the first occupied cell ends the ray.
  constexpr CellSet<Cell> Reached(CellSet<Cell> occupied) const {
    CellSet<Cell> set;
    for (size_t i = 0; i < length; ++i) {
      set |= CellSet<Cell>::Of(cells[i]);
      if (occupied.contains(cells[i])) break;
    }
    return set;
  }

  // The cells that can hide others: all but the last.
  constexpr CellSet<Cell> hiding() const {
    CellSet<Cell> set;
    for (size_t i = 0; i + 1 < length; ++i) set |= CellSet<Cell>::Of(cells[i]);
    return set;
  }

  // Writes what lies strictly between the ray's begin and each of its cells.
  template <class Row>
  constexpr void WriteBetween(Row& between) const {
    CellSet<Cell> passed;
    for (size_t i = 0; i < length; ++i) {
      between[static_cast<size_t>(cells[i].index())] = passed;
      passed |= CellSet<Cell>::Of(cells[i]);
    }
  }
};

// The subset of `set` after `subset`, in the order of ExtractBits; the empty one after the last.
template <class Cell>
constexpr CellSet<Cell> NextSubset(CellSet<Cell> set, CellSet<Cell> subset) {
  const uint64_t low = (subset.low - set.low) & set.low;
  return {low, low != 0 ? subset.high : (subset.high - set.high) & set.high};
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_RAY_H_
