#ifndef TRIARCH_CORE_RECORD_CLAIM_BOUNDS_H_
#define TRIARCH_CORE_RECORD_CLAIM_BOUNDS_H_

#include <cstddef>
#include <cstdint>

#include "core/game/seat.h"

// What a player may say of itself. The game runner lets nothing else into a record, so a record
// that has it was not made by one.
namespace triarch {

// Of a seat in one game: nodes, µs, and ms on its clock. Sums over a tournament stay numbers.
inline constexpr int64_t kFigureMax = 1'000'000'000'000'000;

constexpr bool IsFigure(int64_t number) { return number >= 0 && number <= kFigureMax; }

// Whether each is a share of the points, but for rounding; that they add up to 1 is not asked.
constexpr bool AreShares(const PerSeat<double>& eval, size_t seats) {
  constexpr double kRounding = 1e-6;
  for (size_t i = 0; i < seats; ++i) {
    const double share = eval[SeatAt(i)];
    if (!(share >= -kRounding && share <= 1 + kRounding)) return false;  // NaN neither
  }
  return true;
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_CLAIM_BOUNDS_H_
