// Decides everything a coordinator answers, from a worker's registration to the recording of a
// report.

#ifndef TRIARCH_COORDINATOR_SESSION_COORDINATOR_SESSION_H_
#define TRIARCH_COORDINATOR_SESSION_COORDINATOR_SESSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/session/audited_reports.h"
#include "coordinator/session/live_tournament.h"
#include "coordinator/session/live_tournaments.h"
#include "coordinator/session/report_path.h"
#include "coordinator/session/report_step.h"
#include "coordinator/session/session_options.h"
#include "coordinator/session/store_notes.h"
#include "coordinator/session/term.h"
#include "coordinator/session/tournament_status.h"
#include "coordinator/store/stored.h"
#include "core/base/range_set.h"
#include "core/record/lease.h"

namespace triarch {

// What happened to a worker, and the note that tells the store; 0 if there is nothing to tell.
struct Eviction {
  int64_t leases = 0;  // that ended
  int64_t note = 0;
};

// A coordinator's term as leader, as a state machine without a clock, threads, a network or a
// store.
class CoordinatorSession {
 public:
  using Time = LeaseBook::Time;
  using Options = SessionOptions;

  // `epoch` is larger than that of any earlier coordinator.
  CoordinatorSession(const Options& options, uint64_t epoch);
  CoordinatorSession(const CoordinatorSession&) = delete;
  CoordinatorSession& operator=(const CoordinatorSession&) = delete;

  // ---- The initial contents of the store.

  void AddTournament(StoredTournament stored, const RangeSet& recorded,
                     const std::vector<ShardEntry>& shards, EarlierResults earlier = {}) {
    tournaments_.Add(std::move(stored), recorded, shards, std::move(earlier));
  }
  void Restore(const std::vector<StoredLease>& leases, const std::vector<StoredWorker>& workers,
               Time now);
  // Call it before Restore.
  void RestoreAudits(const std::vector<StoredReport>& reports,
                     const std::vector<StoredAuditCount>& counts) {
    held_.Restore(reports, counts);
  }
  // Counts a game recorded before this session, for the leaderboard, unless it has been deleted.
  void CountEarlier(int64_t tournament, const GameSummary& game) {
    if (Has(tournament)) tournaments_.At(tournament).CountEarlier(game);
  }

  // ---- For workers. Errors are those of proto/triarch/v1/worker.proto. Once another coordinator
  // leads, all but Release return Unavailable, so that workers turn to the new leader.

