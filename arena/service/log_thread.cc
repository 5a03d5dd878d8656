#include "arena/service/log_thread.h"

#include <utility>

namespace triarch::arena {

LogThread::LogThread(std::unique_ptr<ArenaStore> store,
                     std::function<void(std::function<void()>)> post,
                     std::function<void(const absl::Status&)> failed)
    : store_(std::move(store)),
      post_(std::move(post)),
      failed_(std::move(failed)),
      thread_([this] { Work(); }) {}

LogThread::~LogThread() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
  }
  changed_.NotifyAll();
}

void LogThread::Add(Task task) {
  {
    MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.NotifyOne();
}

void LogThread::Append(Appended appended, std::function<void(absl::Status)> done) {
  Add({.appended = std::move(appended), .done = std::move(done)});
}

void LogThread::Load(const std::string& table, int64_t first,
                     std::function<void(absl::StatusOr<std::vector<Event>>)> done) {
  Run([this, table, first, done = std::move(done)](ArenaStore& store) {
    post_([this, done, events = store.Events(table, first)] {
      if (events.ok()) return done(events);
      done(Shown(events.status()));
    });
  });
}

void LogThread::Run(std::function<void(ArenaStore&)> task) { Add({.other = std::move(task)}); }

void LogThread::Work() {
  while (true) {
    std::vector<Task> appends;
    Task other;
    {
      MutexLock lock(&mutex_);
      while (tasks_.empty() && !is_ending_) changed_.Wait(&mutex_);
      if (tasks_.empty()) return;
      while (!tasks_.empty() && !tasks_.front().other) {
        appends.push_back(std::move(tasks_.front()));
        tasks_.pop_front();
      }
      if (appends.empty()) {
        other = std::move(tasks_.front());
        tasks_.pop_front();
      }
    }
    if (appends.empty()) {
      other.other(*store_);
    } else {
      AppendAll(std::move(appends));
    }
  }
}

void LogThread::AppendAll(std::vector<Task> tasks) {
  std::vector<Appended> batch;
  for (Task& task : tasks) batch.push_back(std::move(task.appended));
  const absl::StatusOr<std::vector<absl::Status>> statuses = store_->Append(batch);
  post_([this, statuses, tasks = std::move(tasks)] {
    const absl::Status shown = Shown(statuses.status());
    for (size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].done(statuses.ok() ? (*statuses)[i] : shown);
    }
  });
}

absl::Status LogThread::Shown(const absl::Status& status) const {
  absl::Status shown = ForStrangers(status);
  if (shown != status) failed_(status);
  return shown;
}

}  // namespace triarch::arena
