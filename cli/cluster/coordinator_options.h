#ifndef TRIARCH_CLI_CLUSTER_COORDINATOR_OPTIONS_H_
#define TRIARCH_CLI_CLUSTER_COORDINATOR_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/access.h"

namespace grpc {
class Channel;
}

namespace triarch {

// The flags of every command that talks to a coordinator.
struct CoordinatorOptions {
  std::string addresses;  // "host:7071,other:7071"; empty if it was not given
  std::string token_file;
  std::string tls_ca;
  std::string tls_cert;
  std::string tls_key;
};

// `is_required`: whether --coordinator must be given.
void AddCoordinatorOptions(CLI::App* command, CoordinatorOptions* options, bool is_required);

// ID: a tournament at a coordinator, from 1 on.
void AddIdOption(CLI::App* command, int64_t* id);

// A way to each of the addresses, and the token to show (empty for none).
struct CoordinatorLink {
  std::vector<std::string> addresses;
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  std::string token;
};
// InvalidArgument: an address that is none, a token file that cannot be read or holds no token of
// such a role (the first of `roles` for which there is one counts), a key without its certificate.
absl::StatusOr<CoordinatorLink> MakeLink(const CoordinatorOptions& options,
                                         std::initializer_list<Access::Role> roles);

// "host:port", the host perhaps in brackets. InvalidArgument names the flag.
absl::Status CheckAddress(const std::string& flag, const std::string& address);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_COORDINATOR_OPTIONS_H_
