// Measures the time of each seat's moves.

#ifndef TRIARCH_WORKER_MATCH_TURN_TIMER_H_
#define TRIARCH_WORKER_MATCH_TURN_TIMER_H_

#include <chrono>

#include "core/game/seat.h"

namespace triarch {

// Measures what the moves of each seat take in one game. To read a clock costs about as much as a
// move of the fastest bots: where time is only a figure for the standings, and not a limit, a seat
// that has been so fast for many turns in a row is measured now and then, and that turn stands for
// those that follow. (In a row, since a bot that thinks may also have a quick turn, of one legal
// move.)
class TurnTimer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  // `now` is the clock. `is_exact`: every turn is measured.
  TurnTimer(TimePoint (*now)(), bool is_exact) : now_(now), is_exact_(is_exact) {}

  // A turn of the seat begins.
  void Begin(Seat seat) {
    if (seats_[seat].turns_to_pass == 0) began_ = now_();
  }
  // When it began; of a turn that is not measured, when the last one did that was.
  TimePoint began() const { return began_; }

  // How long the turn has taken by now; zero if it is not measured.
  Duration Elapsed(Seat seat) const {
    return seats_[seat].turns_to_pass == 0 ? now_() - began_ : Duration::zero();
  }

  // The turn ends with a move that took `used`, as Elapsed said.
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

  // Of all moves that the seat has made.
  Duration total(Seat seat) const { return seats_[seat].total; }

 private:
  static constexpr Duration kFast = std::chrono::microseconds(2);
  static constexpr int kFastTurns = 32;
  static constexpr int kTurnsPassed = 15;

  struct Entry {
    int fast_in_a_row = 0;
    int turns_to_pass = 0;  // without being measured
    Duration of_passed{};   // what each of them is taken to last
    Duration total{};
  };

  TimePoint (*const now_)();
  const bool is_exact_;
  TimePoint began_{};
  PerSeat<Entry> seats_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_TURN_TIMER_H_
