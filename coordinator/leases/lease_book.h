// Decides which worker plays which games. Holds all ledgers, workers and leases.

#ifndef TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_
#define TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_event.h"
#include "coordinator/leases/lease_rules.h"
#include "coordinator/leases/lease_table.h"
#include "coordinator/leases/ledger.h"
#include "coordinator/leases/pacing.h"
#include "coordinator/leases/patience.h"
#include "coordinator/leases/turns.h"
#include "coordinator/leases/worker_book.h"
#include "core/base/range_set.h"
#include "core/base/rate_meter.h"
#include "core/record/lease.h"
#include "core/record/precedence.h"
#include "core/record/tournament_state.h"

namespace triarch {

// The NotFound error for an unknown tournament.
absl::Status NoSuchTournament(int64_t id);

// A state machine without a clock, threads or a store: the time is an argument, and the events say
// what to store.
//
// A lease takes about LeaseRules::target to play, by the worker's rate in that tournament. Towards
// the end of a tournament leases shrink with the number of open games, so that all workers finish
// together. When no game is open, another worker gets the second half of what is left of the lease
// that would take longest, and the first report wins. A game is then leased under two tokens, and
// never under more. Self-play games are not shared like that: a shard counts with all its games or
// not at all.
//
// A lease whose worker renews it but reports nothing for too long (Patience) is *stalled*: its
// games are leased to others too. Until it ends, its worker gets no other lease. A stalled audit
// ends.
class LeaseBook {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // A held game that a worker is to play again.
  struct AuditGame {
    int64_t audit = 0;
    int64_t tournament = 0;
    int64_t game = 0;
  };
  using NextAudit = absl::FunctionRef<std::optional<AuditGame>(const WorkerBook::Worker&)>;

  // `epoch` is larger than that of any earlier coordinator; tokens begin with it.
  LeaseBook(const LeaseRules& rules, uint64_t epoch);
  LeaseBook(const LeaseBook&) = delete;
  LeaseBook& operator=(const LeaseBook&) = delete;

  // ---- Tournaments, served by precedence (Turns).

  // Requires: no tournament with that id exists.
  void AddTournament(int64_t id, Ledger ledger, TournamentNeeds needs, TournamentState state,
                     const Precedence& precedence = {});
  // Forgets a tournament. Requires: it is over.
  void RemoveTournament(int64_t id, Time now);
  // Applies to leases that begin later. Requires: the tournament exists.
  void SetPrecedence(int64_t id, const Precedence& precedence);
  // Cancelling a tournament ends its leases. Fails with FailedPrecondition, with a sentence for the
  // operator, if the tournament is done or cancelled, which is final, and with NotFound if it does
  // not exist.
  absl::Status SetState(int64_t id, TournamentState state, Time now);
  // Ends the tournament as done although games are open, and ends its leases. Returns false if it
  // is over already. Requires: it exists.
  bool Finish(int64_t id, Time now);
  // From now on leases only games below this index; when all are leased, workers share leases.
  // Requires: the tournament exists.
  void SetHorizon(int64_t id, int64_t horizon) { table_.SetHorizon(id, horizon); }
  // Notes that the store holds these games since before this coordinator led. Returns those of them
  // that are not recorded. Call it before Restore. Requires: the tournament exists.
  RangeSet HoldEarlier(int64_t id, std::span<const int64_t> games) {
    return table_.MarkHeld(id, 0, games, Time());
  }
  // Returns whether no game of the tournament can be leased and none is. Requires: it exists.
  bool HasNothingToPlay(int64_t id) const;
  // Returns what SetState would return.
  absl::Status MaySetState(int64_t id, TournamentState state) const;

  // ---- Workers.

