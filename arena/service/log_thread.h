// Performs an arena's store operations in a thread of their own.

#ifndef TRIARCH_ARENA_SERVICE_LOG_THREAD_H_
#define TRIARCH_ARENA_SERVICE_LOG_THREAD_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "arena/session/event_log.h"
#include "arena/store/arena_store.h"
#include "core/base/mutex.h"

namespace triarch::arena {

// Stores the appends that wait in one transaction: the more there are, the cheaper each becomes.
class LogThread final : public EventLog {
 public:
  // `post` runs a function in the session's thread. `failed` is called there with each error of the
  // store; those who asked get one for strangers.
  LogThread(std::unique_ptr<ArenaStore> store, std::function<void(std::function<void()>)> post,
            std::function<void(const absl::Status&)> failed);
  // Performs what was asked for, then stops.
  ~LogThread() override;

  void Append(Appended appended, std::function<void(absl::Status)> done) override;
  void Load(const std::string& table, int64_t first,
            std::function<void(absl::StatusOr<std::vector<Event>>)> done) override;
  // Runs a task after everything asked for before.
  void Run(std::function<void(ArenaStore&)> task) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // An append, or another task.
  struct Task {
    Appended appended = {};
    std::function<void(absl::Status)> done = nullptr;
    std::function<void(ArenaStore&)> other = nullptr;
  };

  void Add(Task task) ABSL_LOCKS_EXCLUDED(mutex_);
  void Work();
  void AppendAll(std::vector<Task> tasks);
  absl::Status Shown(const absl::Status& status) const;

  const std::unique_ptr<ArenaStore> store_;
  const std::function<void(std::function<void()>)> post_;
  const std::function<void(const absl::Status&)> failed_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // declared last, because it uses all other members
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_LOG_THREAD_H_
