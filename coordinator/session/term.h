// Says whether this coordinator leads.

#ifndef TRIARCH_COORDINATOR_SESSION_TERM_H_
#define TRIARCH_COORDINATOR_SESSION_TERM_H_

#include "absl/status/status.h"
#include "core/base/status_macros.h"

namespace triarch {

// A coordinator's term as leader. It ends once and for all.
class Term {
 public:
  void End(const absl::Status& why) { end_.Update(why); }
  // Notes what the store returned. A permanent error ends the term.
  void OnStored(const absl::Status& status) {
    store_status_ = status;
    if (absl::IsFailedPrecondition(status)) End(status);
  }

  bool is_over() const { return !end_.ok(); }
  // Returns Unavailable once the term is over, so that workers turn to the new leader.
  absl::Status CheckForWorkers() const {
    return is_over() ? absl::UnavailableError(end_.message()) : absl::OkStatus();
  }
  // Returns ok while this coordinator leads and the store answers. FailedPrecondition is permanent.
  absl::Status status() const {
    RETURN_IF_ERROR(end_);
    return store_status_;
  }

 private:
  absl::Status end_;
  absl::Status store_status_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_TERM_H_
