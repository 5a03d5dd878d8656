#include "core/game/position_fault.h"

#include <string_view>

#include "absl/strings/numbers.h"
#include "core/base/check.h"

namespace triarch {

PositionFault FaultOf(const absl::Status& status) {
  const std::string message(status.message());
  constexpr std::string_view kField = " field ";
  const size_t code_end = message.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  const size_t colon = message.find(": ");
  PositionFault fault{.code = "BAD_JSON", .message = message};
  if (code_end == std::string::npos || colon == std::string::npos ||
      !std::string_view(message).substr(code_end).starts_with(kField)) {
    return fault;
  }
  const size_t number = code_end + kField.size();
  if (!absl::SimpleAtoi(message.substr(number, colon - number), &fault.field)) return fault;
  fault.code = message.substr(0, code_end);
  fault.message = message.substr(colon + 2);
  return fault;
}

}  // namespace triarch
