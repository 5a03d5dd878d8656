// Checks single fields of wire messages.

#ifndef TRIARCH_PROTO_FIELD_CHECKS_H_
#define TRIARCH_PROTO_FIELD_CHECKS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Errors are InvalidArgument, "field: what is wrong".
namespace triarch::wire {

absl::Status FieldError(std::string_view field, std::string_view what);
// Prefixes an error in part `number` with the path of the whole: "games[3].moves: …".
absl::Status ErrorWithin(std::string_view whole, int64_t number, const absl::Status& error);

absl::Status CheckRange(std::string_view field, int64_t value, int64_t min, int64_t max);
inline absl::Status CheckCount(std::string_view field, int64_t count, int64_t max) {
  return CheckRange(field, count, 0, max);
}
// Checks for plain text of at most kNameBytesMax bytes; CheckName also rejects "".
absl::Status CheckName(std::string_view field, std::string_view text);
absl::Status CheckNameOrEmpty(std::string_view field, std::string_view text);
absl::Status CheckToken(std::string_view field, uint64_t token);
absl::StatusOr<std::chrono::milliseconds> ReadDuration(std::string_view field, int64_t ms);

}  // namespace triarch::wire

#endif  // TRIARCH_PROTO_FIELD_CHECKS_H_
