// Says what a check of a bot plays.

#ifndef TRIARCH_WORKER_HOST_CHECK_PLAN_H_
#define TRIARCH_WORKER_HOST_CHECK_PLAN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/record/game_spec.h"

namespace triarch {

// The games of a bot against itself. After `games` games with different limits, the first one is
// repeated, because the same seed must give the same moves, and one more is played with a clock.
struct CheckPlan {
  int64_t games = 4;
  ClockSpec clock = {.base_ms = 1'000, .increment_ms = 10};
  // Ends the check early; may be null.
  std::function<bool()> is_interrupted = nullptr;
};

inline bool IsInterrupted(const CheckPlan& plan) {
  return plan.is_interrupted && plan.is_interrupted();
}

// Returns how long a game of `plies` plies with the clock may last if no seat is ever late.
inline std::chrono::milliseconds LongestGame(const ClockSpec& clock, size_t seats, int64_t plies) {
  const auto players = static_cast<int64_t>(seats);
  const int64_t times = clock.moves == 0 ? 1 : 1 + plies / players / clock.moves;
  return std::chrono::milliseconds(players * times * clock.base_ms + plies * clock.increment_ms);
}

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_CHECK_PLAN_H_
