// Keeps answers that take long to compute, until what they depend on has changed.

#ifndef TRIARCH_SITE_KEPT_ANSWERS_H_
#define TRIARCH_SITE_KEPT_ANSWERS_H_

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "http/web_server.h"

namespace triarch::site {

// Thread-safe.
class KeptAnswers {
 public:
  using Clock = std::chrono::steady_clock;

  struct Answer {
    std::string tag;  // identifies what the answer depends on
    WebText body;
  };

  // Keeps at most that many bytes.
  explicit KeptAnswers(size_t bytes_max = 64 << 20) : bytes_max_(bytes_max) {}

  // Returns the answer to a request if it has that tag. If games go on, also an older answer that
  // took long: so computing it again takes a fifth of the time at most, however fast games come.
  std::optional<Answer> Find(const std::string& request, const std::string& tag, bool goes_on,
                             Clock::time_point now) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Keeps an answer that was computed from `began` until `now`.
  void Keep(const std::string& request, Answer answer, Clock::time_point began,
            Clock::time_point now) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Kept {
    Answer answer;
    Clock::time_point good_until;  // while games go on
  };

  const size_t bytes_max_;
  mutable Mutex mutex_;
  std::map<std::string, Kept> kept_ ABSL_GUARDED_BY(mutex_);  // by request
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace triarch::site

#endif  // TRIARCH_SITE_KEPT_ANSWERS_H_
