#include "coordinator/service/worker_service.h"

#include <algorithm>
#include <utility>

#include "core/base/status_macros.h"
#include "proto/convert.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

// Admits Register and Lease; a worker requests a lease every few seconds.
constexpr double kAdmittedPerSecond = 500;
constexpr double kAdmittedAtOnce = 200;

}  // namespace

WorkerService::WorkerService(Coordinator* coordinator, Gate* gate, CoordinatorMetrics* metrics)
    : coordinator_(coordinator),
      gate_(gate),
      metrics_(metrics),
      admission_(kAdmittedPerSecond, kAdmittedAtOnce, std::chrono::steady_clock::now()) {}

template <class F>
grpc::ServerUnaryReactor* WorkerService::Answer(grpc::CallbackServerContext* context,
                                                std::string_view method, F work) {
  Call call(context, method, metrics_);
  const absl::StatusOr<Gate::Call> admitted =
      triarch::Admit(*gate_, {Access::Role::kWorker}, context, method);
  call.Finish(admitted.ok() ? work(admitted->caller) : admitted.status());
  return call.reactor();
}

absl::Status WorkerService::Admit() {
  if (admission_.Admit(std::chrono::steady_clock::now())) return absl::OkStatus();
  return absl::ResourceExhaustedError("too many requests from workers; try again soon");
}

grpc::ServerUnaryReactor* WorkerService::Register(grpc::CallbackServerContext* context,
                                                  const v1::RegisterRequest* request,
                                                  v1::RegisterResponse* response) {
  return Answer(context, "Register", [&](const Access::Caller& caller) -> absl::Status {
    RETURN_IF_ERROR(Admit());
    const absl::Status status = DoRegister(*request, caller, response);
    if (absl::IsUnavailable(status)) return status;
    if (!refused_.Note(request->worker().name(), std::string(status.message()))) return status;
    gate_->log()({.level = LogLevel::kWarning,
                  .event = "refused",
                  .message = "A worker may not register.",
                  .fields = {{"worker", request->worker().name()},
                             {"owner", caller.name},
                             {"peer", PeerOf(*context)},
                             {"why", std::string(status.message())}}});
    return status;
  });
}

absl::Status WorkerService::DoRegister(const v1::RegisterRequest& request,
                                       const Access::Caller& caller,
                                       v1::RegisterResponse* response) {
  ASSIGN_OR_RETURN(const WorkerInfo worker, wire::FromWire(request));
  RETURN_IF_ERROR(coordinator_->Register(
      worker,
      {.name = caller.name, .workers_max = caller.quotas.workers, .audits = caller.quotas.audits}));
  wire::ToWire(wire::RegisterReply{.heartbeat = coordinator_->rules().heartbeat}, response);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* WorkerService::Lease(grpc::CallbackServerContext* context,
                                               const v1::LeaseRequest* request,
                                               v1::LeaseResponse* response) {
  return Answer(context, "Lease",
                [&](const Access::Caller&) { return DoLease(*request, response); });
}

absl::Status WorkerService::DoLease(const v1::LeaseRequest& request, v1::LeaseResponse* response) {
  RETURN_IF_ERROR(Admit());
  ASSIGN_OR_RETURN(const wire::LeaseRequest asked, wire::FromWire(request));
  wire::LeaseResponse answer;
  ASSIGN_OR_RETURN(answer.reply, coordinator_->RequestLease(asked.worker));
  if (answer.reply.lease) {
    const int64_t tournament = answer.reply.lease->tournament;
    const auto& known = asked.known_tournaments;
    if (std::find(known.begin(), known.end(), tournament) == known.end()) {
      ASSIGN_OR_RETURN(answer.spec_json, coordinator_->SpecJson(tournament));
    }
  }
  if (answer.reply.lease && !answer.reply.lease->matches.empty()) {
    answer.matches_json = MatchesToJson(answer.reply.lease->matches);
  }
  wire::ToWire(answer, response);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* WorkerService::Heartbeat(grpc::CallbackServerContext* context,
                                                   const v1::HeartbeatRequest* request,
                                                   v1::HeartbeatResponse* response) {
  return Answer(context, "Heartbeat",
                [&](const Access::Caller&) { return DoHeartbeat(*request, response); });
}

absl::Status WorkerService::DoHeartbeat(const v1::HeartbeatRequest& request,
                                        v1::HeartbeatResponse* response) {
  ASSIGN_OR_RETURN(const triarch::HeartbeatRequest heartbeat, wire::FromWire(request));
  ASSIGN_OR_RETURN(const HeartbeatReply reply, coordinator_->Heartbeat(heartbeat));
  wire::ToWire(reply, response);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* WorkerService::Release(grpc::CallbackServerContext* context,
                                                 const v1::ReleaseRequest* request,
                                                 v1::ReleaseResponse*) {
  return Answer(context, "Release", [&](const Access::Caller&) { return DoRelease(*request); });
}

absl::Status WorkerService::DoRelease(const v1::ReleaseRequest& request) {
  ASSIGN_OR_RETURN(const wire::ReleaseRequest release, wire::FromWire(request));
  coordinator_->Release(release.worker, release.tokens, release.why, release.leaves);
  return absl::OkStatus();
}

// Answers later if the store must be asked.
grpc::ServerUnaryReactor* WorkerService::FetchBundle(grpc::CallbackServerContext* context,
                                                     const v1::FetchBundleRequest* request,
                                                     v1::FetchBundleResponse* response) {
  const auto call = std::make_shared<Call>(context, "FetchBundle", metrics_);
  const absl::Status access =
      triarch::Admit(*gate_, {Access::Role::kWorker}, context, "FetchBundle").status();
  const absl::StatusOr<wire::FetchBundleRequest> asked =
      access.ok() ? wire::FromWire(*request) : absl::StatusOr<wire::FetchBundleRequest>(access);
  if (!asked.ok()) {
    call->Finish(asked.status());
    return call->reactor();
  }
  coordinator_->bundles().Fetch(
      asked->digest, [call, response, offset = static_cast<size_t>(asked->offset)](
                         const absl::StatusOr<std::shared_ptr<const std::string>>& tar) {
        if (!tar.ok()) return call->Finish(tar.status());
        const std::string_view bytes = **tar;
        if (offset >= bytes.size()) {
          return call->Finish(absl::InvalidArgumentError("offset: beyond the end of the bundle"));
        }
        const std::string_view part = bytes.substr(offset, wire::kBundlePartMax);
        wire::ToWire(
            BundlePart{.size = static_cast<int64_t>(bytes.size()), .bytes = std::string(part)},
            response);
        call->Finish(absl::OkStatus());
      });
  return call->reactor();
}

// Answers later, when the store has the games.
grpc::ServerUnaryReactor* WorkerService::Report(grpc::CallbackServerContext* context,
                                                const v1::ReportRequest* request,
                                                v1::ReportResponse* response) {
  const auto call = std::make_shared<Call>(context, "Report", metrics_);
  const absl::Status access =
      triarch::Admit(*gate_, {Access::Role::kWorker}, context, "Report").status();
  absl::StatusOr<triarch::Report> report =
      access.ok() ? wire::FromWire(*request) : absl::StatusOr<triarch::Report>(access);
  if (!report.ok()) {
    call->Finish(report.status());
    return call->reactor();
  }
  coordinator_->Report(*std::move(report),
                       [call, response](const absl::StatusOr<ReportReply>& reply) {
                         if (reply.ok()) wire::ToWire(*reply, response);
                         call->Finish(reply.status());
                       });
  return call->reactor();
}

}  // namespace triarch
