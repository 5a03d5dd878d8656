#ifndef TRIARCH_CORE_BASE_CHECK_H_
#define TRIARCH_CORE_BASE_CHECK_H_

#include <cstdio>
#include <cstdlib>

// CHECK(condition): ends the process if the condition is false, in every build. It guards what
// *we* promise; what the world does wrong comes back as absl::Status.
#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) [[unlikely]] {                                                     \
      std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

// The same in builds with assertions only: for hot paths.
#ifdef NDEBUG
#define DCHECK(condition) \
  do {                    \
  } while (false && (condition))
#else
#define DCHECK(condition) CHECK(condition)
#endif

#endif  // TRIARCH_CORE_BASE_CHECK_H_
