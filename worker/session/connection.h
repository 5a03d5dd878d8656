// Decides which coordinator a worker calls and when it retries after an error.

#ifndef TRIARCH_WORKER_SESSION_CONNECTION_H_
#define TRIARCH_WORKER_SESSION_CONNECTION_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "core/base/random.h"
#include "worker/session/backoff.h"

namespace triarch {

// After Unavailable and DeadlineExceeded it switches to the next address, and the worker stays
// registered. NotFound means that the coordinator does not know the worker, which must then
// register again.
class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // One kind of call or work. At most one of each kind is pending.
  struct Call {
    bool is_under_way = false;
    size_t address = 0;  // index of the address called
    Time next;           // earliest time of the next call
    Backoff backoff;

    bool may_begin(Time now) const { return !is_under_way && next <= now; }
  };

  // Requires: at least one address.
  Connection(size_t addresses, const Backoff::Limits& retry, uint64_t seed);

  // Returns the address to call.
  size_t Begin(Call& call);
  // Takes the answer. Returns false if it is an error; the call then waits before its next attempt.
  bool End(Call& call, const absl::Status& status, Time now);

  bool is_registered() const { return is_registered_; }
  // Call when a coordinator has registered or answered the worker.
  void OnRegistered() { is_registered_ = true; }
  void ClearTrouble() { trouble_.clear(); }
  // Returns the last error, or "" if a coordinator has answered since.
  const std::string& trouble() const { return trouble_; }

 private:
  const size_t addresses_;
  const Backoff::Limits retry_;
  Random random_;
  size_t address_ = 0;
  bool is_registered_ = false;
  std::string trouble_;
};

// Returns whether the error concerns the connection or the worker, not the request itself.
bool IsOfConnection(const absl::Status& status);
// Returns whether the error is permanent.
bool IsFinal(const absl::Status& status);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_CONNECTION_H_
