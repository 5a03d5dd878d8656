// Checks the caller of a unary gRPC call, runs the work and counts the call.

#ifndef TRIARCH_COORDINATOR_SERVICE_REACTORS_H_
#define TRIARCH_COORDINATOR_SERVICE_REACTORS_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "coordinator/service/access.h"
#include "coordinator/service/change_log.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/gate.h"
#include "proto/grpc_status.h"

namespace triarch {

// A call in progress. Call Finish once, on any thread.
class Call {
 public:
  Call(grpc::CallbackServerContext* context, std::string_view method, CoordinatorMetrics* metrics)
      : reactor_(context->DefaultReactor()),
        method_(method),
        metrics_(metrics),
        began_(std::chrono::steady_clock::now()) {}

  void Finish(const absl::Status& status) {
    metrics_->Called(method_, absl::StatusCodeToString(status.code()),
                     std::chrono::steady_clock::now() - began_);
    reactor_->Finish(wire::ToGrpc(status));
  }
  grpc::ServerUnaryReactor* reactor() { return reactor_; }

 private:
  grpc::ServerUnaryReactor* const reactor_;
  const std::string_view method_;  // points to a literal
  CoordinatorMetrics* const metrics_;
  const std::chrono::steady_clock::time_point began_;
};

// Returns Gate::Admit for the caller. Logs refused changes, and wrong tokens.
inline absl::StatusOr<Gate::Call> Admit(Gate& gate, std::initializer_list<Access::Role> roles,
                                        const grpc::CallbackServerContext* context,
                                        std::string_view method,
                                        const DescribeChange& change = nullptr) {
  const auto& metadata = context->client_metadata();
  const auto found = metadata.find("authorization");
  std::optional<std::string_view> authorization;
  if (found != metadata.end()) {
    authorization.emplace(found->second.data(), found->second.size());
  }
  absl::StatusOr<Gate::Call> call =
      gate.Admit(roles, authorization, std::chrono::steady_clock::now());
  if (call.ok()) return call;
  const std::optional<Access::Caller> caller = gate.Identify(authorization);
  if (change) {
    gate.log()(ChangeEntry(change(), caller, PeerOf(*context), call.status()));
  } else if (!absl::IsResourceExhausted(call.status())) {
    gate.log()(RefusedEntry(method, caller, PeerOf(*context), call.status()));
  }
  return call;
}

// Runs a task later, on some thread.
using Post = std::function<void(std::function<void()>)>;

// Answers a call with `work(caller)` if the caller has one of the roles. Runs the work where `post`
// does: gRPC's own threads are for the workers. If the call changes something, logs `change`.
template <class F>
grpc::ServerUnaryReactor* AnswerCall(grpc::CallbackServerContext* context, std::string_view method,
                                     Gate& gate, std::initializer_list<Access::Role> roles,
                                     CoordinatorMetrics* metrics, const Post& post, F work,
                                     const DescribeChange& change) {
  const auto call = std::make_shared<Call>(context, method, metrics);
  const absl::StatusOr<Gate::Call> admitted = Admit(gate, roles, context, method, change);
  if (!admitted.ok()) {
    call->Finish(admitted.status());
    return call->reactor();
  }
  post([context, call, work, change, &gate, admitted = *admitted] {
    // Skips the work if the client has given up.
    const absl::Status status =
        context->IsCancelled() ? absl::CancelledError("the caller gave up") : work(admitted.caller);
    if (change) LogChange(gate.log(), change(), admitted.caller, PeerOf(*context), status);
    call->Finish(status);
  });
  return call->reactor();
}

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_REACTORS_H_
