// Says which of a cluster's tournaments gets the next free worker.

#ifndef TRIARCH_CORE_RECORD_PRECEDENCE_H_
#define TRIARCH_CORE_RECORD_PRECEDENCE_H_

#include <cstdint>

namespace triarch {

// Set by operators; not part of the tournament's identity.
struct Precedence {
  int64_t priority = 0;  // tournaments with a higher one come first
  int64_t share = 1;     // of the workers' time, among tournaments of the same priority; positive

  friend bool operator==(const Precedence&, const Precedence&) = default;
};

inline constexpr int64_t kPriorityMax = 1'000;  // and at least -kPriorityMax
inline constexpr int64_t kShareMax = 1'000;

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_PRECEDENCE_H_
