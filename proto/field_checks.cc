#include "proto/field_checks.h"

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "proto/convert.h"

namespace triarch::wire {

absl::Status FieldError(std::string_view field, std::string_view what) {
  return absl::InvalidArgumentError(std::string(field) + ": " + std::string(what));
}

absl::Status ErrorWithin(std::string_view whole, int64_t number, const absl::Status& error) {
  return absl::Status(error.code(), std::string(whole) + "[" + std::to_string(number) + "]." +
                                        std::string(error.message()));
}

absl::Status CheckRange(std::string_view field, int64_t value, int64_t min, int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return FieldError(field, std::to_string(value) + " is not between " + std::to_string(min) +
                               " and " + std::to_string(max));
}

absl::Status CheckNameOrEmpty(std::string_view field, std::string_view text) {
  if (text.size() > kNameBytesMax) {
    return FieldError(field, "longer than " + std::to_string(kNameBytesMax) + " bytes");
  }
  if (!IsPlainText(text)) return FieldError(field, Quote(text) + " is not plain text");
  return absl::OkStatus();
}

absl::Status CheckName(std::string_view field, std::string_view text) {
  if (text.empty()) return FieldError(field, "it is empty");
  return CheckNameOrEmpty(field, text);
}

absl::Status CheckToken(std::string_view field, uint64_t token) {
  return token != 0 ? absl::OkStatus() : FieldError(field, "0 is not a token");
}

absl::StatusOr<std::chrono::milliseconds> ReadDuration(std::string_view field, int64_t ms) {
  RETURN_IF_ERROR(CheckRange(field, ms, 0, kDurationMax.count()));
  return std::chrono::milliseconds(ms);
}

}  // namespace triarch::wire
