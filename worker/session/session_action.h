// Defines the actions that a worker session requests from its driver.

#ifndef TRIARCH_WORKER_SESSION_SESSION_ACTION_H_
#define TRIARCH_WORKER_SESSION_SESSION_ACTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/base/log.h"
#include "core/record/lease.h"
#include "worker/session/bundle_fetch.h"

// Calls name their coordinator by its index in the worker's list of addresses. Every action except
// Log and AbandonGames is answered exactly once, by the event that its comment names.
namespace triarch::session {

// Answered by OnRegistered.
struct Register {
  size_t address = 0;
};

// Answered by OnLease.
struct RequestLease {
  size_t address = 0;
  std::vector<int64_t> known_tournaments;  // their specs need not be sent
};

// Answered by OnHeartbeat. The driver adds the load of the slots and the CPU time.
struct SendHeartbeat {
  size_t address = 0;
  HeartbeatRequest heartbeat;
};

// Answered by OnReport. The report stays valid until then.
struct SendReport {
  size_t address = 0;
  const Report* report = nullptr;
};

// Answered by OnBundlePart.
struct FetchBundle {
  size_t address = 0;
  std::string digest;
  int64_t offset = 0;
};

// Answered by OnRefused.
struct RefuseLease {
  size_t address = 0;
  uint64_t token = 0;
  std::string why;
};

// Answered by OnLeft.
struct Leave {
  size_t address = 0;
};

// Finds which of these bundles are not in the cache, and checks that shards may be stored at `data`
// unless it is empty. Answered by OnNeedsChecked.
struct CheckNeeds {
  std::vector<NeededBundle> bundles;
  std::string data;
};

// Stores the bundle in the cache, which may drop all bundles except those to keep. Answered by
// OnBundleStored.
struct StoreBundle {
  std::string digest;
  std::string tar;
  std::set<std::string> keep;
};

// Packs the samples of the report's games into a shard and stores it. Answered by OnShard; the
// games stay valid until then.
struct MakeShard {
  int64_t tournament = 0;
  const Report* report = nullptr;
};

// Stops the lease's games or, without a token, all games.
struct AbandonGames {
  std::optional<uint64_t> token;
};

// An entry of the operator's log.
struct Log {
  LogEntry entry;
};

using Action =
    std::variant<Register, RequestLease, SendHeartbeat, SendReport, FetchBundle, RefuseLease, Leave,
                 CheckNeeds, StoreBundle, MakeShard, AbandonGames, Log>;

}  // namespace triarch::session

#endif  // TRIARCH_WORKER_SESSION_SESSION_ACTION_H_