  // Returns errors as WorkerBook::Register does. Requires: `worker` has at least one slot.
  absl::Status Register(const WorkerInfo& worker, Time now, const WorkerOwner& owner = {});
  // RequestLease and Heartbeat return errors as WorkerBook::Find does.
  // A worker that may have a lease gets the audit that `next_audit` returns, if any.
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker, Time now,
                                          NextAudit next_audit = NoAudit);
  // Renews the live leases that it names.
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat, Time now);
  // Ends the worker's leases because it is leaving. Its unplayed games are open again.
  void Leave(const WorkerId& worker, Time now);
  // Ends a lease that the worker gives back.
  void Release(const WorkerId& worker, uint64_t token, Time now) {
    if (table_.Find(worker, token) != nullptr) table_.End(token, Kind::kReleased, now);
  }
  // Ends a lease that the worker gives back because it cannot play it. For a while the worker gets
  // no further games of that tournament.
  void Refuse(const WorkerId& worker, uint64_t token, const std::string& why, Time now);
  // Takes over a lease that an earlier coordinator stored. It lives for one more ttl. Cancels it
  // immediately, with an event, if none of its games is open, or if the tournament has no recorded
  // game yet, because the earlier coordinator may have asked for another build of the bots.
  void Restore(const WorkerId& worker, const Lease& lease, Time now);
  void Quarantine(const std::string& worker_name, const std::string& why) {
    workers_.Quarantine(worker_name, why);
  }
  // Quarantines the worker and ends its leases. Returns what is known about it.
  WorkerInfo Convict(const std::string& worker_name, const std::string& why, Time now);
  // Returns whether a registered worker could play games of that tournament now.
  bool MayPlay(const std::string& worker_name, int64_t tournament, Time now) const;
  // Returns the worker, or null if it is not registered.
  const WorkerBook::Worker* FindWorker(const WorkerId& worker) const {
    return workers_.FindInstance(worker);
  }
  // Ends all leases under that name and forgets the worker, so that it must register again. If
  // `quarantine` is not empty, quarantines the name instead, for this reason. Returns the number of
  // leases. Fails with NotFound if the worker is unknown.
  absl::StatusOr<int64_t> Evict(const std::string& worker_name, const std::string& quarantine,
                                Time now);
  // Returns errors as WorkerBook::Unquarantine does.
  absl::Status Unquarantine(const std::string& worker_name) {
    return workers_.Unquarantine(worker_name);
  }

  // ---- Reports: check one before the work, then say how the work ended.

  struct ReportCheck {
    bool is_live = false;  // if false, drop the report
    int64_t tournament = 0;
    int64_t audit = 0;           // if not 0, the audit that the report answers
    bool has_held = false;       // a game of it is held already
    std::vector<int64_t> fresh;  // the games that are neither recorded nor held, ascending
  };
  // Fails with InvalidArgument if a game is outside the lease or occurs twice, which has the effect
  // of Reject.
  absl::StatusOr<ReportCheck> CheckReport(const WorkerId& worker, uint64_t token,
                                          std::span<const int64_t> indices, Time now);
  // Notes that the store has these games now. The lease may have ended in the meantime. Returns
  // true if this completes the tournament.
  bool Recorded(int64_t tournament, uint64_t token, std::span<const int64_t> indices, Time now);
  // Notes that the store holds these games until audits confirm them.
  void Held(int64_t tournament, uint64_t token, std::span<const int64_t> indices, Time now);
  // Notes that the store recorded held games. Returns true if this completes the tournament.
  bool Confirm(int64_t tournament, std::span<const int64_t> indices);
  // Opens held games again.
  void OpenHeld(int64_t tournament, std::span<const int64_t> indices) {
    table_.OpenHeld(tournament, indices);
  }
  // Ends the lease of an audit that was answered.
  void EndAudit(const WorkerId& worker, uint64_t token, Time now) {
    if (table_.Find(worker, token) != nullptr) table_.End(token, Kind::kFinished, now);
  }
  // Ends the lease because the report is invalid. Enough invalid reports quarantine the worker.
  void Reject(const WorkerId& worker, uint64_t token, const std::string& why, Time now);

  // Ends expired leases and finds stalled ones. Call it at least every second.
  void Expire(Time now);

  // ---- Views.

  struct TournamentView {
    TournamentState state;
    int64_t open, leased, held, done;
    double games_per_second;  // recently, by all workers
  };
  std::optional<TournamentView> View(int64_t tournament) const;
  // Returns WorkerBook::RefusalsOf, or nothing if the tournament is not active.
  std::vector<std::string> RefusalsOf(int64_t tournament, Time now) const;
  std::vector<WorkerView> Workers(Time now) const {
    return workers_.Views(now, [this](const WorkerId& worker) { return table_.CountOf(worker); });
  }

  const std::map<uint64_t, LiveLease>& Leases() const { return table_.leases(); }  // by token

  // Returns what happened since the last call.
  std::vector<LeaseEvent> TakeEvents() { return table_.TakeEvents(); }

 private:
  using Kind = LeaseEvent::Kind;
  using Worker = WorkerBook::Worker;
  using Pace = WorkerBook::Pace;

  struct TournamentEntry {
    TournamentNeeds needs;
    TournamentState state;
    RateMeter rate{std::chrono::seconds(2)};
    Patience patience;
  };

  static std::optional<AuditGame> NoAudit(const Worker&) { return std::nullopt; }
  bool MayServe(const Worker& worker, int64_t tournament, Time now) const;
  // Leases games of the tournament whose turn it is. Returns nullopt if no game is open for the
  // worker.
  std::optional<Lease> Grant(Worker& worker, Time now);
  // Returns the tournaments that are active and have games to lease.
  std::vector<int64_t> WithGames() const;
  // Charges tournaments for the workers' time since the last call.
  void CountTime(Time now);
  std::optional<Lease> Steal(Worker& worker, Time now);
  void NoteProgress(const LiveLease& lease, Time now);
  // Notes that the lease's worker has played this many games more.
  void NotePlayed(int64_t tournament, Worker* worker, int64_t games, Time now);
  Worker* WorkerOf(uint64_t token);
  // Marks the tournament as done if all games are recorded. Returns whether it was not before.
  bool Complete(int64_t tournament);
  void StallLeases(Time now);
  void EndLeasesOf(int64_t tournament, Time now);
  void EndAllOf(const WorkerId& worker, Kind how, Time now);

  const LeaseRules rules_;
  WorkerBook workers_;
  LeaseTable table_;
  Pacing pacing_;
  Turns turns_;                  // of the tournaments that are not over
  std::optional<Time> counted_;  // when CountTime was called last
  std::map<int64_t, TournamentEntry> tournaments_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_
