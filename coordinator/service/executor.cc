#include "coordinator/service/executor.h"

#include <cstdint>
#include <utility>

namespace triarch {

Executor::Executor(int64_t threads) {
  threads_.reserve(static_cast<size_t>(threads));
  for (int64_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

Executor::~Executor() {
  MutexLock lock(&mutex_);
  is_ending_ = true;
  changed_.NotifyAll();
}

void Executor::Post(std::function<void()> task) {
  MutexLock lock(&mutex_);
  tasks_.push_back(std::move(task));
  changed_.NotifyAll();
}

void Executor::Work() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(&mutex_);
      while (tasks_.empty() && !is_ending_) changed_.Wait(&mutex_);
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace triarch
