// Bounds what a player may report about itself, such as its node count and evaluations.

#ifndef TRIARCH_CORE_RECORD_CLAIM_BOUNDS_H_
#define TRIARCH_CORE_RECORD_CLAIM_BOUNDS_H_

#include <cstddef>
#include <cstdint>

#include "core/game/seat.h"

// The game runner never exceeds these bounds, so a record that does is invalid.
namespace triarch {

// Limits a seat's nodes, µs and clock ms in one game, so sums over a tournament cannot overflow.
inline constexpr int64_t kFigureMax = 1'000'000'000'000'000;

constexpr bool IsFigure(int64_t number) { return number >= 0 && number <= kFigureMax; }

// Returns whether each value is a share of the points, up to rounding. They need not add up to 1.
constexpr bool AreShares(const PerSeat<double>& eval, size_t seats) {
  constexpr double kRounding = 1e-6;
  for (size_t i = 0; i < seats; ++i) {
    const double share = eval[SeatAt(i)];
    if (!(share >= -kRounding && share <= 1 + kRounding)) return false;  // also catches NaN
  }
  return true;
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_CLAIM_BOUNDS_H_
