// Decides which coordinator a worker calls, and when it calls again after an error.

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

// Unavailable and DeadlineExceeded make it turn to the next address; the worker stays registered.
// Only a coordinator that answers NotFound does not know the worker, which must register again.
class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // One kind of call or work; at most one of a kind is under way.
  struct Call {
    bool is_under_way = false;
    size_t address = 0;  // where it went
    Time next;           // not before
    Backoff backoff;

    bool may_begin(Time now) const { return !is_under_way && next <= now; }
  };

  // Requires: there is an address.
  Connection(size_t addresses, const Backoff::Limits& retry, uint64_t seed);

  // Returns the address to call.
  size_t Begin(Call& call);
  // Takes the answer. False if it is an error; then the call waits before it may begin again.
  bool End(Call& call, const absl::Status& status, Time now);

  bool is_registered() const { return is_registered_; }
  // A coordinator has registered the worker, or answered it.
  void OnRegistered() { is_registered_ = true; }
  void ClearTrouble() { trouble_.clear(); }
  // The last error; empty if there was none since a coordinator answered.
  const std::string& trouble() const { return trouble_; }

 private:
  const size_t addresses_;
  const Backoff::Limits retry_;
  Random random_;
  size_t address_ = 0;
  bool is_registered_ = false;
  std::string trouble_;
};

// Errors of the connection or of the worker, not of what a call asked for.
bool IsOfConnection(const absl::Status& status);
// Errors that do not pass with time.
bool IsFinal(const absl::Status& status);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_CONNECTION_H_
