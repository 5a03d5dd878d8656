#include "worker/session/report_size.h"

namespace triarch {

void ReportSize::NoteWait(Time now) {
  if (!heartbeat_began_ || !report_began_) return;
  // Time that the heartbeat waited before the report began has another cause.
  heartbeat_wait_ = std::max(heartbeat_wait_, now - std::max(*heartbeat_began_, *report_began_));
}

void ReportSize::OnReportEnd(ReportOutcome outcome, int64_t plies, Time now) {
  if (!report_began_) return;  // the report was never sent
  NoteWait(now);
  const std::chrono::milliseconds slow =
      ttl_.count() > 0 ? std::min(ttl_ / 4, options_.slow) : options_.slow;
  const bool is_late = now - *report_began_ > options_.slow;
  if (heartbeat_wait_ > slow || (is_late && outcome == ReportOutcome::kRetry)) {
    plies_max_ = std::max<int64_t>(1, std::min(plies_max_, plies / 2));
  } else if (outcome == ReportOutcome::kRecorded && heartbeat_wait_ <= slow / 2 && !is_late) {
    // A report that was small for lack of games proves nothing about larger ones.
    plies_max_ = std::max(plies_max_, std::min(options_.plies_max, 2 * plies));
  }
  report_began_.reset();
}

}  // namespace triarch
