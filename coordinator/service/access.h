#ifndef TRIARCH_COORDINATOR_SERVICE_ACCESS_H_
#define TRIARCH_COORDINATOR_SERVICE_ACCESS_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace triarch {

// Who may ask what. A token is a secret that a caller shows; it says what the caller is.
class Access {
 public:
  enum class Role : uint8_t {
    kWorker,
    kOperator,
    kUser,  // may add process bots, and see and remove what users added
  };

  // Everybody may do everything.
  Access() = default;

  // A token file: lines "worker SECRET", "operator SECRET" and "user SECRET", blank lines and #
  // comments. A secret is 16 to 200 printable characters without spaces. InvalidArgument names the
  // line.
  static absl::StatusOr<Access> Parse(std::string_view text);

  // Unauthenticated: no token where one is needed, or an unknown one. PermissionDenied: a token of
  // the other role. `authorization` is the header's value, "Bearer SECRET".
  absl::Status Check(Role role, std::optional<std::string_view> authorization) const;
  // The same where several roles may ask: the first of them that the token has. Where everybody may
  // do everything, the first.
  absl::StatusOr<Role> CheckAny(std::initializer_list<Role> roles,
                                std::optional<std::string_view> authorization) const;

  // The first token of the role: what a client with this file shows.
  std::optional<std::string> TokenOf(Role role) const;

 private:
  struct Token {
    Role role;
    std::string secret;
  };
  bool is_open_ = true;
  std::vector<Token> tokens_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_ACCESS_H_
