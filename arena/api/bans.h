// Knows whom an operator has blocked or muted.

#ifndef TRIARCH_ARENA_API_BANS_H_
#define TRIARCH_ARENA_API_BANS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/api/ip_range.h"
#include "arena/store/arena_store.h"

namespace triarch::arena {

// Returns whether the pattern matches the whole text. A "*" stands for any characters, also none;
// the case of ASCII letters does not count.
bool MatchesPattern(std::string_view pattern, std::string_view text);

class Bans {
 public:
  // Checks what a ban names, and returns it in the form in which it is stored. InvalidArgument: it
  // is malformed, or matches everyone.
  static absl::StatusOr<std::string> CheckWhat(Ban::Kind kind, const std::string& what);

  // Replaces all bans; those that are malformed do not count.
  void Set(std::vector<Ban> bans);
  const std::vector<Ban>& all() const { return bans_; }

  // PermissionDenied: the name, or the client's address, is blocked.
  absl::Status CheckName(std::string_view name) const;
  absl::Status CheckClient(std::string_view client) const;
  bool IsMuted(std::string_view name) const;

 private:
  bool HasName(Ban::Kind kind, std::string_view name) const;

  std::vector<Ban> bans_;
  std::vector<IpRange> ranges_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_BANS_H_
