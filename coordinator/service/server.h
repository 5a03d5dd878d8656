// Runs a coordinator's gRPC server.

#ifndef TRIARCH_COORDINATOR_SERVICE_SERVER_H_
#define TRIARCH_COORDINATOR_SERVICE_SERVER_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/service/access.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/server_tls.h"

namespace grpc {
class Channel;
}

namespace triarch {

class Server {
 public:
  struct Options {
    std::string address;  // "0.0.0.0:7071"; 0 for any free port; "" for in-process channels only
    std::optional<ServerTls> tls;  // valid
    Access access;
  };

  // Both pointers must outlive the server. Fails with Unavailable if the address is in use or
  // invalid.
  static absl::StatusOr<std::unique_ptr<Server>> Start(Options options, Coordinator* coordinator,
                                                       CoordinatorMetrics* metrics);
  // Ends all calls in progress.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Replaces the tokens for all later calls.
  void SetAccess(Access access);
  int port() const;  // 0 without an address
  // Returns how many of this server's latest calls of its own port have failed in a row.
  int failed_probes() const;
  std::shared_ptr<grpc::Channel> InProcessChannel();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_SERVER_H_
