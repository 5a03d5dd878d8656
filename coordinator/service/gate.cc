#include "coordinator/service/gate.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"

namespace triarch {

Gate::Gate(Access access, LogTo log)
    : log_(std::move(log)), access_(std::make_shared<const Access>(std::move(access))) {}

void Gate::SetAccess(Access access) {
  MutexLock lock(&mutex_);
  access_ = std::make_shared<const Access>(std::move(access));
  users_.clear();
}

absl::StatusOr<Gate::Call> Gate::Admit(std::initializer_list<Access::Role> roles,
                                       std::optional<std::string_view> authorization,
                                       Admission::Time now) {
  std::shared_ptr<const Access> access;
  {
    MutexLock lock(&mutex_);
    access = access_;
  }
  Call call;
  ASSIGN_OR_RETURN(call.caller, access->CheckAny(roles, authorization));
  if (call.caller.role != Access::Role::kUser) return call;
  const int64_t per_second = call.caller.quotas.calls;
  MutexLock lock(&mutex_);
  User& user =
      users_.try_emplace(call.caller.name, static_cast<double>(per_second), now).first->second;
  if (!user.admission.Admit(now)) {
    return absl::ResourceExhaustedError(
        absl::StrFormat("user %s may make %d calls per second; try again in a second",
                        call.caller.name, per_second));
  }
  if (user.calls.use_count() > kInProgressMax) {
    return absl::ResourceExhaustedError(absl::StrFormat(
        "user %s has %d calls in progress; wait for an answer", call.caller.name, kInProgressMax));
  }
  call.in_progress = user.calls;
  return call;
}

}  // namespace triarch
