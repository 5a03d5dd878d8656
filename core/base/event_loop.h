// Waits for descriptors, timers and posted functions in one thread.

#ifndef TRIARCH_CORE_BASE_EVENT_LOOP_H_
#define TRIARCH_CORE_BASE_EVENT_LOOP_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Waits for any number of descriptors, timers and posted functions (libev on epoll) and runs their
// callbacks, one after another, in the thread that calls Run. A callback may start, stop and
// destroy anything except its own watch or timer.
//
// Only Post and Stop are thread-safe. Everything else must be called from the thread that runs the
// loop or, while it is not running, from any single thread.
class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;

  EventLoop();  // throws std::runtime_error on failure, e.g. too many open descriptors
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Makes Run call `errand`; errands run in order of posting. Thread-safe.
  void Post(std::function<void()> errand) ABSL_LOCKS_EXCLUDED(mutex_);

  // Processes events until Stop. May be called again.
  void Run();
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls `ready` whenever the descriptor is readable (or writable) while the watch is on.
  class Watch {
   public:
    enum class For : uint8_t { kReading, kWriting };
    Watch(EventLoop& loop, For what, std::function<void()> ready);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Starts the watch. Requires: Stop is called before the descriptor is closed.
    void Start(int fd);
    void Stop();
    bool is_on() const;
    // Calls `ready` once before the loop waits again (unless so many such calls are queued
    // that the rest is dropped), whether or not the descriptor is ready. If it is ready, this saves
    // the wait. Requires: is_on().
    void Expect();

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
  };

  // Calls `due` once at the given time, never earlier.
  class Timer {
   public:
    Timer(EventLoop& loop, std::function<void()> due);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // Sets the time, or changes it. Postponing a timer is almost free.
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

#endif  // TRIARCH_CORE_BASE_EVENT_LOOP_H_
