// Decides who may call what, by the tokens of a file.

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

// A token is a secret sent by a caller; it determines the caller's role.
class Access {
 public:
  enum class Role : uint8_t {
    kWorker,
    kOperator,
    kUser,  // may add process bots, list all bots, and remove bots added by users
  };

  // Lets every caller do everything.
  Access() = default;

  // Reads a token file: lines "worker SECRET", "operator SECRET" and "user SECRET", blank lines and
  // # comments. A secret is 16 to 200 printable characters without spaces. Fails with
  // InvalidArgument, naming the line.
  static absl::StatusOr<Access> Parse(std::string_view text);

  // `authorization` is the header's value, "Bearer SECRET". Fails with Unauthenticated if the token
  // is missing or unknown, and with PermissionDenied if it has another role.
  absl::Status Check(Role role, std::optional<std::string_view> authorization) const;
  // Like Check, for a call that several roles may make. Returns the first of them that the token
  // has, or the first of all if every caller may do everything.
  absl::StatusOr<Role> CheckAny(std::initializer_list<Role> roles,
                                std::optional<std::string_view> authorization) const;

  // Returns the first token of the role, for a client with this file.
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
