// Makes a CoordinatorClient that calls a coordinator over gRPC.

#ifndef TRIARCH_WORKER_GRPC_CLIENT_H_
#define TRIARCH_WORKER_GRPC_CLIENT_H_

#include <memory>
#include <string>

#include "worker/coordinator_client.h"
#include "worker/worker_metrics.h"

namespace grpc {
class Channel;
}

namespace triarch {

// Calls the coordinator behind the channel. Every call has a deadline. Every call carries `token`,
// unless it is empty. `metrics` must outlive the client. The client's destructor waits for the
// calls under way.
std::unique_ptr<CoordinatorClient> MakeGrpcClient(std::shared_ptr<grpc::Channel> channel,
                                                  std::string token, WorkerMetrics* metrics);

}  // namespace triarch

#endif  // TRIARCH_WORKER_GRPC_CLIENT_H_
