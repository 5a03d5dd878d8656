// Provides the entry point and the seeds of fuzz targets.

#ifndef TRIARCH_TESTS_FUZZ_FUZZ_H_
#define TRIARCH_TESTS_FUZZ_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/base/random.h"

// A target defines FUZZ_TEXT(text) { … }, which must return for every text. A failed CHECK is a
// finding.
#define FUZZ_TEXT(text)                                                                \
  static void FuzzText(std::string_view text);                                         \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {            \
    FuzzText(size == 0 ? std::string_view()                                            \
                       : std::string_view(reinterpret_cast<const char*>(data), size)); \
    return 0;                                                                          \
  }                                                                                    \
  static void FuzzText(std::string_view text)

namespace triarch {

// Returns a seed that depends only on the text, so that findings are reproducible.
inline uint64_t SeedOf(std::string_view text) {
  uint64_t seed = text.size();
  for (const char c : text) seed = Mix64(seed ^ static_cast<unsigned char>(c));
  return seed;
}

}  // namespace triarch

#endif  // TRIARCH_TESTS_FUZZ_FUZZ_H_
