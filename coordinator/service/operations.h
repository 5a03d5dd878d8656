// Does what operators ask of a coordinator about workers, precedence and old records.

#ifndef TRIARCH_COORDINATOR_SERVICE_OPERATIONS_H_
#define TRIARCH_COORDINATOR_SERVICE_OPERATIONS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/coordinator.h"

// All functions wait for the store.
namespace triarch {

// Fails with NotFound if the tournament does not exist.
absl::Status SetPrecedence(Coordinator& coordinator, int64_t tournament,
                           const Precedence& precedence);

// Evicts a worker as CoordinatorSession::Evict does. Returns the number of leases that ended.
absl::StatusOr<int64_t> Evict(Coordinator& coordinator, const std::string& worker,
                              const std::string& quarantine);
absl::Status Unquarantine(Coordinator& coordinator, const std::string& worker);

// The numbers of deleted records, and the deleted tournaments.
struct Pruned {
  int64_t leases = 0;
  int64_t workers = 0;
  int64_t ratings = 0;
  std::vector<int64_t> tournaments = {};
};
// Deletes old history, and with `with_tournaments` the tournaments that ended before, or only says
// what it would delete.
absl::StatusOr<Pruned> Prune(Coordinator& coordinator, std::chrono::seconds older_than,
                             bool with_tournaments, bool is_dry_run);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_OPERATIONS_H_
