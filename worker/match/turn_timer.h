// Measures the time of each seat's moves.

#ifndef TRIARCH_WORKER_MATCH_TURN_TIMER_H_
#define TRIARCH_WORKER_MATCH_TURN_TIMER_H_

#include <chrono>

#include "core/game/seat.h"

namespace triarch {

// Measures the time of each seat's moves in one game. Reading a clock costs about as much as a move
// of the fastest bots. If time is only a statistic and not a limit, a seat that was this fast for
// many consecutive turns is therefore sampled: one measured turn stands for those that follow. (The
// turns must be consecutive because a slow bot also has quick turns when only one move is legal.)
class TurnTimer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  // `now` is the clock. If `is_exact`, every turn is measured.
  TurnTimer(TimePoint (*now)(), bool is_exact) : now_(now), is_exact_(is_exact) {}

  // Begins a turn of the seat.
  void Begin(Seat seat) {
    if (seats_[seat].turns_to_pass == 0) began_ = now_();
  }
  // Returns when the turn began, or when the last measured turn began if this one is not measured.
  TimePoint began() const { return began_; }

  // Returns how long the turn has taken; zero if it is not measured.
  Duration Elapsed(Seat seat) const {
    return seats_[seat].turns_to_pass == 0 ? now_() - began_ : Duration::zero();
  }

  // Ends the turn with a move that took `used`, as returned by Elapsed.
  void End(Seat seat, Duration used) {
    Entry& entry = seats_[seat];
    if (entry.turns_to_pass > 0) {
      --entry.turns_to_pass;
      entry.total += entry.of_passed;
      return;
    }
    entry.total += used;
    entry.fast_in_a_row = used < kFast ? entry.fast_in_a_row + 1 : 0;
    if (is_exact_ || entry.fast_in_a_row < kFastTurns) return;
    entry.turns_to_pass = kTurnsPassed;
    entry.of_passed = used;
  }

  // Returns the total time of the seat's moves.
  Duration total(Seat seat) const { return seats_[seat].total; }

 private:
  static constexpr Duration kFast = std::chrono::microseconds(2);
  static constexpr int kFastTurns = 32;
  static constexpr int kTurnsPassed = 15;

  struct Entry {
    int fast_in_a_row = 0;
    int turns_to_pass = 0;  // turns until the next measurement
    Duration of_passed{};   // assumed duration of each of them
    Duration total{};
  };

  TimePoint (*const now_)();
  const bool is_exact_;
  TimePoint began_{};
  PerSeat<Entry> seats_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_TURN_TIMER_H_
