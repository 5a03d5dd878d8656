// Defines macros that return from the function on an absl::Status error, and reads messages.

#ifndef TRIARCH_CORE_BASE_STATUS_MACROS_H_
#define TRIARCH_CORE_BASE_STATUS_MACROS_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// RETURN_IF_ERROR(status_expression) returns the status if it is an error.
#define RETURN_IF_ERROR(expression)                           \
  do {                                                        \
    if (absl::Status status_ = (expression); !status_.ok()) { \
      return status_;                                         \
    }                                                         \
  } while (false)

// ASSIGN_OR_RETURN(auto x, status_or_expression) sets x to the value, or returns the error.
#define ASSIGN_OR_RETURN(declaration, expression) \
  TRIARCH_ASSIGN_OR_RETURN_(TRIARCH_CONCAT_(status_or_, __LINE__), declaration, expression)
#define TRIARCH_ASSIGN_OR_RETURN_(temporary, declaration, expression) \
  auto temporary = (expression);                                      \
  if (!temporary.ok()) return temporary.status();                     \
  declaration = *std::move(temporary)
#define TRIARCH_CONCAT_(a, b) TRIARCH_CONCAT_2_(a, b)
#define TRIARCH_CONCAT_2_(a, b) a##b

namespace triarch {

inline std::string_view Message(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

}  // namespace triarch

#endif  // TRIARCH_CORE_BASE_STATUS_MACROS_H_
