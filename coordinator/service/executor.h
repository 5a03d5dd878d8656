// Runs tasks on several threads, in any order.

#ifndef TRIARCH_COORDINATOR_SERVICE_EXECUTOR_H_
#define TRIARCH_COORDINATOR_SERVICE_EXECUTOR_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Callers limit the number of waiting tasks.
class Executor {
 public:
  explicit Executor(int64_t threads);
  // Finishes the posted tasks, then stops.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void Post(std::function<void()> task) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Work();

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_;  // declared last, because they use all other members
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_EXECUTOR_H_
