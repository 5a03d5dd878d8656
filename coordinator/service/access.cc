#include "coordinator/service/access.h"

#include <algorithm>
#include <span>
#include <utility>

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

// Bots belong to names, and those of all operators to "operator".
bool IsName(std::string_view text, Access::Role role) {
  constexpr size_t kNameMax = 40;
  if (text == "operator" && role != Access::Role::kOperator) return false;
  return !text.empty() && text.size() <= kNameMax &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

// Returns the quota with that name that callers with the role have, or null.
int64_t* FindQuota(Access::Caller& caller, std::string_view name) {
  if (caller.role == Access::Role::kWorker && name == "workers") return &caller.quotas.workers;
  if (caller.role == Access::Role::kWorker && name == "audits") return &caller.quotas.audits;
  if (caller.role != Access::Role::kUser) return nullptr;
  if (name == "bots") return &caller.quotas.bots;
  if (name == "megabytes") return &caller.quotas.megabytes;
  if (name == "calls") return &caller.quotas.calls;
  return nullptr;
}

// Reads what follows the secret. Returns false if it is not a name and quotas.
bool ReadRest(std::span<const std::string> words, Access::Caller* caller) {
  constexpr int64_t kQuotaMax = 1'000'000'000;
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (i == 0 && equals == std::string::npos && IsName(words[i], caller->role)) {
      caller->name = words[i];
      continue;
    }
    if (equals == std::string::npos) return false;
    int64_t* const quota = FindQuota(*caller, words[i].substr(0, equals));
    const std::optional<int64_t> value = ParseInt64(words[i].substr(equals + 1));
    if (quota == nullptr || !value || *value < 1 || *value > kQuotaMax) return false;
    *quota = *value;
  }
  return true;
}

}  // namespace

std::string_view ToString(Access::Role role) {
  return role == Access::Role::kWorker     ? "worker"
         : role == Access::Role::kOperator ? "operator"
                                           : "user";
}

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
    Token token{.caller = {.role = role.value_or(Role::kUser), .name = ""}, .secret = ""};
    token.caller.name = ToString(token.caller.role);
    if (!role || words.size() < 2 || !IsSecret(words[1]) ||
        !ReadRest(std::span(words).subspan(2), &token.caller)) {
      return absl::InvalidArgumentError(
          "line " + std::to_string(number) +
          ": expected \"ROLE SECRET [NAME] [QUOTA=N]\": the role worker, operator or user; a "
          "secret of 16 to 200 printable characters without spaces; a name of up to 40; the quota "
          "workers or audits of a worker, or bots, megabytes and calls of a user");
    }
    token.secret = words[1];
    if (const std::string_view clash = access.ClashOf(token); !clash.empty()) {
      return absl::InvalidArgumentError("line " + std::to_string(number) + ": " +
                                        std::string(clash));
    }
    access.tokens_.push_back(std::move(token));
  }
  if (access.tokens_.empty()) return absl::InvalidArgumentError("it contains no token");
  return access;
}

// Otherwise the order of the lines would decide what a caller may do: a stranger's new token, for
// example, without the audits of the old one.
std::string_view Access::ClashOf(const Token& token) const {
  for (const Token& other : tokens_) {
    if (other.caller.role != token.caller.role) continue;
    if (other.secret == token.secret) return "an earlier line has the same role and secret";
    if (other.caller.name == token.caller.name && other.caller.quotas != token.caller.quotas) {
      return "an earlier line gives the same name other quotas or audits";
    }
  }
  return "";
}

std::vector<Access::Caller> Access::Find(std::optional<std::string_view> authorization) const {
  if (!authorization || !authorization->starts_with(kBearer)) return {};
  const std::string_view secret = authorization->substr(kBearer.size());
  // Checks all tokens, even after a match.
  std::vector<Caller> found;
  for (const Token& token : tokens_) {
    if (IsEqual(token.secret, secret)) found.push_back(token.caller);
  }
  return found;
}

std::optional<Access::Caller> Access::Identify(
    std::optional<std::string_view> authorization) const {
  const std::vector<Caller> found = Find(authorization);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

absl::StatusOr<Access::Caller> Access::CheckAny(
    std::initializer_list<Role> roles, std::optional<std::string_view> authorization) const {
  if (is_open_) {
    return Caller{.role = *roles.begin(), .name = std::string(ToString(*roles.begin()))};
  }
  if (!authorization || !authorization->starts_with(kBearer)) {
    return absl::UnauthenticatedError("a token is needed (--token-file)");
  }
  const std::vector<Caller> found = Find(authorization);
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
