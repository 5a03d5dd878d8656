// Remembers which workers were refused, so that the log says so once, not at every attempt.

#ifndef TRIARCH_COORDINATOR_SERVICE_REFUSED_WORKERS_H_
#define TRIARCH_COORDINATOR_SERVICE_REFUSED_WORKERS_H_

#include <cstddef>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Thread-safe.
class RefusedWorkers {
 public:
  // Takes the reason why a worker may not register, or "" if it may. Returns whether it is refused
  // now and was not refused for that reason the last time.
  bool Note(const std::string& worker, const std::string& why) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (why.empty()) {
      reasons_.erase(worker);
      return false;
    }
    // Whoever has a token can make up any number of names.
    if (reasons_.size() >= kNamesMax) reasons_.clear();
    std::string& known = reasons_[worker];
    if (known == why) return false;
    known = why;
    return true;
  }

 private:
  static constexpr size_t kNamesMax = 1000;
  Mutex mutex_;
  std::map<std::string, std::string> reasons_ ABSL_GUARDED_BY(mutex_);  // by name
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_REFUSED_WORKERS_H_
