// Makes a CoordinatorClient that uses gRPC.

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

// Makes a client for the coordinator behind the channel. Every call has a deadline and carries
// `token` unless it is empty. `metrics` must outlive the client. The client's destructor waits for
// pending calls.
std::unique_ptr<CoordinatorClient> MakeGrpcClient(std::shared_ptr<grpc::Channel> channel,
                                                  std::string token, WorkerMetrics* metrics);

}  // namespace triarch

#endif  // TRIARCH_WORKER_GRPC_CLIENT_H_
