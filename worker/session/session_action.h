// Lists what a worker session asks its driver to do.

#ifndef TRIARCH_WORKER_SESSION_SESSION_ACTION_H_
#define TRIARCH_WORKER_SESSION_SESSION_ACTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/record/lease.h"
#include "worker/session/bundle_fetch.h"

// Calls name the coordinator that they go to by its index in the worker's list of addresses. Every
// action but Log and AbandonGames is answered by the event that its comment names, exactly once.
namespace triarch::session {

// OnRegistered.
struct Register {
  size_t address = 0;
};

// OnLease.
struct RequestLease {
  size_t address = 0;
  std::vector<int64_t> known_tournaments;  // their specs need not be sent
};

// OnHeartbeat. The driver adds how busy the slots and the processors are.
struct SendHeartbeat {
  size_t address = 0;
  HeartbeatRequest heartbeat;
};

// OnReport. The report stays where it is until then.
struct SendReport {
  size_t address = 0;
  const Report* report = nullptr;
};

// OnBundlePart.
struct FetchBundle {
  size_t address = 0;
  std::string digest;
  int64_t offset = 0;
};

// OnRefused.
struct RefuseLease {
  size_t address = 0;
  uint64_t token = 0;
  std::string why;
};

// OnLeft.
struct Leave {
  size_t address = 0;
};

// Which of these bundles are not in the cache? OnBundlesFound.
struct FindBundles {
  std::vector<NeededBundle> bundles;
};

// Put the bundle into the cache; the cache may drop all but those to keep. OnBundleStored.
struct StoreBundle {
  std::string digest;
  std::string tar;
  std::set<std::string> keep;
};

// Pack the samples of the report's games into a shard and store it. The games stay where they are
// until OnShard.
struct MakeShard {
  int64_t tournament = 0;
  const Report* report = nullptr;
};

// Stop playing the lease's games; without a token, all games.
struct AbandonGames {
  std::optional<uint64_t> token;
};

// A line for the operator.
struct Log {
  std::string line;
};

using Action =
    std::variant<Register, RequestLease, SendHeartbeat, SendReport, FetchBundle, RefuseLease, Leave,
                 FindBundles, StoreBundle, MakeShard, AbandonGames, Log>;

}  // namespace triarch::session

#endif  // TRIARCH_WORKER_SESSION_SESSION_ACTION_H_
