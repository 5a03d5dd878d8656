// A TCP proxy that can delay, hold and cut connections.

#ifndef TRIARCH_TESTS_CLUSTER_TCP_PROXY_H_
#define TRIARCH_TESTS_CLUSTER_TCP_PROXY_H_

#include <chrono>
#include <deque>
#include <list>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Listens on a port and forwards connections to another port of 127.0.0.1.
class TcpProxy {
 public:
  enum class Mode {
    kPass,
    kHold,  // silently drops everything
    kCut,   // closes all connections, including new ones
  };

  explicit TcpProxy(int target_port);
  ~TcpProxy();
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  int port() const { return port_; }
  void Set(Mode mode) ABSL_LOCKS_EXCLUDED(mutex_);
  // Delays every byte, in both directions. A rate of 0 is unlimited.
  void Slow(std::chrono::milliseconds delay, int bytes_per_second = 0) ABSL_LOCKS_EXCLUDED(mutex_);
  int connections() const ABSL_LOCKS_EXCLUDED(mutex_);  // accepted so far

 private:
  using Clock = std::chrono::steady_clock;

  struct Chunk {
    Clock::time_point due;
    std::string bytes;
  };
  // One direction of a connection.
  struct Way {
    int from = -1;
    int to = -1;
    bool is_ended = false;  // `from` has finished sending
    std::deque<Chunk> chunks;
    size_t bytes = 0;           // total size of the chunks
    Clock::time_point busy_to;  // when the line becomes free
  };
  struct Link {
    Way up, down;
  };

  void Run() ABSL_LOCKS_EXCLUDED(mutex_);
  void Accept() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Move(Way& way) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int target_port_;
  int listener_ = -1;
  int port_ = 0;

  mutable Mutex mutex_;
  Mode mode_ ABSL_GUARDED_BY(mutex_) = Mode::kPass;
  std::chrono::milliseconds delay_ ABSL_GUARDED_BY(mutex_){0};
  int bytes_per_second_ ABSL_GUARDED_BY(mutex_) = 0;
  int connections_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<Link> links_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;

  std::jthread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_TCP_PROXY_H_