  absl::Status Register(const WorkerInfo& worker, Time now, const WorkerOwner& owner = {});
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker, Time now);
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat, Time now);
  // `why` says why the leases cannot be played, or is empty if they can.
  // Returns the tournament of the lease under which the worker plays that game, or nothing if the
  // lease has ended, the game is recorded or held, or it is played again for an audit.
  std::optional<int64_t> TournamentPlayed(const WorkerId& worker, uint64_t token,
                                          int64_t index) const;
  void Release(const WorkerId& worker, const std::vector<uint64_t>& tokens, const std::string& why,
               bool leaves, Time now);
  // Fails with NotFound if the tournament does not exist.
  absl::StatusOr<std::string> SpecJson(int64_t tournament) const;

  // ---- Reports in progress; see ReportPath.

  ReportStep Accept(PendingReport& pending, Time now) { return reports_.Accept(pending, now); }
  ReportStep OnReplayed(PendingReport& pending, const absl::Status& status, Time now) {
    return reports_.OnReplayed(pending, status, now);
  }
  ReportStep OnRecorded(const PendingReport& pending, const absl::Status& status,
                        const std::vector<GameRecord>& games, Time now) {
    return reports_.OnRecorded(pending, status, games, now);
  }
  ReportStep OnCompared(const PendingReport& pending, const absl::Status& status,
                        std::string_view reported, std::string_view played, Time now) {
    return reports_.OnCompared(pending, status, reported, played, now);
  }
  // Returns the held reports whose games count since the last call. Their games are to be accepted
  // and recorded like reported ones, unless Postpone. May return one again.
  std::vector<int64_t> TakeConfirmed() { return held_.TakeConfirmed(); }
  // Returns whether the report must wait because enough games wait. TakeConfirmed returns it again.
  bool Postpone(int64_t report) { return reports_.Postpone(report); }
  ReportStep AcceptConfirmed(PendingReport& pending) { return reports_.AcceptConfirmed(pending); }
  void OnConfirmedLost(int64_t report, const absl::Status& status) {
    reports_.OnConfirmedLost(report, status);
  }
  std::vector<PlannedMatch> MatchesOf(const PendingReport& pending) const {
    return reports_.MatchesOf(pending);
  }

  // ---- For operators. Call MaySetState, update the store, then call SetState: an operator must
  // receive only answers that stay true after a crash.

  absl::Status MaySetState(int64_t tournament, TournamentState state) const {
    return book_.MaySetState(tournament, state);
  }
  absl::Status SetState(int64_t tournament, TournamentState state, Time now);
  // Fails unless the tournament is over and none of its games is being recorded.
  absl::Status MayDelete(int64_t tournament) const;
  void Delete(int64_t tournament, Time now) { tournaments_.Remove(tournament, now); }
  void SetPrecedence(int64_t tournament, const Precedence& precedence);
  // The operator must wait for the note to be saved. Errors are those of LeaseBook.
  absl::StatusOr<Eviction> Evict(const std::string& worker, const std::string& quarantine,
                                 Time now);
  absl::StatusOr<int64_t> Unquarantine(const std::string& worker, Time now);
  // Notes all workers that are alive, so that the store knows when they were seen.
  int64_t NoteWorkers(Time now) { return notes_.AddAliveWorkers(book_, now); }
  int64_t worker_notes_saved() const { return notes_.workers_saved(); }
  // Fails with NotFound if the tournament does not exist.
  absl::StatusOr<TournamentStatus> Status(int64_t tournament, Time now) const;
  std::vector<TournamentStatus> Statuses(Time now) const;
  std::vector<TournamentCounts> Counts() const;
  std::vector<WorkerView> Workers(Time now) const { return book_.Workers(now); }
  // Returns the unfinished tournaments in which the bundle with that digest plays.
  std::vector<int64_t> TournamentsWith(std::string_view digest) const {
    return tournaments_.With(digest);
  }
  // Requires: the tournament exists.
  const LiveTournament& Get(int64_t tournament) const { return tournaments_.At(tournament); }

  // ---- For the clock and the store.

  // Call it at least every second.
  void Tick(Time now);
  // Returns how leases began and ended since the last call. The notes carry the same information to
  // the store.
  std::vector<LeaseEvent> TakeEvents(Time now);
  StoreNotes TakeNotes(Time now) { return notes_.Take(now); }
  void OnNotesSaved(const StoreNotes& notes, const absl::Status& status);
  // Returns what happened with audits since the last call, for the store.
  AuditNotes TakeAuditNotes() { return held_.TakeNotes(); }
  void OnAuditNotesSaved(AuditNotes notes, const absl::Status& status);
  // Returns the self-play runs whose manifests became outdated since the last call. A run is
  // cancelled only once none of its games can be recorded any more.
  std::vector<int64_t> TakeChangedRuns() { return tournaments_.TakeChangedRuns(); }
  TournamentState RunState(int64_t tournament) const;
  // Returns the tournaments that their results ended since the last call, so that the store learns
  // of it and FollowUp is added. May return one again.
  std::vector<int64_t> TakeEnded() { return tournaments_.TakeEnded(); }
  // Returns the tournament that follows one that ended: the test that confirms a tuning.
  std::optional<TournamentSpec> FollowUp(int64_t tournament) const {
    return tournaments_.At(tournament).FollowUp();
  }
  bool Has(int64_t tournament) const { return tournaments_.Has(tournament); }
  // `status` comes from Store::SetState. After a transient error, the tournament is returned again.
  void OnEndStored(int64_t tournament, const absl::Status& status) {
    term_.OnStored(status);
    tournaments_.OnEndStored(tournament, status);
  }
  // Returns batches of matches to store since the last call. Their games are leased when they are
  // stored.
  std::vector<MatchBatch> TakeBatches() { return tournaments_.TakeBatches(); }
  // `status` comes from Store::AddMatches. After a transient error, the batch is returned again
  // later.
  void OnBatchStored(const MatchBatch& batch, const absl::Status& status) {
    term_.OnStored(status);
    tournaments_.OnBatchStored(batch, status);
  }

  // Ends this coordinator's leadership, because another one leads or this one is stopping. From now
  // on, every worker gets the answer `why`.
  void End(const absl::Status& why) { term_.End(why); }
  // Returns ok while this coordinator leads and the store answers. FailedPrecondition is permanent.
  absl::Status status() const { return term_.status(); }
  int64_t replaying_plies() const { return reports_.replaying_plies(); }
  bool is_store_behind() const { return reports_.is_store_behind(); }
  const LeaseBook& book() const { return book_; }

 private:
  TournamentStatus StatusOf(const LiveTournament& tournament, Time now) const;

  const Options options_;
  Term term_;
  LeaseBook book_;
  AuditedReports held_;
  LiveTournaments tournaments_;
  ReportPath reports_;
  NoteKeeper notes_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_COORDINATOR_SESSION_H_
