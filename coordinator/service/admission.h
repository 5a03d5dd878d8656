// Limits the rate of admitted calls.

#ifndef TRIARCH_COORDINATOR_SERVICE_ADMISSION_H_
#define TRIARCH_COORDINATOR_SERVICE_ADMISSION_H_

#include <algorithm>
#include <chrono>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// A token bucket that also admits a burst. It limits the calls of arriving workers (Register,
// Lease), so that a sudden arrival of many leaves room for heartbeats and reports.
class Admission {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Admission(double per_second, double burst, Time now)
      : per_second_(per_second), burst_(burst), left_(burst), last_(now) {}

  bool Admit(Time now) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    left_ = std::min(burst_, left_ + passed.count() * per_second_);
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  const double per_second_;
  const double burst_;

  Mutex mutex_;
  double left_ ABSL_GUARDED_BY(mutex_);
  Time last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_ADMISSION_H_
