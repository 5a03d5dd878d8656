// Runs the clocks of one game.

#ifndef TRIARCH_CORE_PLAY_TIME_CONTROL_H_
#define TRIARCH_CORE_PLAY_TIME_CONTROL_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

// The clocks of one game. Callers pass the time as arguments.
class GameClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  explicit GameClock(const TimeControl& control);

  bool is_timed() const { return is_timed_; }
  // Return whether the game has clocks, and the time that a seat's clock has left.
  bool has_clocks() const { return clock_.has_value(); }
  Duration left(Seat seat) const { return left_[seat]; }

  // Returns when a player whose turn begins at `now` should answer: after its move time, or after a
  // share of its remaining clock if that is earlier. A player without time management therefore
  // never runs out of time.
  std::optional<TimePoint> Deadline(Seat seat, TimePoint now) const {
    if (!is_timed_) return std::nullopt;
    return now + Budget(seat);
  }

  // Returns whether a move that took `used` exceeds the seat's time by more than the margin.
  bool IsOverstepped(Seat seat, Duration used) const;

  // Returns the total time that the seat has for a move; empty without a time limit. A move is
  // overstepped if it takes longer than this plus the margin.
  std::optional<Duration> Allowed(Seat seat) const;
  Duration margin() const { return margin_; }

  // Charges `used` to the seat's clock for one move. Requires: the move was not overstepped.
  void Charge(Seat seat, Duration used);

  // Returns the time for the record, after Charge: the time left on the seat's clock or, without a
  // clock, the time that the move took. Empty without a time limit.
  std::optional<int64_t> shown_ms(Seat seat) const {
    if (!is_timed_) return std::nullopt;
    const Duration shown = clock_ ? left_[seat] : last_used_[seat];
    return std::chrono::duration_cast<std::chrono::milliseconds>(shown).count();
  }

 private:
  Duration Budget(Seat seat) const;

  bool is_timed_;
  std::optional<Duration> move_time_;
  std::optional<Duration> clock_;  // initial time; empty if the game has no clocks
  Duration increment_;
  Duration margin_;
  PerSeat<Duration> left_;
  PerSeat<Duration> last_used_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_PLAY_TIME_CONTROL_H_
