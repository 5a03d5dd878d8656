#ifndef TRIARCH_COORDINATOR_SERVICE_STORE_THREAD_H_
#define TRIARCH_COORDINATOR_SERVICE_STORE_THREAD_H_

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "coordinator/store/store.h"
#include "core/base/mutex.h"

namespace triarch {

// A store is used by one thread at a time: this one. What is asked of it waits its turn.
class StoreThread {
 public:
  using Task = std::function<void(Store&)>;

  explicit StoreThread(std::unique_ptr<Store> store);
  // Does what was asked until now, then ends.
  ~StoreThread();
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  // Soon, on the thread, after what was asked before.
  void Post(Task task) ABSL_LOCKS_EXCLUDED(mutex_);
  // The same, and waits for it. Not from a task.
  void Run(absl::FunctionRef<void(Store&)> task);
  // For how long what it does now has gone on; zero if it is idle.
  std::chrono::steady_clock::duration busy_time() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Work();

  const std::unique_ptr<Store> store_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  // When the task that runs began.
  std::optional<std::chrono::steady_clock::time_point> began_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_STORE_THREAD_H_
