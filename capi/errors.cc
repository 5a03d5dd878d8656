#include "capi/errors.h"

#include <algorithm>
#include <cstring>

#include "core/game/position_fault.h"

namespace triarch::capi {
namespace {

std::string_view MessageOf(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

}  // namespace

size_t Give(std::string_view text, char* out, size_t size) {
  if (out != nullptr && size > 0) {
    const size_t length = std::min(text.size(), size - 1);
    std::memcpy(out, text.data(), length);
    out[length] = '\0';
  }
  return text.size();
}

triarch_status Fail(triarch_status status, std::string_view message, triarch_error* error) {
  if (error != nullptr) {
    *error = {};
    Give(message, error->message, sizeof(error->message));
  }
  return status;
}

triarch_status Fail(triarch_status code, const absl::Status& status, triarch_error* error) {
  return Fail(code, MessageOf(status), error);
}

triarch_status FailPosition(const absl::Status& status, triarch_error* error) {
  if (error == nullptr) return TRIARCH_INVALID_ARGUMENT;
  const PositionFault fault = FaultOf(status);
  Fail(TRIARCH_INVALID_ARGUMENT, fault.message, error);
  Give(fault.code, error->code, sizeof(error->code));
  error->field = fault.field;
  return TRIARCH_INVALID_ARGUMENT;
}

}  // namespace triarch::capi
