#include "site/store_reader.h"

#include <utility>

namespace triarch::site {

StoreReader::StoreReader(Opener open) : open_(std::move(open)), thread_([this] { Work(); }) {}

StoreReader::~StoreReader() {
  MutexLock lock(&mutex_);
  is_ending_ = true;
  changed_.NotifyAll();
}

void StoreReader::Post(Task task) {
  MutexLock lock(&mutex_);
  tasks_.push_back(std::move(task));
  changed_.NotifyAll();
}

bool StoreReader::Wait() {
  MutexLock lock(&mutex_);
  while (tasks_.empty() && !is_ending_) changed_.Wait(&mutex_);
  return !is_ending_;
}

StoreReader::Task StoreReader::Take() {
  MutexLock lock(&mutex_);
  if (tasks_.empty() || is_ending_) return nullptr;
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

void StoreReader::Work() {
  while (Wait()) {
    const absl::StatusOr<std::unique_ptr<Store>> store = open_();
    while (const Task task = Take()) {
      if (store.ok()) {
        task(store->get());
      } else {
        task(store.status());
      }
    }
  }
}

}  // namespace triarch::site
