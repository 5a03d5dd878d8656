#ifndef TRIARCH_COORDINATOR_LEASES_LEDGER_H_
#define TRIARCH_COORDINATOR_LEASES_LEDGER_H_

#include <cstdint>
#include <optional>

#include "core/base/range_set.h"

namespace triarch {

// What of a tournament's games is open, leased and done. As small as it has gaps: some dozen ranges
// for 10⁹ games. Each index is in exactly one of the three.
class Ledger {
 public:
  // `done`: the recorded games; what lies at or after `games` is passed over.
  Ledger(int64_t games, const RangeSet& done);

  int64_t games() const { return games_; }
  const RangeSet& open() const { return open_; }
  const RangeSet& leased() const { return leased_; }
  const RangeSet& done() const { return done_; }
  bool is_complete() const { return done_.size() == games_; }

  // The lowest open indices, at most `games_max` and in one piece, which are leased now. Empty if
  // none is open. Requires: games_max >= 1.
  std::optional<Range> Take(int64_t games_max);
  // What of these is open becomes leased; that is returned.
  RangeSet Claim(const RangeSet& games);
  // What of these is leased becomes open.
  void Return(const RangeSet& games);
  // Leased or open games become done. False if it was done already. Requires: index in range.
  bool MarkDone(int64_t index);

 private:
  int64_t games_;
  RangeSet open_;
  RangeSet leased_;
  RangeSet done_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEDGER_H_
