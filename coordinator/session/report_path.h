// Takes reports from their arrival through a replay and the store to their answers.

#ifndef TRIARCH_COORDINATOR_SESSION_REPORT_PATH_H_
#define TRIARCH_COORDINATOR_SESSION_REPORT_PATH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/session/audited_reports.h"
#include "coordinator/session/live_tournaments.h"
#include "coordinator/session/report_step.h"
#include "coordinator/session/session_options.h"
#include "coordinator/session/term.h"

namespace triarch {

// A report goes from Accept through a replay (OnReplayed) and the store (OnRecorded) to its answer;
// any step can be the last. The answer to an audit is compared (OnCompared) instead of recorded.
// The parts that are given must outlive it.
class ReportPath {
 public:
  using Time = LeaseBook::Time;

  ReportPath(const SessionOptions& options, Term& term, LeaseBook& book, AuditedReports& held,
             LiveTournaments& tournaments)
      : options_(options), term_(term), book_(book), held_(held), tournaments_(tournaments) {}

  ReportStep Accept(PendingReport& pending, Time now);
  // `status` is ok or names the invalid game.
  ReportStep OnReplayed(PendingReport& pending, const absl::Status& status, Time now);
  // `status` comes from Store::Record or RecordShard, or is Cancelled if the games were not
  // recorded because the coordinator is stopping.
  ReportStep OnRecorded(const PendingReport& pending, const absl::Status& status,
                        const std::vector<GameRecord>& games, Time now);
  // `reported` and `played` are what AuditText returns for the held and for the new game. `status`
  // is NotFound if the report is no longer held.
  ReportStep OnCompared(const PendingReport& pending, const absl::Status& status,
                        std::string_view reported, std::string_view played, Time now);

  // Returns whether the held report must wait like those of workers. If so, TakeConfirmed returns
  // it again.
  bool Postpone(int64_t report);
  // Like Accept, for the held report `confirms`, whose games count now.
  ReportStep AcceptConfirmed(PendingReport& pending);
  // `status` says why the report cannot be read.
  void OnConfirmedLost(int64_t report, const absl::Status& status);

  // Returns the planned matches of the games of an accepted report; none if they are not planned.
  std::vector<PlannedMatch> MatchesOf(const PendingReport& pending) const;

  // Returns whether workers must wait with reports.
  bool is_busy() const;
  int64_t replaying_plies() const { return replaying_plies_; }
  bool is_store_behind() const { return recording_bytes_ >= options_.record_bytes_max; }

 private:
  LiveTournament& At(int64_t id) { return tournaments_.At(id); }
  static ReportStep Answer(const ReportReply& reply) { return {.answer = reply}; }
  ReportReply Retry(std::string why) const;
  absl::StatusOr<std::optional<ReportReply>> Check(PendingReport& pending, Time now);
  void Begin(PendingReport& pending, const LeaseBook::ReportCheck& check);
  void BeginAudit(PendingReport& pending, const LeaseBook::ReportCheck& check);
  // Begins to replay the games of the report.
  void BeginReplay(PendingReport& pending);
  void EndReplay(const PendingReport& pending);
  void Finish(const PendingReport& pending);
  ReportReply Reject(const Report& report, const absl::Status& why, Time now);
  void Count(const PendingReport& pending, const std::vector<GameRecord>& games, Time now);
  void Hold(const PendingReport& pending, Time now);
  void OnConfirmedRecorded(const PendingReport& pending, const absl::Status& status,
                           const std::vector<GameRecord>& games, Time now);
  void CountGames(const PendingReport& pending, const std::vector<GameRecord>& games,
                  bool completes, Time now);

  const SessionOptions& options_;
  Term& term_;
  LeaseBook& book_;
  AuditedReports& held_;
  LiveTournaments& tournaments_;
  int64_t replaying_plies_ = 0;
  // The memory of the games in these stages.
  int64_t replaying_bytes_ = 0;
  int64_t recording_bytes_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_REPORT_PATH_H_
