// Owns a store and the only thread that uses it.

#ifndef TRIARCH_COORDINATOR_SERVICE_STORE_THREAD_H_
#define TRIARCH_COORDINATOR_SERVICE_STORE_THREAD_H_

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "coordinator/store/store.h"
#include "core/base/mutex.h"

namespace triarch {

class StoreThread {
 public:
  using Task = std::function<void(Store&)>;

  explicit StoreThread(std::unique_ptr<Store> store);
  // Finishes the posted tasks, then stops.
  ~StoreThread();
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  // Runs the task on the thread, after all tasks posted before.
  void Post(Task task) ABSL_LOCKS_EXCLUDED(mutex_);
  // Like Post, but waits for the task. Do not call it from a task.
  void Run(absl::FunctionRef<void(Store&)> task);
  // Like Run, and returns what the task returns.
  template <class F>
  auto Ask(F task) {
    std::optional<std::invoke_result_t<F, Store&>> answer;
    Run([&](Store& store) { answer.emplace(task(store)); });
    return *std::move(answer);
  }
  // Returns how long the current task has been running, or zero if the thread is idle.
  std::chrono::steady_clock::duration busy_time() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Work();

  const std::unique_ptr<Store> store_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  // When the current task began.
  std::optional<std::chrono::steady_clock::time_point> began_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // declared last, because it uses all other members
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_STORE_THREAD_H_
