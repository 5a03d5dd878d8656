#include "coordinator/service/access.h"

#include <algorithm>

#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kSecretMin = 16;
constexpr size_t kSecretMax = 200;
constexpr std::string_view kBearer = "Bearer ";

// Takes the same time wherever the texts differ.
bool IsEqual(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

bool IsSecret(std::string_view text) {
  return text.size() >= kSecretMin && text.size() <= kSecretMax &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string WhyNot(Access::Role role) {
  switch (role) {
    case Access::Role::kWorker:
      return "a worker's token may not operate tournaments";
    case Access::Role::kOperator:
      return "an operator's token may not run workers";
    case Access::Role::kUser:
      return "a user's token may only add, see and remove bots";
  }
  return "";
}

std::optional<Access::Role> RoleOf(std::string_view word) {
  if (word == "worker") return Access::Role::kWorker;
  if (word == "operator") return Access::Role::kOperator;
  if (word == "user") return Access::Role::kUser;
  return std::nullopt;
}

}  // namespace

absl::StatusOr<Access> Access::Parse(std::string_view text) {
  Access access;
  access.is_open_ = false;
  int number = 0;
  for (const std::string_view raw : Split(text, '\n')) {
    ++number;
    const std::string_view line = Trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    const size_t space = line.find(' ');
    const std::string_view word = line.substr(0, space);
    const std::string_view secret =
        space == std::string_view::npos ? std::string_view() : Trim(line.substr(space));
    const std::optional<Role> role = RoleOf(word);
    if (!role || !IsSecret(secret)) {
      return absl::InvalidArgumentError("line " + std::to_string(number) +
                                        ": expected \"worker SECRET\", \"operator SECRET\" or "
                                        "\"user SECRET\", with a secret of 16 to "
                                        "200 printable characters without spaces");
    }
    access.tokens_.push_back({*role, std::string(secret)});
  }
  if (access.tokens_.empty()) return absl::InvalidArgumentError("it contains no token");
  return access;
}

absl::StatusOr<Access::Role> Access::CheckAny(std::initializer_list<Role> roles,
                                              std::optional<std::string_view> authorization) const {
  if (is_open_) return *roles.begin();
  if (!authorization || !authorization->starts_with(kBearer)) {
    return absl::UnauthenticatedError("a token is needed (--token-file)");
  }
  const std::string_view secret = authorization->substr(kBearer.size());
  // Checks all tokens, even after a match.
  std::vector<Role> found;
  for (const Token& token : tokens_) {
    if (IsEqual(token.secret, secret)) found.push_back(token.role);
  }
  if (found.empty()) return absl::UnauthenticatedError("the coordinator does not know this token");
  for (const Role role : roles) {
    if (std::find(found.begin(), found.end(), role) != found.end()) return role;
  }
  return absl::PermissionDeniedError(WhyNot(found.front()));
}

absl::Status Access::Check(Role role, std::optional<std::string_view> authorization) const {
  return CheckAny({role}, authorization).status();
}

std::optional<std::string> Access::TokenOf(Role role) const {
  for (const Token& token : tokens_) {
    if (token.role == role) return token.secret;
  }
  return std::nullopt;
}

}  // namespace triarch
