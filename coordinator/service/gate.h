// Admits the callers of a coordinator.

#ifndef TRIARCH_COORDINATOR_SERVICE_GATE_H_
#define TRIARCH_COORDINATOR_SERVICE_GATE_H_

#include <chrono>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "coordinator/service/access.h"
#include "coordinator/service/admission.h"
#include "core/base/log.h"
#include "core/base/mutex.h"

namespace triarch {

// Checks tokens and limits the calls of users, so that none can keep the coordinator busy alone.
// Thread-safe.
class Gate {
 public:
  // Calls of one user at a time. Others would wait for the store anyway.
  static constexpr int kInProgressMax = 4;

  // An admitted call. Keep it until the call is answered.
  struct Call {
    Access::Caller caller;
    std::shared_ptr<void> in_progress = nullptr;
  };

  explicit Gate(
      Access access, LogTo log = [](const LogEntry&) {});

  // Takes entries about calls.
  const LogTo& log() const { return log_; }

  // Takes effect on later calls.
  void SetAccess(Access access) ABSL_LOCKS_EXCLUDED(mutex_);

  // Fails as Access::CheckAny does, and with ResourceExhausted if a user calls too often.
  absl::StatusOr<Call> Admit(std::initializer_list<Access::Role> roles,
                             std::optional<std::string_view> authorization, Admission::Time now)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns Access::Identify.
  std::optional<Access::Caller> Identify(std::optional<std::string_view> authorization)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return access_->Identify(authorization);
  }

 private:
  // The calls of one user.
  struct User {
    User(double per_second, Admission::Time now) : admission(per_second, 2 * per_second, now) {}
    Admission admission;
    std::shared_ptr<int> calls = std::make_shared<int>();  // its use count is what counts
  };

  const LogTo log_;
  Mutex mutex_;
  std::shared_ptr<const Access> access_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, User> users_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_GATE_H_
