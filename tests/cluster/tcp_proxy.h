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

// A link that fails on demand: what connects to its port is connected to another one of 127.0.0.1.
class TcpProxy {
 public:
  enum class Mode {
    kPass,
    kHold,  // nothing arrives, and nobody is told: as when all packets are dropped
    kCut,   // connections end at once, and so do new ones
  };

  explicit TcpProxy(int target_port);
  ~TcpProxy();
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  int port() const { return port_; }
  void Set(Mode mode) ABSL_LOCKS_EXCLUDED(mutex_);
  // Every byte arrives so much later, each way. Of 0 bytes a second: as many as come.
  void Slow(std::chrono::milliseconds delay, int bytes_per_second = 0) ABSL_LOCKS_EXCLUDED(mutex_);
  int connections() const ABSL_LOCKS_EXCLUDED(mutex_);  // so far

 private:
  using Clock = std::chrono::steady_clock;

  struct Chunk {
    Clock::time_point due;
    std::string bytes;
  };
  // One way of a connection.
  struct Way {
    int from = -1;
    int to = -1;
    bool is_ended = false;  // `from` sends no more
    std::deque<Chunk> chunks;
    size_t bytes = 0;           // in the chunks
    Clock::time_point busy_to;  // what was sent takes the line so long
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
