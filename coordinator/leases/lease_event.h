// Describes how one lease began or ended, for the store and the metrics.

#ifndef TRIARCH_COORDINATOR_LEASES_LEASE_EVENT_H_
#define TRIARCH_COORDINATOR_LEASES_LEASE_EVENT_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/record/lease.h"

namespace triarch {

struct LeaseEvent {
  // The two ways to begin, the ways to end, and what may happen in between.
  enum class Kind : uint8_t {
    kGranted,
    kStolen,  // granted with games that another worker holds too
    kFinished,
    kExpired,
    kReleased,
    kCancelled,
    kRejected,
    kStalled,  // its games are open to others too
  };
  Kind kind;
  WorkerId worker;
  Lease lease;
  std::chrono::milliseconds age{0};  // age of an ended or stalled lease
  int64_t audit = 0;                 // the audit that the lease is for, or 0
};

// Names for metrics, logs and the store, by kind.
inline constexpr std::array<std::string_view, 8> kLeaseEventKinds = {
    "granted", "stolen", "finished", "expired", "released", "cancelled", "rejected", "stalled"};
static_assert(static_cast<size_t>(LeaseEvent::Kind::kStalled) == kLeaseEventKinds.size() - 1);

constexpr std::string_view ToString(LeaseEvent::Kind kind) {
  return kLeaseEventKinds[static_cast<size_t>(kind)];
}
constexpr bool IsBeginning(LeaseEvent::Kind kind) { return kind <= LeaseEvent::Kind::kStolen; }
constexpr bool IsEnd(LeaseEvent::Kind kind) {
  return !IsBeginning(kind) && kind <= LeaseEvent::Kind::kRejected;
}

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEASE_EVENT_H_
