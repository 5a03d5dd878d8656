// Computes how long to wait before retrying a failed attempt.

#ifndef TRIARCH_WORKER_SESSION_BACKOFF_H_
#define TRIARCH_WORKER_SESSION_BACKOFF_H_

#include <algorithm>
#include <chrono>

#include "core/base/random.h"

namespace triarch {

// Doubles the wait with each consecutive failure, up to a maximum. Each wait is drawn at random
// between half and all of it, so that many workers do not retry at the same moment.
class Backoff {
 public:
  struct Limits {
    std::chrono::milliseconds min{100};
    std::chrono::milliseconds max{5'000};
  };

  // Returns the wait after another failure.
  std::chrono::milliseconds Next(const Limits& limits, Random& random) {
    const auto most = std::min(limits.max, limits.min * (1 << std::min(failures_, 10)));
    ++failures_;
    return most / 2 +
           std::chrono::milliseconds(random.Below(static_cast<uint32_t>(most.count() / 2 + 1)));
  }
  void Reset() { failures_ = 0; }

 private:
  int failures_ = 0;  // consecutive
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_BACKOFF_H_
