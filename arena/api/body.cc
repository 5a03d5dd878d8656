#include "arena/api/body.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

absl::Status WrongMember(std::string_view key, std::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: expected %s", std::string(key), std::string(expected)));
}

}  // namespace

std::string ToText(const ApiJson& json) {
  return json.dump(-1, ' ', false, ApiJson::error_handler_t::replace);
}

absl::StatusOr<Body> Body::Read(const WebRequest& request) {
  Body body;
  if (request.body.empty()) return body;
  body.json_ = ApiJson::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (!body.json_.is_object()) {
    return absl::InvalidArgumentError("the body is not a JSON object");
  }
  return body;
}

absl::Status Body::CheckMembers(std::string_view known) const {
  const std::vector<std::string_view> names = Split(known, ' ');
  for (const auto& item : json_.items()) {
    if (std::find(names.begin(), names.end(), std::string_view(item.key())) == names.end()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("unknown member %s; expected %s", Quote(item.key()), std::string(known)));
    }
  }
  return absl::OkStatus();
}

const ApiJson* Body::Find(const char* key) const {
  const auto found = json_.find(key);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

absl::StatusOr<std::string> Body::Text(const char* key) const {
  const ApiJson* const value = Find(key);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return WrongMember(key, "a text");
  return value->get<std::string>();
}

absl::StatusOr<std::string> Body::RequiredText(const char* key) const {
  ASSIGN_OR_RETURN(std::string text, Text(key));
  if (text.empty()) return WrongMember(key, "a text");
  return text;
}

absl::StatusOr<std::optional<int64_t>> Body::Number(const char* key) const {
  const ApiJson* const value = Find(key);
  if (value == nullptr) return std::optional<int64_t>();
  const bool is_too_large = value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX;
  if (!value->is_number_integer() || is_too_large) return WrongMember(key, "a whole number");
  return value->get<int64_t>();
}

absl::StatusOr<int64_t> Body::RequiredNumber(const char* key) const {
  ASSIGN_OR_RETURN(const std::optional<int64_t> number, Number(key));
  if (!number) return WrongMember(key, "a whole number");
  return *number;
}

absl::StatusOr<std::optional<bool>> Body::Flag(const char* key) const {
  const ApiJson* const value = Find(key);
  if (value == nullptr) return std::optional<bool>();
  if (!value->is_boolean()) return WrongMember(key, "true or false");
  return value->get<bool>();
}

absl::StatusOr<std::optional<std::vector<std::string>>> Body::List(const char* key) const {
  const ApiJson* const value = Find(key);
  if (value == nullptr || value->is_string()) return std::optional<std::vector<std::string>>();
  const bool are_texts =
      value->is_array() &&
      std::all_of(value->begin(), value->end(), [](const ApiJson& one) { return one.is_string(); });
  if (!are_texts) return WrongMember(key, "a text or a list of texts");
  return value->get<std::vector<std::string>>();
}

}  // namespace triarch::arena
