// Tracks which games of one tournament are open, leased, held or recorded.

#ifndef TRIARCH_COORDINATOR_LEASES_LEDGER_H_
#define TRIARCH_COORDINATOR_LEASES_LEDGER_H_

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/range_set.h"

namespace triarch {

// Each index is in exactly one of the four sets. A held game has been reported and waits for
// audits. The ledger's size grows with the number of gaps: a few dozen ranges for 10⁹ games.
class Ledger {
 public:
  // `done` holds the recorded games. Ignores indices of `games` and above.
  Ledger(int64_t games, const RangeSet& done);

  int64_t games() const { return games_; }
  const RangeSet& open() const { return open_; }
  const RangeSet& leased() const { return leased_; }
  const RangeSet& held() const { return held_; }
  const RangeSet& done() const { return done_; }
  bool is_complete() const { return done_.size() == games_; }
  // Only open games below the horizon are leased; at first, all are.
  void set_horizon(int64_t horizon) { horizon_ = std::min(horizon, games_); }
  // Returns how many open games are below the horizon.
  int64_t available() const {
    return horizon_ == games_ ? open_.size() : open_.Within({0, horizon_}).size();
  }

  // Leases the lowest open indices, at most `games_max` and without a gap. Returns nullopt if no
  // game is available. Requires: games_max >= 1.
  std::optional<Range> Take(int64_t games_max);
  // Leases the open games among these and returns them.
  RangeSet Claim(const RangeSet& games);
  // Opens the leased games among these.
  void Return(const RangeSet& games);
  // Marks a game as done. Returns false if it was already done. Requires: the index is in range.
  bool MarkDone(int64_t index);
  // Marks an open or leased game as held. Returns false if it was held or done. Requires: the index
  // is in range.
  bool MarkHeld(int64_t index);
  // Opens the held games among these.
  void OpenHeld(const RangeSet& games);

 private:  // Moves those of `games` that are in `from`.
  static void Move(const RangeSet& games, RangeSet& from, RangeSet& to);

  int64_t games_;
  int64_t horizon_;
  RangeSet open_;
  RangeSet leased_;
  RangeSet held_;
  RangeSet done_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEDGER_H_
