// Answers the workers' gRPC calls.

#ifndef TRIARCH_COORDINATOR_SERVICE_WORKER_SERVICE_H_
#define TRIARCH_COORDINATOR_SERVICE_WORKER_SERVICE_H_

#include <memory>
#include <string_view>

#include "coordinator/service/admission.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/reactors.h"
#include "coordinator/service/refused_workers.h"
#include "triarch/v1/worker.grpc.pb.h"

namespace triarch {

// Serves workers. Converts requests, asks the coordinator, and converts its answers back. Decides
// nothing.
class WorkerService : public v1::WorkerService::CallbackService {
 public:
  // All arguments must outlive the service.
  WorkerService(Coordinator* coordinator, Gate* gate, CoordinatorMetrics* metrics);

  grpc::ServerUnaryReactor* Register(grpc::CallbackServerContext* context,
                                     const v1::RegisterRequest* request,
                                     v1::RegisterResponse* response) override;
  grpc::ServerUnaryReactor* Lease(grpc::CallbackServerContext* context,
                                  const v1::LeaseRequest* request,
                                  v1::LeaseResponse* response) override;
  grpc::ServerUnaryReactor* Heartbeat(grpc::CallbackServerContext* context,
                                      const v1::HeartbeatRequest* request,
                                      v1::HeartbeatResponse* response) override;
  grpc::ServerUnaryReactor* Report(grpc::CallbackServerContext* context,
                                   const v1::ReportRequest* request,
                                   v1::ReportResponse* response) override;
  grpc::ServerUnaryReactor* FetchBundle(grpc::CallbackServerContext* context,
                                        const v1::FetchBundleRequest* request,
                                        v1::FetchBundleResponse* response) override;
  grpc::ServerUnaryReactor* Release(grpc::CallbackServerContext* context,
                                    const v1::ReleaseRequest* request,
                                    v1::ReleaseResponse* response) override;

 private:
  absl::Status DoRegister(const v1::RegisterRequest& request, const Access::Caller& caller,
                          v1::RegisterResponse* response);
  absl::Status DoLease(const v1::LeaseRequest& request, v1::LeaseResponse* response);
  absl::Status DoHeartbeat(const v1::HeartbeatRequest& request, v1::HeartbeatResponse* response);
  absl::Status DoRelease(const v1::ReleaseRequest& request);
  absl::Status Admit();
  // Answers with `work(caller)` if the caller has permission.
  template <class F>
  grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, std::string_view method,
                                   F work);

  Coordinator* const coordinator_;
  Gate* const gate_;
  CoordinatorMetrics* const metrics_;
  Admission admission_;
  RefusedWorkers refused_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_WORKER_SERVICE_H_
