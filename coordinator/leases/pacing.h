// Decides how large leases are and from which of them games are stolen, by the workers' rates.

#ifndef TRIARCH_COORDINATOR_LEASES_PACING_H_
#define TRIARCH_COORDINATOR_LEASES_PACING_H_

#include <chrono>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "coordinator/leases/lease_rules.h"
#include "coordinator/leases/lease_table.h"
#include "coordinator/leases/worker_book.h"

namespace triarch {

// The parts that are given must outlive it.
class Pacing {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Worker = WorkerBook::Worker;

  Pacing(const LeaseRules& rules, WorkerBook& workers, const LeaseTable& table)
      : rules_(rules), workers_(workers), table_(table) {}

  // Returns the number of games for the worker's next lease.
  int64_t SizeFor(const Worker& worker, int64_t tournament, const TournamentNeeds& needs, Time now);
  // Returns about how long the worker plays a lease, in seconds of one slot.
  double SlotSeconds(const Worker& worker) const;
  // Prepares to measure the worker's rate for a lease that begins now.
  WorkerBook::Pace& Begin(Worker& worker, int64_t tournament, Time now) const;
  // Among the leases that `may_take` accepts, returns the one whose games would take longest and
  // are worth playing elsewhere, or null if there is none.
  const LiveLease* LongestToSteal(absl::FunctionRef<bool(const LiveLease&)> may_take,
                                  Time now) const;

 private:
  // Returns how much longer the lease will take at its worker's rate, or nothing if unknown.
  std::optional<double> SecondsLeft(const LiveLease& lease) const;
  bool IsWorthStealing(const LiveLease& lease, Time now) const;

  const LeaseRules& rules_;
  WorkerBook& workers_;
  const LeaseTable& table_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_PACING_H_
