// Opens connections to coordinators with the token and TLS files that the options name.

#ifndef TRIARCH_CLI_CLUSTER_COORDINATOR_LINK_H_
#define TRIARCH_CLI_CLUSTER_COORDINATOR_LINK_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/cluster/coordinator_options.h"
#include "coordinator/service/access.h"

namespace grpc {
class Channel;
}

namespace triarch {

// One channel per address, and the token to present ("" for none).
struct CoordinatorLink {
  std::vector<std::string> addresses;
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  std::string token;
};

// Takes the token of the first of `roles` that the token file contains. InvalidArgument: a file
// cannot be read or contains no such token, or a certificate comes without its key.
absl::StatusOr<CoordinatorLink> MakeLink(const CoordinatorOptions& options,
                                         std::initializer_list<Access::Role> roles);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_COORDINATOR_LINK_H_
