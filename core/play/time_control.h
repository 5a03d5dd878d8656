// Runs the clocks of one game.

#ifndef TRIARCH_CORE_PLAY_TIME_CONTROL_H_
#define TRIARCH_CORE_PLAY_TIME_CONTROL_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

// The clocks of one game. Time comes in as arguments.
class GameClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  explicit GameClock(const TimeControl& control);

  bool is_timed() const { return is_timed_; }
  // Whether there are clocks, and what each has left.
  bool has_clocks() const { return clock_.has_value(); }
  Duration left(Seat seat) const { return left_[seat]; }

  // Until when a player asked at `now` should have answered: all of its time for the move, and a
  // share of what its clock has left, so that a player that knows nothing of clocks never runs out.
  std::optional<TimePoint> Deadline(Seat seat, TimePoint now) const {
    if (!is_timed_) return std::nullopt;
    return now + Budget(seat);
  }

  // Whether so long for a move oversteps the seat's time by more than the margin.
  bool IsOverstepped(Seat seat, Duration used) const;

  // All the time that the seat has for a move; empty if time does not limit. IsOverstepped begins
  // the margin after that.
  std::optional<Duration> Allowed(Seat seat) const;
  Duration margin() const { return margin_; }

  // The seat took so long for a move. Requires: it did not overstep.
  void Charge(Seat seat, Duration used);

  // For the record, after Charge: what the seat's clock has left or, without a clock, what the move
  // took; empty if time does not limit.
  std::optional<int64_t> shown_ms(Seat seat) const {
    if (!is_timed_) return std::nullopt;
    const Duration shown = clock_ ? left_[seat] : last_used_[seat];
    return std::chrono::duration_cast<std::chrono::milliseconds>(shown).count();
  }

 private:
  Duration Budget(Seat seat) const;

  bool is_timed_;
  std::optional<Duration> move_time_;
  std::optional<Duration> clock_;  // at the start; whether there are clocks at all
  Duration increment_;
  Duration margin_;
  PerSeat<Duration> left_;
  PerSeat<Duration> last_used_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_PLAY_TIME_CONTROL_H_
