// Measures the CPU time of each seat's moves.

#ifndef TRIARCH_WORKER_MATCH_CPU_METER_H_
#define TRIARCH_WORKER_MATCH_CPU_METER_H_

#include <chrono>
#include <optional>

#include "core/game/seat.h"

namespace triarch {

// Returns the CPU time of the calling thread.
std::chrono::nanoseconds ThreadCpuTime();

// Measures the CPU time of each seat's moves in one game. Reading it at both ends of a turn takes
// 0.7 µs, more than a turn of the fastest bots. If one thread plays the whole game, it is therefore
// read only in a seat's first turn and after any turn that was not short. The remaining turns are
// estimated from the share of their total time during which the thread ran.
class CpuMeter {
 public:
  using Duration = std::chrono::nanoseconds;

  // `is_one_thread` means that the calling thread makes the meter, plays the game and ends it;
  // `reads_all`, that every turn is read.
  CpuMeter(bool is_one_thread, bool reads_all);

  // Returns whether the seat's next turn should be read.
  bool wants(Seat seat) const { return reads_all_ || !entries_[seat].is_short; }

  // Ends the seat's turn, which took `wall` of wall-clock time, and `cpu` if it was read. `is_move`
  // says whether the turn had a move; only such turns count.
  void EndTurn(Seat seat, Duration wall, std::optional<Duration> cpu, bool is_move);

  // Ends the game, which took `wall`.
  void EndGame(Duration wall);

  // Returns the CPU time of all moves of the seat, which took `wall`, or nothing if it is unknown.
  // Requires: EndGame was called.
  std::optional<Duration> total(Seat seat, Duration wall) const;

 private:
  static constexpr Duration kShort = std::chrono::microseconds(100);

  struct Entry {
    bool is_short = false;  // whether the last turn was short
    bool is_partly_read = false;
    Duration read_wall{};  // wall-clock time of the moves read
    Duration read_cpu{};
  };

  const bool is_one_thread_;
  const bool reads_all_;
  const Duration began_;  // CPU time of the thread at the start
  Duration read_wall_{};  // wall-clock time of all turns read
  Duration read_cpu_{};
  double share_ = 1;  // share of the remaining time during which the thread ran
  PerSeat<Entry> entries_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_CPU_METER_H_
