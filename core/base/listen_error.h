// Words the error of a server that cannot listen at its address.

#ifndef TRIARCH_CORE_BASE_LISTEN_ERROR_H_
#define TRIARCH_CORE_BASE_LISTEN_ERROR_H_

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/base/text.h"

namespace triarch {

// Returns Unavailable. `error` is an errno.
inline absl::Status ListenError(std::string_view address, int error) {
  std::string text = "cannot listen at " + Quote(address) + ": " + std::strerror(error);
  if (error == EADDRINUSE) text += "; choose another port, or 0 for a free one";
  return absl::UnavailableError(text);
}

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_LISTEN_ERROR_H_
