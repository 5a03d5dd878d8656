#include "worker/grpc_client.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <set>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"
#include "triarch/v1/worker.grpc.pb.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

// A coordinator answers all calls immediately except reports, which wait for the store.
constexpr std::chrono::seconds kDeadline{10};
constexpr std::chrono::seconds kReportDeadline{30};
constexpr int64_t kSlowBytesPerSecond = 20'000;

class GrpcClient : public CoordinatorClient {
 public:
  GrpcClient(const std::shared_ptr<grpc::Channel>& channel, std::string token,
             WorkerMetrics* metrics)
      : token_(std::move(token)), metrics_(metrics), stub_(v1::WorkerService::NewStub(channel)) {}
  ~GrpcClient() override {
    Cancel();
    MutexLock lock(&mutex_);
    while (!calls_.empty()) changed_.Wait(&mutex_);
  }

  void Register(const WorkerInfo& worker, Done<std::chrono::milliseconds> done) override {
    auto call = Begin<v1::RegisterRequest, v1::RegisterResponse>("Register", kDeadline);
    wire::ToWire(worker, &call->request);
    stub_->async()->Register(&call->context, &call->request, &call->response,
                             [this, call, done](const grpc::Status& status) {
                               const auto reply = Answer(*call, status);
                               reply.ok() ? done(reply->heartbeat) : done(reply.status());
                               End(*call);
                             });
  }

  void RequestLease(const WorkerId& worker, const std::vector<int64_t>& known_tournaments,
                    Done<ArrivedLease> done) override {
    auto call = Begin<v1::LeaseRequest, v1::LeaseResponse>("Lease", kDeadline);
    wire::ToWire(wire::LeaseRequest{.worker = worker, .known_tournaments = known_tournaments},
                 &call->request);
    stub_->async()->Lease(&call->context, &call->request, &call->response,
                          [this, call, done](const grpc::Status& status) {
                            const auto reply = Answer(*call, status);
                            reply.ok() ? done(ArrivedLease{.reply = reply->reply,
                                                           .spec_json = reply->spec_json,
                                                           .matches_json = reply->matches_json})
                                       : done(reply.status());
                            End(*call);
                          });
  }

  void Heartbeat(const HeartbeatRequest& heartbeat, Done<HeartbeatReply> done) override {
    auto call = Begin<v1::HeartbeatRequest, v1::HeartbeatResponse>("Heartbeat", kDeadline);
    wire::ToWire(heartbeat, &call->request);
    stub_->async()->Heartbeat(&call->context, &call->request, &call->response,
                              [this, call, done](const grpc::Status& status) {
                                done(Answer(*call, status));
                                End(*call);
                              });
  }

  void Send(const Report& report, Done<ReportReply> done) override {
    auto call = Begin<v1::ReportRequest, v1::ReportResponse>("Report", kReportDeadline);
    wire::ToWire(report, &call->request);
    // The report of a shard cannot be made smaller, so a slow link gets more time.
    const auto bytes = static_cast<int64_t>(call->request.ByteSizeLong());
    call->context.set_deadline(std::chrono::system_clock::now() + kReportDeadline +
                               std::chrono::seconds(bytes / kSlowBytesPerSecond));
    stub_->async()->Report(&call->context, &call->request, &call->response,
                           [this, call, done](const grpc::Status& status) {
                             done(Answer(*call, status));
                             End(*call);
                           });
  }

  void Fetch(const WorkerId& worker, const std::string& digest, int64_t offset,
             Done<BundlePart> done) override {
    auto call = Begin<v1::FetchBundleRequest, v1::FetchBundleResponse>("FetchBundle", kDeadline);
    wire::ToWire(wire::FetchBundleRequest{.worker = worker, .digest = digest, .offset = offset},
                 &call->request);
    stub_->async()->FetchBundle(&call->context, &call->request, &call->response,
                                [this, call, done](const grpc::Status& status) {
                                  done(Answer(*call, status));
                                  End(*call);
                                });
  }

  void Refuse(const WorkerId& worker, uint64_t token, const std::string& why,
              std::function<void(absl::Status)> done) override {
    Release({.worker = worker, .tokens = {token}, .why = why}, std::move(done));
  }
  void Leave(const WorkerId& worker, std::function<void(absl::Status)> done) override {
    Release({.worker = worker, .tokens = {}, .leaves = true}, std::move(done));
  }

  void Cancel() override {
    MutexLock lock(&mutex_);
    for (grpc::ClientContext* context : calls_) context->TryCancel();
  }

 private:
  void Release(const wire::ReleaseRequest& request, std::function<void(absl::Status)> done) {
    auto call = Begin<v1::ReleaseRequest, v1::ReleaseResponse>("Release", kDeadline);
    wire::ToWire(request, &call->request);
    stub_->async()->Release(&call->context, &call->request, &call->response,
                            [this, call, done](const grpc::Status& status) {
                              Count(*call, status);
                              done(wire::FromGrpc(status));
                              End(*call);
                            });
  }

  template <class Request, class Response>
  struct Call {
    const char* method;
    Clock::time_point began;
    grpc::ClientContext context;
    Request request;
    Response response;
  };

  template <class Request, class Response>
  std::shared_ptr<Call<Request, Response>> Begin(const char* method,
                                                 std::chrono::seconds deadline) {
    auto call = std::make_shared<Call<Request, Response>>();
    call->method = method;
    call->began = Clock::now();
    call->context.set_deadline(std::chrono::system_clock::now() + deadline);
    if (!token_.empty()) call->context.AddMetadata("authorization", "Bearer " + token_);
    MutexLock lock(&mutex_);
    calls_.insert(&call->context);
    return call;
  }
  template <class C>
  void Count(const C& call, const grpc::Status& status) {
    metrics_->Called(call.method, absl::StatusCodeToString(wire::FromGrpc(status).code()),
                     Clock::now() - call.began);
  }
  template <class C>
  auto Answer(const C& call, const grpc::Status& status)
      -> decltype(wire::FromWire(call.response)) {
    Count(call, status);
    if (!status.ok()) return wire::FromGrpc(status);
    return wire::FromWire(call.response);
  }
  // After the answer, the call touches neither the client nor its owner.
  template <class C>
  void End(C& call) {
    MutexLock lock(&mutex_);
    calls_.erase(&call.context);
    changed_.NotifyAll();
  }

  const std::string token_;
  WorkerMetrics* const metrics_;
  const std::unique_ptr<v1::WorkerService::Stub> stub_;

  Mutex mutex_;
  CondVar changed_;
  std::set<grpc::ClientContext*> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<CoordinatorClient> MakeGrpcClient(std::shared_ptr<grpc::Channel> channel,
                                                  std::string token, WorkerMetrics* metrics) {
  return std::make_unique<GrpcClient>(channel, std::move(token), metrics);
}

}  // namespace triarch
