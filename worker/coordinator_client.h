// Declares the calls that a worker makes to a coordinator.

#ifndef TRIARCH_WORKER_COORDINATOR_CLIENT_H_
#define TRIARCH_WORKER_COORDINATOR_CLIENT_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/lease.h"

namespace triarch {

// A lease reply with the spec of its tournament, unless the request listed the tournament as known.
struct ArrivedLease {
  LeaseReply reply;
  std::string spec_json;
  std::string matches_json;  // of the lease's games, if they are planned
};

// The coordinator at one address. Calls do not block; each one is answered exactly once, later, on
// any thread. Errors are those of proto/triarch/v1/worker.proto; Unavailable and DeadlineExceeded
// mean that the coordinator did not answer.
class CoordinatorClient {
 public:
  template <class T>
  using Done = std::function<void(absl::StatusOr<T>)>;

  virtual ~CoordinatorClient() = default;
  // Returns the heartbeat interval that the coordinator asks for.
  virtual void Register(const WorkerInfo& worker, Done<std::chrono::milliseconds> done) = 0;
  virtual void RequestLease(const WorkerId& worker, const std::vector<int64_t>& known_tournaments,
                            Done<ArrivedLease> done) = 0;
  virtual void Heartbeat(const HeartbeatRequest& heartbeat, Done<HeartbeatReply> done) = 0;
  virtual void Send(const Report& report, Done<ReportReply> done) = 0;
  // Fetches a part of the bundle's tar, starting at `offset`. Fails with NotFound if the bundle
  // does not exist.
  virtual void Fetch(const WorkerId& worker, const std::string& digest, int64_t offset,
                     Done<BundlePart> done) = 0;
  // Returns a lease that the worker cannot play, with the reason `why`.
  virtual void Refuse(const WorkerId& worker, uint64_t token, const std::string& why,
                      std::function<void(absl::Status)> done) = 0;
  // Ends all leases of the worker because it is leaving.
  virtual void Leave(const WorkerId& worker, std::function<void(absl::Status)> done) = 0;
  // Makes the pending calls fail soon.
  virtual void Cancel() = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_COORDINATOR_CLIENT_H_
