// Calls a coordinator's own port, to notice when it stops answering.

#ifndef TRIARCH_COORDINATOR_SERVICE_PORT_PROBE_H_
#define TRIARCH_COORDINATOR_SERVICE_PORT_PROBE_H_

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Opens a connection now and then, greets the server and waits for an answer. A server with TLS
// answers a greeting without TLS by hanging up, and so does one with too many connections: that
// counts as an answer, because it shows that the server is at work.
class PortProbe {
 public:
  struct Times {
    std::chrono::milliseconds pause{5'000};      // between two calls
    std::chrono::milliseconds patience{10'000};  // with an answer
  };
  PortProbe(const sockaddr_storage& address, Times times);
  ~PortProbe();
  PortProbe(const PortProbe&) = delete;
  PortProbe& operator=(const PortProbe&) = delete;

  // Returns how many of the latest calls in a row have failed.
  int failures() const { return failures_; }

 private:
  void Run();
  bool IsAnswered() const;
  // Returns whether the descriptor is ready for these events in time.
  bool WaitFor(int descriptor, short events) const;

  const sockaddr_storage address_;
  const Times times_;
  std::atomic<int> failures_ = 0;
  std::atomic<bool> is_ending_ = false;
  Mutex mutex_;
  CondVar ends_;
  std::thread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_PORT_PROBE_H_
