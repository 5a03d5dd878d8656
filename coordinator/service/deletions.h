// Deletes the games of deleted tournaments little by little.

#ifndef TRIARCH_COORDINATOR_SERVICE_DELETIONS_H_
#define TRIARCH_COORDINATOR_SERVICE_DELETIONS_H_

#include <cstdint>
#include <set>

#include "absl/base/thread_annotations.h"
#include "coordinator/service/store_thread.h"
#include "core/base/mutex.h"

namespace triarch {

// Thread-safe; no function blocks.
class Deletions {
 public:
  // Requires: the store has begun to delete the tournament, and nobody reads its games any more.
  void Add(int64_t tournament) ABSL_LOCKS_EXCLUDED(mutex_);
  // Lets the writer delete games for a short time. This object must outlive the writer.
  void Tick(StoreThread& writer) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void DeleteSome(Store& store, int64_t tournament) ABSL_LOCKS_EXCLUDED(mutex_);

  Mutex mutex_;
  std::set<int64_t> tournaments_ ABSL_GUARDED_BY(mutex_);
  bool is_under_way_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_DELETIONS_H_
