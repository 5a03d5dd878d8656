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
#include "coordinator/service/coordinator_metrics.h"
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

// Returns Access::CheckAny for the caller.
inline absl::StatusOr<Access::Caller> CheckAccess(const Access& access,
                                                  std::initializer_list<Access::Role> roles,
                                                  const grpc::CallbackServerContext* context) {
  const auto& metadata = context->client_metadata();
  const auto found = metadata.find("authorization");
  if (found == metadata.end()) return access.CheckAny(roles, std::nullopt);
  return access.CheckAny(roles, std::string_view(found->second.data(), found->second.size()));
}
inline absl::Status CheckAccess(const Access& access, Access::Role role,
                                const grpc::CallbackServerContext* context) {
  return CheckAccess(access, {role}, context).status();
}

// Runs a task later, on some thread.
using Post = std::function<void(std::function<void()>)>;

// Answers a call with `work(caller)` if the caller has one of the roles. Runs the work here, or
// where `post` does.
template <class F>
grpc::ServerUnaryReactor* AnswerCall(grpc::CallbackServerContext* context, std::string_view method,
                                     const Access& access,
                                     std::initializer_list<Access::Role> roles,
                                     CoordinatorMetrics* metrics, const Post& post, F work) {
  const auto call = std::make_shared<Call>(context, method, metrics);
  const absl::StatusOr<Access::Caller> caller = CheckAccess(access, roles, context);
  if (!caller.ok()) {
    call->Finish(caller.status());
  } else if (!post) {
    call->Finish(work(*caller));
  } else {
    post([context, call, work, caller = *caller] {
      // Skips the work if the client has given up.
      call->Finish(context->IsCancelled() ? absl::CancelledError("the caller gave up")
                                          : work(caller));
    });
  }
  return call->reactor();
}

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_REACTORS_H_
