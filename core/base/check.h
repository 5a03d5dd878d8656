// Defines CHECK and DCHECK, assertions that abort the process.

#ifndef TRIARCH_CORE_BASE_CHECK_H_
#define TRIARCH_CORE_BASE_CHECK_H_

#include <cstdio>
#include <cstdlib>

// CHECK(condition) aborts the process if the condition is false, in every build. Use it for our own
// bugs; report external failures as absl::Status.
#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) [[unlikely]] {                                                     \
      std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

// Checks only in builds with assertions. For hot paths.
#ifdef NDEBUG
#define DCHECK(condition) \
  do {                    \
  } while (false && (condition))
#else
#define DCHECK(condition) CHECK(condition)
#endif

#endif  // TRIARCH_CORE_BASE_CHECK_H_
