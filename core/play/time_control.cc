#include "core/play/time_control.h"

#include <algorithm>

namespace triarch {
namespace {

using std::chrono::milliseconds;

// A player that spends 1/kClockShare of its remaining time on every move never runs out of time,
// and a hundred moves use nearly all of the clock.
constexpr int64_t kClockShare = 25;

}  // namespace

GameClock::GameClock(const PerSeat<TimeControl>& controls) {
  for (size_t i = 0; i < kSeatsMax; ++i) {
    Entry& entry = seats_[SeatAt(i)];
    entry.control = controls[SeatAt(i)];
    if (!entry.control.clock) continue;
    entry.left = milliseconds(entry.control.clock->base_ms);
    entry.moves_to_go = entry.control.clock->moves;
  }
}

bool GameClock::is_timed() const {
  return std::any_of(seats_.begin(), seats_.end(),
                     [](const Entry& entry) { return !entry.control.is_deterministic(); });
}

GameClock::Duration GameClock::Budget(Seat seat) const {
  const Entry& entry = seats_[seat];
  Duration budget = Duration::max();
  if (entry.control.movetime_ms) budget = milliseconds(*entry.control.movetime_ms);
  if (!entry.control.clock) return budget;
  // One share more than the moves to go, so that the last move does not use up the clock.
  const int64_t shares =
      entry.moves_to_go == 0 ? kClockShare : std::min(kClockShare, entry.moves_to_go + 1);
  const Duration increment = milliseconds(entry.control.clock->increment_ms);
  return std::min({budget, entry.left, entry.left / shares + increment});
}

std::optional<GameClock::Duration> GameClock::Allowed(Seat seat) const {
  if (!is_timed(seat)) return std::nullopt;
  const Entry& entry = seats_[seat];
  Duration allowed = Duration::max();
  if (entry.control.movetime_ms) allowed = milliseconds(*entry.control.movetime_ms);
  if (entry.control.clock) allowed = std::min(allowed, entry.left);
  return allowed;
}

void GameClock::Charge(Seat seat, Duration used) {
  Entry& entry = seats_[seat];
  entry.last_used = used;
  if (!entry.control.clock) return;
  const ClockSpec& clock = *entry.control.clock;
  entry.left = std::max(entry.left - used, Duration::zero()) + milliseconds(clock.increment_ms);
  if (clock.moves == 0 || --entry.moves_to_go > 0) return;
  entry.left += milliseconds(clock.base_ms);
  entry.moves_to_go = clock.moves;
}

}  // namespace triarch
