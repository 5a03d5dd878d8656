// Runs the clocks of one game.

#ifndef TRIARCH_CORE_PLAY_TIME_CONTROL_H_
#define TRIARCH_CORE_PLAY_TIME_CONTROL_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/game/seat.h"
#include "core/record/game_spec.h"

namespace triarch {

// The clocks of one game. Each seat has its own time control. Callers pass the time as arguments.
class GameClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  explicit GameClock(const PerSeat<TimeControl>& controls);

  // Returns whether any seat has a time limit.
  bool is_timed() const;
  bool is_timed(Seat seat) const { return !seats_[seat].control.is_deterministic(); }
  // Returns whether the seat has a clock, the time that is left on it, and how many moves the seat
  // has to make before its clock gets more time (0 if it never does).
  bool has_clock(Seat seat) const { return seats_[seat].control.clock.has_value(); }
  Duration left(Seat seat) const { return seats_[seat].left; }
  int64_t moves_to_go(Seat seat) const { return seats_[seat].moves_to_go; }

  // Returns when a player whose turn begins at `now` should answer: after its move time, or after a
  // share of its remaining clock if that is earlier. A player without time management therefore
  // never runs out of time.
  std::optional<TimePoint> Deadline(Seat seat, TimePoint now) const {
    if (!is_timed(seat)) return std::nullopt;
    return now + Budget(seat);
  }

  // Returns whether a move that took `used` exceeds the seat's time by more than the margin.
  bool IsOverstepped(Seat seat, Duration used) const {
    if (!is_timed(seat)) return false;
    return used > *Allowed(seat) + margin(seat);
  }

  // Returns the total time that the seat has for a move; empty without a time limit. A move is
  // overstepped if it takes longer than this plus the margin.
  std::optional<Duration> Allowed(Seat seat) const;
  Duration margin(Seat seat) const {
    return std::chrono::milliseconds(seats_[seat].control.margin_ms);
  }

  // Charges `used` to the seat's clock for one move. Requires: the move was not overstepped.
  void Charge(Seat seat, Duration used);

  // Returns the time for the record, after Charge: the time left on the seat's clock or, without a
  // clock, the time that the move took. Empty without a time limit.
  std::optional<int64_t> shown_ms(Seat seat) const {
    if (!is_timed(seat)) return std::nullopt;
    const Duration shown = has_clock(seat) ? seats_[seat].left : seats_[seat].last_used;
    return std::chrono::duration_cast<std::chrono::milliseconds>(shown).count();
  }

 private:
  struct Entry {
    TimeControl control;
    Duration left{};
    Duration last_used{};
    int64_t moves_to_go = 0;
  };

  Duration Budget(Seat seat) const;

  PerSeat<Entry> seats_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_PLAY_TIME_CONTROL_H_
