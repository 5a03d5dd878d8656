// Waits for descriptors, timers and errands in one thread.

#ifndef TRIARCH_WORKER_MATCH_EVENT_LOOP_H_
#define TRIARCH_WORKER_MATCH_EVENT_LOOP_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Waits for any number of descriptors, timers and errands at once (libev on epoll) and calls those
// who wait for them, one after the other, in the thread that calls Run. What is called may start,
// stop and destroy whatever it likes, but for the thing that calls it.
//
// Everything but Post and Stop belongs to the thread that runs the loop, or to any single one while
// none does.
class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;

  EventLoop();  // throws std::runtime_error where no loop can be had: too many open descriptors
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Any thread: Run runs it, in the order of posting.
  void Post(std::function<void()> errand) ABSL_LOCKS_EXCLUDED(mutex_);

  // Serves until Stop. May be called again.
  void Run();
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls `ready` while the descriptor can be read (or written) and the watch is on.
  class Watch {
   public:
    enum class For : uint8_t { kReading, kWriting };
    Watch(EventLoop& loop, For what, std::function<void()> ready);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Stop it before the descriptor is closed.
    void Start(int fd);
    void Stop();
    bool is_on() const;
    // Calls `ready` once before the loop waits again (unless very many are called so), whether or
    // not there is something to be had: where there is, the wait is spared. Requires: it is on.
    void Expect();

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
  };

  // Calls `due` once when its time has come, and never before it.
  class Timer {
   public:
    Timer(EventLoop& loop, std::function<void()> due);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // Moves it if it is set; to a later time costs next to nothing.
    void Set(Clock::time_point time);
    void Clear();

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
  };

 private:
  struct Parts;
  void RunErrands() ABSL_LOCKS_EXCLUDED(mutex_);

  std::unique_ptr<Parts> parts_;
  Mutex mutex_;
  std::vector<std::function<void()>> errands_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_EVENT_LOOP_H_
