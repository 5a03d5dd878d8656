#include "coordinator/service/access.h"

#include <algorithm>

#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kSecretMin = 16;
constexpr size_t kSecretMax = 200;
constexpr std::string_view kBearer = "Bearer ";

// Takes as long wherever the two differ.
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
    const bool is_worker = word == "worker";
    if ((!is_worker && word != "operator") || !IsSecret(secret)) {
      return absl::InvalidArgumentError(
          "line " + std::to_string(number) +
          ": expected \"worker SECRET\" or \"operator SECRET\", the secret of 16 to 200 printable "
          "characters without spaces");
    }
    access.tokens_.push_back({is_worker ? Role::kWorker : Role::kOperator, std::string(secret)});
  }
  if (access.tokens_.empty()) return absl::InvalidArgumentError("it holds no token");
  return access;
}

absl::Status Access::Check(Role role, std::optional<std::string_view> authorization) const {
  if (is_open_) return absl::OkStatus();
  if (!authorization || !authorization->starts_with(kBearer)) {
    return absl::UnauthenticatedError("a token is needed (--token-file)");
  }
  const std::string_view secret = authorization->substr(kBearer.size());
  // All are looked at, whichever fits.
  std::optional<Role> found;
  for (const Token& token : tokens_) {
    if (IsEqual(token.secret, secret) && found != role) found = token.role;
  }
  if (!found) return absl::UnauthenticatedError("the token is not known here");
  if (found == role) return absl::OkStatus();
  return absl::PermissionDeniedError(role == Role::kOperator
                                         ? "a worker's token may not operate tournaments"
                                         : "an operator's token may not work");
}

std::optional<std::string> Access::TokenOf(Role role) const {
  for (const Token& token : tokens_) {
    if (token.role == role) return token.secret;
  }
  return std::nullopt;
}

}  // namespace triarch
