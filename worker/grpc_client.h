#ifndef TRIARCH_WORKER_GRPC_CLIENT_H_
#define TRIARCH_WORKER_GRPC_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "worker/coordinator_client.h"
#include "worker/worker_metrics.h"

namespace grpc {
class Channel;
}

namespace triarch {

// Calls the coordinator behind the first of the channels that answers; when that one is away, the
// next. Every call has a deadline. `token` is shown with every call, unless it is empty. `metrics`
// must outlive the client, and the client's end waits for the calls under way.
std::unique_ptr<CoordinatorClient> MakeGrpcClient(
    std::vector<std::shared_ptr<grpc::Channel>> channels, std::string token,
    WorkerMetrics* metrics);

}  // namespace triarch

#endif  // TRIARCH_WORKER_GRPC_CLIENT_H_
