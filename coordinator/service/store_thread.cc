#include "coordinator/service/store_thread.h"

#include <latch>
#include <utility>

namespace triarch {

using Clock = std::chrono::steady_clock;

StoreThread::StoreThread(std::unique_ptr<Store> store)
    : store_(std::move(store)), thread_([this] { Work(); }) {}

StoreThread::~StoreThread() {
  MutexLock lock(&mutex_);
  is_ending_ = true;
  changed_.NotifyAll();
}

void StoreThread::Post(Task task) {
  MutexLock lock(&mutex_);
  tasks_.push_back(std::move(task));
  changed_.NotifyAll();
}

void StoreThread::Run(absl::FunctionRef<void(Store&)> task) {
  std::latch done(1);
  Post([&](Store& store) {
    task(store);
    done.count_down();
  });
  done.wait();
}

Clock::duration StoreThread::busy_time() const {
  MutexLock lock(&mutex_);
  return began_ ? Clock::now() - *began_ : Clock::duration::zero();
}

void StoreThread::Work() {
  while (true) {
    Task task;
    {
      MutexLock lock(&mutex_);
      began_.reset();
      while (tasks_.empty() && !is_ending_) changed_.Wait(&mutex_);
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      began_ = Clock::now();
    }
    task(*store_);
  }
}

}  // namespace triarch
