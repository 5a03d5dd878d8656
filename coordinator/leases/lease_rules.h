// Defines the times and limits for granting and ending leases.

#ifndef TRIARCH_COORDINATOR_LEASES_LEASE_RULES_H_
#define TRIARCH_COORDINATOR_LEASES_LEASE_RULES_H_

#include <chrono>
#include <cstdint>

namespace triarch {

struct LeaseRules {
  std::chrono::milliseconds ttl{30'000};
  std::chrono::milliseconds heartbeat{5'000};
  // Target time to play a lease. A shard holds the games of one lease, so self-play leases are
  // longer.
  std::chrono::milliseconds target{10'000};
  std::chrono::milliseconds selfplay_target{60'000};
  std::chrono::milliseconds idle_retry{500};  // wait of a worker that got no lease
  // Games per slot in the first lease of a worker whose rate is unknown; doubled with each further
  // lease.
  int64_t games_first = 4;
  int64_t games_max = 100'000;  // in one lease
  // In the lease of a worker none of whose games has been recorded, whatever slots it claims.
  int64_t games_unproven_max = 256;
  int64_t rejections_max = 3;  // a worker with this many is quarantined
  int64_t leases_max = 4;      // held by one worker
  int64_t leases_first = 1;    // held by a worker none of whose games has been recorded
  // A lease without a reported game for this long no longer keeps its games from other workers.
  // Where games take long, the time grows up to the maximum (LeaseBook).
  std::chrono::milliseconds patience{15 * 60'000};
  std::chrono::milliseconds patience_max{4 * 3600'000};
  int64_t stalls_max = 3;  // a worker with this many stalled leases and no game is quarantined
  // A worker that refused a tournament's games gets none of them for this long.
  std::chrono::milliseconds refusal{60'000};
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEASE_RULES_H_
