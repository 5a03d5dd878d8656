// Decides how long a lease may go without a reported game before it counts as stalled.

#ifndef TRIARCH_COORDINATOR_LEASES_PATIENCE_H_
#define TRIARCH_COORDINATOR_LEASES_PATIENCE_H_

#include <algorithm>
#include <chrono>

#include "coordinator/leases/lease_rules.h"

namespace triarch {

// The patience with the leases of one tournament. It begins with LeaseRules::patience and grows up
// to LeaseRules::patience_max.
class Patience {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit Patience(const LeaseRules& rules)
      : with_games_(rules.patience), with_audits_(rules.patience), max_(rules.patience_max) {}

  // `time` is that since the lease's last progress.
  bool IsOver(Duration time, bool is_audit) const {
    return time > (is_audit ? std::max(with_games_, with_audits_) : with_games_);
  }

  // A lease made progress after this long; others may take kSlack times that.
  void NoteProgress(Duration time) {
    with_games_ = std::max(with_games_, std::min(kSlack * time, max_));
  }

  // An audit ended without a game. Only slow workers may be left to play it, so the next ones get
  // twice the time.
  void NoteStalledAudit() {
    with_audits_ = std::min(2 * std::max(with_games_, with_audits_), max_);
  }

 private:
  static constexpr int kSlack = 4;

  Duration with_games_;
  Duration with_audits_;
  Duration max_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_PATIENCE_H_
