#include "arena/api/bans.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

constexpr size_t kPatternMax = 320;  // bytes: names have up to 80 characters

char LowerOf(char c) { return absl::ascii_tolower(static_cast<unsigned char>(c)); }

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view text) {
  // After a mismatch, the last star takes one character more.
  size_t star = std::string_view::npos;
  size_t star_text = 0;
  size_t p = 0;
  size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && LowerOf(pattern[p]) == LowerOf(text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

absl::StatusOr<std::string> Bans::CheckWhat(Ban::Kind kind, const std::string& what) {
  if (kind == Ban::Kind::kAddress) {
    ASSIGN_OR_RETURN(const IpRange range, IpRange::Parse(what));
    return range.ToString();
  }
  std::string pattern = absl::AsciiStrToLower(std::string(Trim(what)));
  if (pattern.empty() || pattern.size() > kPatternMax) {
    return absl::InvalidArgumentError("name: expected a name of up to 80 characters");
  }
  if (pattern.find_first_not_of('*') == std::string::npos) {
    return absl::InvalidArgumentError("name: the pattern matches everyone");
  }
  return pattern;
}

void Bans::Set(std::vector<Ban> bans) {
  bans_ = std::move(bans);
  ranges_.clear();
  for (const Ban& ban : bans_) {
    if (ban.kind != Ban::Kind::kAddress) continue;
    const absl::StatusOr<IpRange> range = IpRange::Parse(ban.what);
    if (range.ok()) ranges_.push_back(*range);
  }
}

bool Bans::HasName(Ban::Kind kind, std::string_view name) const {
  return std::any_of(bans_.begin(), bans_.end(), [&](const Ban& ban) {
    return ban.kind == kind && MatchesPattern(ban.what, name);
  });
}

absl::Status Bans::CheckName(std::string_view name) const {
  if (!HasName(Ban::Kind::kName, name)) return absl::OkStatus();
  return absl::PermissionDeniedError("the operator of this arena has blocked this name");
}

absl::Status Bans::CheckClient(std::string_view client) const {
  const std::optional<IpAddress> address = ParseIp(client);
  if (!address || std::none_of(ranges_.begin(), ranges_.end(),
                               [&](const IpRange& range) { return range.Contains(*address); })) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError("the operator of this arena has blocked your address");
}

bool Bans::IsMuted(std::string_view name) const { return HasName(Ban::Kind::kMute, name); }

}  // namespace triarch::arena
