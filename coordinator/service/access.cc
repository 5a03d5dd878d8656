#include "coordinator/service/access.h"

#include <algorithm>

#include "absl/strings/str_split.h"
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
      return "a user's token may only see tournaments and games, and add, see and remove bots";
  }
  return "";
}

std::optional<Access::Role> RoleOf(std::string_view word) {
  if (word == "worker") return Access::Role::kWorker;
  if (word == "operator") return Access::Role::kOperator;
  if (word == "user") return Access::Role::kUser;
  return std::nullopt;
}

// Returns the name of users and workers without one of their own.
std::string NameOf(Access::Role role) {
  return role == Access::Role::kWorker     ? "worker"
         : role == Access::Role::kOperator ? "operator"
                                           : "user";
}

bool IsUserName(std::string_view text) {
  constexpr size_t kNameMax = 40;
  return !text.empty() && text.size() <= kNameMax && text != "operator" && text != "worker" &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
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
    const std::vector<std::string> words =
        absl::StrSplit(std::string(line), absl::ByAnyChar(" \t"), absl::SkipEmpty());
    const std::optional<Role> role = RoleOf(words[0]);
    const bool has_name = words.size() == 3 && role == Role::kUser && IsUserName(words[2]);
    if (!role || words.size() < 2 || !IsSecret(words[1]) || (words.size() > 2 && !has_name)) {
      return absl::InvalidArgumentError("line " + std::to_string(number) +
                                        ": expected \"worker SECRET\", \"operator SECRET\" or "
                                        "\"user SECRET [NAME]\", with a secret of 16 to "
                                        "200 printable characters without spaces");
    }
    access.tokens_.push_back({{*role, has_name ? words[2] : NameOf(*role)}, words[1]});
  }
  if (access.tokens_.empty()) return absl::InvalidArgumentError("it contains no token");
  return access;
}

absl::StatusOr<Access::Caller> Access::CheckAny(
    std::initializer_list<Role> roles, std::optional<std::string_view> authorization) const {
  if (is_open_) return Caller{*roles.begin(), NameOf(*roles.begin())};
  if (!authorization || !authorization->starts_with(kBearer)) {
    return absl::UnauthenticatedError("a token is needed (--token-file)");
  }
  const std::string_view secret = authorization->substr(kBearer.size());
  // Checks all tokens, even after a match.
  std::vector<Caller> found;
  for (const Token& token : tokens_) {
    if (IsEqual(token.secret, secret)) found.push_back(token.caller);
  }
  if (found.empty()) return absl::UnauthenticatedError("the coordinator does not know this token");
  for (const Role role : roles) {
    const auto caller = std::find_if(found.begin(), found.end(),
                                     [&](const Caller& one) { return one.role == role; });
    if (caller != found.end()) return *caller;
  }
  return absl::PermissionDeniedError(WhyNot(found.front().role));
}

absl::Status Access::Check(Role role, std::optional<std::string_view> authorization) const {
  return CheckAny({role}, authorization).status();
}

std::optional<std::string> Access::TokenOf(Role role) const {
  for (const Token& token : tokens_) {
    if (token.caller.role == role) return token.secret;
  }
  return std::nullopt;
}

}  // namespace triarch
