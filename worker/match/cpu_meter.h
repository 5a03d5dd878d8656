// Measures the processor time of each seat's moves.

#ifndef TRIARCH_WORKER_MATCH_CPU_METER_H_
#define TRIARCH_WORKER_MATCH_CPU_METER_H_

#include <chrono>
#include <optional>

#include "core/game/seat.h"

namespace triarch {

// Processor time of the calling thread.
std::chrono::nanoseconds ThreadCpuTime();

// Works out what the moves of each seat take of the processor in one game. To read it at both ends
// of a turn takes 0.7 µs, more than a turn of the fastest bots. Where one thread plays the whole
// game, it is therefore read in a seat's first turn, and in those after a turn that was not short;
// of all the others together it is known how much of their time the thread has run.
class CpuMeter {
 public:
  using Duration = std::chrono::nanoseconds;

  // `is_one_thread`: this one makes it, plays the game and ends it. `reads_all`: every turn is
  // read.
  CpuMeter(bool is_one_thread, bool reads_all);

  // Whether the turn that the seat begins is to be read.
  bool wants(Seat seat) const { return reads_all_ || !entries_[seat].is_short; }

  // The seat's turn ends after so long by the clock on the wall; `cpu` if it was read. `is_move`:
  // with a move, which alone counts.
  void EndTurn(Seat seat, Duration wall, std::optional<Duration> cpu, bool is_move);

  // The game ends: `wall` is how long it took.
  void EndGame(Duration wall);

  // Of all moves of the seat, which took `wall`; empty if that is not known. Requires: EndGame.
  std::optional<Duration> total(Seat seat, Duration wall) const;

 private:
  static constexpr Duration kShort = std::chrono::microseconds(100);

  struct Entry {
    bool is_short = false;  // its last turn
    bool is_partly_read = false;
    Duration read_wall{};  // of the moves that were read
    Duration read_cpu{};
  };

  const bool is_one_thread_;
  const bool reads_all_;
  const Duration began_;  // processor time then, of the one thread
  Duration read_wall_{};  // of all turns that were read
  Duration read_cpu_{};
  double share_ = 1;  // of the rest of the game: how much of it the thread has run
  PerSeat<Entry> entries_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_CPU_METER_H_
