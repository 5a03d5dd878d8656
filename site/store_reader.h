// Reads a store in a thread of its own.

#ifndef TRIARCH_SITE_STORE_READER_H_
#define TRIARCH_SITE_STORE_READER_H_

#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "core/base/mutex.h"

namespace triarch::site {

// Runs one task after another. The store is open only while tasks wait: so it never keeps a run
// from tidying up its file, sees a file that was replaced, and knows bots that an arena has added.
class StoreReader {
 public:
  using Opener = std::function<absl::StatusOr<std::unique_ptr<Store>>()>;
  // Gets the store, or the error of opening it.
  using Task = std::function<void(absl::StatusOr<Store*>)>;

  explicit StoreReader(Opener open);
  // Waits for the task that runs. Those that wait are dropped.
  ~StoreReader();
  StoreReader(const StoreReader&) = delete;
  StoreReader& operator=(const StoreReader&) = delete;

  // Runs the task in the thread. From any thread.
  void Post(Task task) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Work() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the next task, or null if none waits.
  Task Take() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for a task. Returns false at the end.
  bool Wait() ABSL_LOCKS_EXCLUDED(mutex_);

  const Opener open_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // declared last, because it uses all other members
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_STORE_READER_H_
