#include "coordinator/service/deletions.h"

#include <chrono>
#include <utility>

namespace triarch {
namespace {

using DeletionClock = std::chrono::steady_clock;

// How long the writer deletes games at a time.
constexpr std::chrono::milliseconds kDeleteAtOnce{50};

}  // namespace

void Deletions::Add(int64_t tournament) {
  MutexLock lock(&mutex_);
  tournaments_.insert(tournament);
}

void Deletions::Tick(StoreThread& writer) {
  MutexLock lock(&mutex_);
  if (tournaments_.empty() || std::exchange(is_under_way_, true)) return;
  writer.Post([this, id = *tournaments_.begin()](Store& store) { DeleteSome(store, id); });
}

// Runs on the writer's thread. An error is met again, and by then may be gone.
void Deletions::DeleteSome(Store& store, int64_t tournament) {
  const DeletionClock::time_point end = DeletionClock::now() + kDeleteAtOnce;
  absl::StatusOr<bool> has_more = true;
  while (has_more.value_or(false) && DeletionClock::now() < end) {
    has_more = store.DeleteSome(tournament);
  }
  MutexLock lock(&mutex_);
  is_under_way_ = false;
  if (has_more.ok() && !*has_more) tournaments_.erase(tournament);
}

}  // namespace triarch
