// Adapts the size of reports to the speed of the link.

#ifndef TRIARCH_WORKER_SESSION_REPORT_SIZE_H_
#define TRIARCH_WORKER_SESSION_REPORT_SIZE_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "core/record/lease.h"

namespace triarch {

// Over a slow link a large report misses its deadline, and the heartbeats behind it arrive too
// late: leases expire, their games become stale, and the next ones fare no better. So reports begin
// small, double while they are transferred quickly, and are halved when a heartbeat was delayed
// alongside one. A late answer alone proves nothing: a report also waits for the store, and a
// smaller one would wait as long.
class ReportSize {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Options {
    int64_t plies_max = 100'000;  // approximate limit of a report
    int64_t plies_first = 1'000;  // limit of the first report
    // A report is too large if it is unanswered for this long, or if it delays a heartbeat for this
    // long or for a quarter of its lease. This is shorter than the calls' deadlines.
    std::chrono::milliseconds slow{5'000};
  };

  explicit ReportSize(const Options& options)
      : options_(options), plies_max_(std::min(options.plies_first, options.plies_max)) {}

  // Returns the approximate plies of the next report.
  int64_t plies_max() const { return plies_max_; }
  void set_ttl(std::chrono::milliseconds ttl) { ttl_ = ttl; }  // from the newest lease

  // Call when a report is due but not sent yet.
  void OnReportDue() {
    report_began_.reset();
    heartbeat_wait_ = {};
  }
  void OnReportSent(Time now) { report_began_ = now; }
  void OnReportEnd(ReportOutcome outcome, int64_t plies, Time now);
  void OnHeartbeatSent(Time now) { heartbeat_began_ = now; }
  void OnHeartbeatEnd(Time now) {
    NoteWait(now);
    heartbeat_began_.reset();
  }

 private:
  // Notes how long the pending heartbeat has waited so far, alongside the report if one is pending.
  void NoteWait(Time now);

  const Options options_;
  int64_t plies_max_;
  std::chrono::milliseconds ttl_{0};
  std::optional<Time> report_began_;     // empty if no report is pending
  std::optional<Time> heartbeat_began_;  // empty if no heartbeat is pending
  Time::duration heartbeat_wait_{0};     // longest wait alongside the report
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_REPORT_SIZE_H_
