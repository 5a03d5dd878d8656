#ifndef TRIARCH_WORKER_COORDINATOR_CLIENT_H_
#define TRIARCH_WORKER_COORDINATOR_CLIENT_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/lease.h"

namespace triarch {

// A lease as it arrives: with the spec of its tournament, if that was not named as known.
struct ArrivedLease {
  LeaseReply reply;
  std::string spec_json;
};

// The coordinator as a worker sees it. Each call answers once, later, on any thread; none blocks.
// Errors as in proto/triarch/v1/worker.proto; Unavailable and DeadlineExceeded if nobody answers.
class CoordinatorClient {
 public:
  template <class T>
  using Done = std::function<void(absl::StatusOr<T>)>;

  virtual ~CoordinatorClient() = default;
  // Answers how often a heartbeat is wanted.
  virtual void Register(const WorkerInfo& worker, Done<std::chrono::milliseconds> done) = 0;
  virtual void RequestLease(const WorkerId& worker, const std::vector<int64_t>& known_tournaments,
                            Done<ArrivedLease> done) = 0;
  virtual void Heartbeat(const HeartbeatRequest& heartbeat, Done<HeartbeatReply> done) = 0;
  virtual void Send(const Report& report, Done<ReportReply> done) = 0;
  // The bundle's tar from `offset` on, or some of it. NotFound: there is no such bundle.
  virtual void Fetch(const WorkerId& worker, const std::string& digest, int64_t offset,
                     Done<BundlePart> done) = 0;
  // Gives a lease back that cannot be played, and `why`.
  virtual void Refuse(const WorkerId& worker, uint64_t token, const std::string& why,
                      std::function<void(absl::Status)> done) = 0;
  // All leases end; the worker goes.
  virtual void Leave(const WorkerId& worker, std::function<void(absl::Status)> done) = 0;
  // The calls under way fail soon.
  virtual void Cancel() = 0;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_COORDINATOR_CLIENT_H_
