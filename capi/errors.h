// Returns errors and texts through the C ABI.

#ifndef TRIARCH_CAPI_ERRORS_H_
#define TRIARCH_CAPI_ERRORS_H_

#include <cstddef>
#include <exception>
#include <string_view>

#include "absl/status/status.h"
#include "capi/triarch.h"

namespace triarch::capi {

// Fills in the error, unless it is null, and returns `status`.
triarch_status Fail(triarch_status status, std::string_view message, triarch_error* error);
// The same for an invalid position, whose error has a code and a field.
triarch_status FailPosition(const absl::Status& status, triarch_error* error);
triarch_status Fail(triarch_status code, const absl::Status& status, triarch_error* error);

// Copies the text with its NUL, truncated to `size` bytes. Returns the full length.
size_t Give(std::string_view text, char* out, size_t size);

// Returns f(), or an error if it throws: memory is the only thing that can run out.
template <class F>
triarch_status Guard(triarch_error* error, F f) {
#ifdef __cpp_exceptions
  try {
    return f();
  } catch (const std::exception& exception) {
    return Fail(TRIARCH_FAILED, exception.what(), error);
  }
#else
  return f();
#endif
}

// Returns the length of the text f() after giving it; 0 if f throws.
template <class F>
size_t GiveText(char* out, size_t size, F f) {
#ifdef __cpp_exceptions
  try {
    return Give(f(), out, size);
  } catch (const std::exception&) {
    return Give("", out, size);
  }
#else
  return Give(f(), out, size);
#endif
}

}  // namespace triarch::capi

#endif  // TRIARCH_CAPI_ERRORS_H_
