// Reads the JSON body of a request.

#ifndef TRIARCH_ARENA_API_BODY_H_
#define TRIARCH_ARENA_API_BODY_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "http/web_server.h"

namespace triarch::arena {

using ApiJson = nlohmann::ordered_json;

// Returns the text of a JSON value; bytes that are not UTF-8 become question marks.
std::string ToText(const ApiJson& json);

// The members of a body. A member that is null counts as missing. All functions fail with
// InvalidArgument, which names the member, if it has another type.
class Body {
 public:
  // An empty body has no members. InvalidArgument: the body is not a JSON object.
  static absl::StatusOr<Body> Read(const WebRequest& request);

  // InvalidArgument: the body has a member that is not in the list, whose items are separated by
  // spaces.
  absl::Status CheckMembers(std::string_view known) const;

  // Returns a text, or "" if it is missing.
  absl::StatusOr<std::string> Text(const char* key) const;
  absl::StatusOr<std::string> RequiredText(const char* key) const;
  absl::StatusOr<std::optional<int64_t>> Number(const char* key) const;
  absl::StatusOr<int64_t> RequiredNumber(const char* key) const;
  absl::StatusOr<std::optional<bool>> Flag(const char* key) const;
  // Returns a list of texts; empty if the member is a text or missing.
  absl::StatusOr<std::optional<std::vector<std::string>>> List(const char* key) const;

 private:
  const ApiJson* Find(const char* key) const;

  ApiJson json_ = ApiJson::object();
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_BODY_H_
