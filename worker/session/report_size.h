// Learns how large a report may be from how the link has carried earlier ones.

#ifndef TRIARCH_WORKER_SESSION_REPORT_SIZE_H_
#define TRIARCH_WORKER_SESSION_REPORT_SIZE_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "core/record/lease.h"

namespace triarch {

// Over a slow link a large report misses its deadline, and the heartbeats that wait behind it come
// too late: the leases expire, their games are stale, and the next ones fare no better. So reports
// begin small, double while they get through quickly, and are halved when a heartbeat had to wait
// beside one. A late answer by itself says nothing: a report waits for the store too, and smaller
// ones would wait as long.
class ReportSize {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Options {
    int64_t plies_max = 100'000;  // in a report, about
    int64_t plies_first = 1'000;  // in the first one
    // A report without an answer for this long is too large, and so is one beside which a heartbeat
    // waits for this long or for a quarter of its lease. Shorter than the calls' deadlines.
    std::chrono::milliseconds slow{5'000};
  };

  explicit ReportSize(const Options& options)
      : options_(options), plies_max_(std::min(options.plies_first, options.plies_max)) {}

  // About how many plies the next report may have.
  int64_t plies_max() const { return plies_max_; }
  void set_ttl(std::chrono::milliseconds ttl) { ttl_ = ttl; }  // of the newest lease

  // A report is due; it is not sent yet.
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
  // The heartbeat under way has waited until now, beside the report if there is one.
  void NoteWait(Time now);

  const Options options_;
  int64_t plies_max_;
  std::chrono::milliseconds ttl_{0};
  std::optional<Time> report_began_;     // empty if none is under way
  std::optional<Time> heartbeat_began_;  // likewise
  Time::duration heartbeat_wait_{0};     // the longest beside the report
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_REPORT_SIZE_H_
