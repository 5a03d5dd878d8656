#include "core/play/time_control.h"

#include <algorithm>

namespace triarch {
namespace {

using std::chrono::milliseconds;

// A player that spends 1/kClockShare of its remaining time on every move never runs out of time,
// and a hundred moves use nearly all of the clock.
constexpr int kClockShare = 25;

std::optional<GameClock::Duration> ToDuration(const std::optional<int64_t>& ms) {
  if (!ms) return std::nullopt;
  return milliseconds(*ms);
}

}  // namespace

GameClock::GameClock(const TimeControl& control)
    : is_timed_(!control.is_deterministic()),
      move_time_(ToDuration(control.movetime_ms)),
      clock_(ToDuration(control.clock_ms)),
      increment_(milliseconds(control.increment_ms)),
      margin_(milliseconds(control.margin_ms)) {
  if (clock_) std::fill(left_.begin(), left_.end(), *clock_);
}

GameClock::Duration GameClock::Budget(Seat seat) const {
  Duration budget = Duration::max();
  if (move_time_) budget = *move_time_;
  if (clock_) {
    const Duration left = left_[seat];
    budget = std::min({budget, left, left / kClockShare + increment_});
  }
  return budget;
}

bool GameClock::IsOverstepped(Seat seat, Duration used) const {
  return (move_time_ && used > *move_time_ + margin_) || (clock_ && used > left_[seat] + margin_);
}

std::optional<GameClock::Duration> GameClock::Allowed(Seat seat) const {
  if (!is_timed_) return std::nullopt;
  Duration allowed = Duration::max();
  if (move_time_) allowed = *move_time_;
  if (clock_) allowed = std::min(allowed, left_[seat]);
  return allowed;
}

void GameClock::Charge(Seat seat, Duration used) {
  last_used_[seat] = used;
  left_[seat] = std::max(left_[seat] - used, Duration::zero()) + increment_;
}

}  // namespace triarch
