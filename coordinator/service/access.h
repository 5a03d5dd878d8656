// Decides who may call what, by the tokens of a file.

#ifndef TRIARCH_COORDINATOR_SERVICE_ACCESS_H_
#define TRIARCH_COORDINATOR_SERVICE_ACCESS_H_

#include <cstdint>
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
    kUser,  // may see tournaments, games and bots, and add and remove process bots of its own
  };

  // What the callers with one name may use together.
  struct Quotas {
    int64_t workers = 20'000;  // registered at a time
    int64_t bots = 50;         // bundles that a user added
    int64_t megabytes = 200;   // size of these bundles
    int64_t calls = 20;        // of a user, per second
    // The audits that a worker must pass before its games count; 0 if it is trusted. No quota, but
    // it belongs to the name, too.
    int64_t audits = 0;

    friend bool operator==(const Quotas&, const Quotas&) = default;
  };

  // A caller with a token.
  struct Caller {
    Role role = Role::kOperator;
    std::string name = "operator";
    Quotas quotas = {};
    bool is_operator() const { return role == Role::kOperator; }

    friend bool operator==(const Caller&, const Caller&) = default;
  };

  // Lets every caller do everything.
  Access() = default;

  // Reads a token file: lines "ROLE SECRET [NAME] [QUOTA=N]…", blank lines and # comments. A secret
  // is 16 to 200 printable characters without spaces. The name is by default the role's. All lines
  // of a role with the same name must have the same quotas. Fails with InvalidArgument, naming the
  // line.
  static absl::StatusOr<Access> Parse(std::string_view text);

  // `authorization` is the header's value, "Bearer SECRET". Fails with Unauthenticated if the token
  // is missing or unknown, and with PermissionDenied if it has another role.
  absl::Status Check(Role role, std::optional<std::string_view> authorization) const;
  // Like Check, for a call that several roles may make. Returns the caller with the first of them
  // that the token has, or with the first of all if every caller may do everything.
  absl::StatusOr<Caller> CheckAny(std::initializer_list<Role> roles,
                                  std::optional<std::string_view> authorization) const;

  // Returns the first caller with that token, in any role, or nullopt if nobody has it.
  std::optional<Caller> Identify(std::optional<std::string_view> authorization) const;

  // Returns the first token of the role, for a client with this file.
  std::optional<std::string> TokenOf(Role role) const;

 private:
  struct Token {
    Caller caller;
    std::string secret;
  };
  // Returns why the tokens so far and this one cannot be in one file, or "".
  std::string_view ClashOf(const Token& token) const;
  // Returns the callers with that token.
  std::vector<Caller> Find(std::optional<std::string_view> authorization) const;

  bool is_open_ = true;
  std::vector<Token> tokens_;
};

// "operator", as in the token file.
std::string_view ToString(Access::Role role);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_ACCESS_H_
