// Decides which worker plays which games: all ledgers, workers and leases.

#ifndef TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_
#define TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_event.h"
#include "coordinator/leases/lease_rules.h"
#include "coordinator/leases/lease_table.h"
#include "coordinator/leases/ledger.h"
#include "coordinator/leases/worker_book.h"
#include "core/base/rate_meter.h"
#include "core/record/lease.h"
#include "core/record/tournament_state.h"

namespace triarch {

// A state machine without clock, thread or store: the time is an argument, and the events say what
// to store.
//
// A lease takes about LeaseRules::target to play, by the worker's rate in that tournament. Towards
// the end of a tournament leases shrink with the number of open games, so that all workers finish
// together. When no game is open, another worker gets the second half of what is left of the lease
// that would take longest, and the first report wins. A game is then leased under two tokens, and
// never under more. Self-play games are not leased twice: a shard counts with all its games or not
// at all.
class LeaseBook {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `epoch` is larger than any earlier coordinator's; tokens begin with it.
  LeaseBook(const LeaseRules& rules, uint64_t epoch);

  // ---- Tournaments, served in the order of their ids.

  // Requires: no tournament of that id yet.
  void AddTournament(int64_t id, Ledger ledger, TournamentNeeds needs, TournamentState state);
  // FailedPrecondition, with a sentence for the operator: the tournament is done or cancelled and
  // stays so. NotFound: no such tournament. Cancelling ends its leases.
  absl::Status SetState(int64_t id, TournamentState state, Time now);
  // Returns what SetState would return.
  absl::Status MaySetState(int64_t id, TournamentState state) const;

  // ---- Workers.

  // Errors as WorkerBook::Register. `worker` has at least one slot.
  absl::Status Register(const WorkerInfo& worker, Time now);
  // Errors as WorkerBook::Find, here and in Heartbeat.
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker, Time now);
  // Renews the live leases that it names.
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat, Time now);
  // The worker goes: its leases end, and what it has not played is open again.
  void Leave(const WorkerId& worker, Time now);
  // The worker gives back a lease.
  void Release(const WorkerId& worker, uint64_t token, Time now);
  // The worker gives back a lease because it cannot play it. For a while it is offered nothing more
  // of that tournament.
  void Refuse(const WorkerId& worker, uint64_t token, const std::string& why, Time now);
  // Takes over a lease that an earlier coordinator stored. It lives for one more ttl. It is
  // cancelled at once, with an event, if no game of it is open, or if the tournament has no
  // recorded game yet: then the store does not know which builds of the bots the lease was given
  // for.
  void Restore(const WorkerId& worker, const Lease& lease, Time now);
  void Quarantine(const std::string& worker_name, const std::string& why) {
    workers_.Quarantine(worker_name, why);
  }

  // ---- Reports: check one before the work, then say what became of it.

  struct ReportCheck {
    bool is_live = false;  // else drop the report
    int64_t tournament = 0;
    std::vector<int64_t> fresh;  // the games that are not recorded yet, ascending
  };
  // InvalidArgument: a game is outside of the lease or comes twice; it counts as Reject does.
  absl::StatusOr<ReportCheck> CheckReport(const WorkerId& worker, uint64_t token,
                                          std::span<const int64_t> indices, Time now);
  // These games are in the store now. The lease may have ended meanwhile. Returns true if this
  // completes the tournament.
  bool Recorded(int64_t tournament, uint64_t token, std::span<const int64_t> indices, Time now);
  // The report was false: the lease ends, and enough of them quarantine the worker.
  void Reject(const WorkerId& worker, uint64_t token, const std::string& why, Time now);

  // Ends the leases whose deadline has passed. Call it at least every second.
  void Expire(Time now);

  // ---- Views.

  struct TournamentView {
    TournamentState state;
    int64_t open, leased, done;
    double games_per_second;  // recently, by all workers
  };
  std::optional<TournamentView> View(int64_t tournament) const;
  // As WorkerBook::RefusalsOf; empty if the tournament is not active.
  std::vector<std::string> RefusalsOf(int64_t tournament, Time now) const;
  std::vector<WorkerView> Workers(Time now) const;

  const std::map<uint64_t, LiveLease>& Leases() const { return table_.leases(); }  // by token

  // Returns what happened since the last call.
  std::vector<LeaseEvent> TakeEvents() { return table_.TakeEvents(); }

  // The first worker that is given games of a tournament settles its bots' digests. If that worker
  // turns out to play nothing, another one may settle them again.
  const TournamentNeeds& NeedsOf(int64_t tournament) const;
  // Games that were played with these digests are being recorded: they stay settled.
  void KeepDigests(int64_t tournament) { tournaments_.at(tournament).settled_by.reset(); }

 private:
  using Kind = LeaseEvent::Kind;
  using Worker = WorkerBook::Worker;
  using Pace = WorkerBook::Pace;

  struct TournamentEntry {
    TournamentNeeds needs;
    TournamentState state;
    RateMeter rate{std::chrono::seconds(2)};
    std::optional<WorkerId> settled_by = {};  // if the digests were settled by a lease given here
  };

  bool MayServe(const Worker& worker, int64_t tournament, Time now) const;
  int64_t SizeFor(const Worker& worker, int64_t tournament, Time now) const;
  // Prepares the measurement of the worker's rate for a lease that begins now.
  Pace& BeginPace(Worker& worker, int64_t tournament, Time now);
  void SettleDigests(TournamentEntry& tournament, const WorkerInfo& worker);
  // Lets another worker settle the digests of tournaments that only this worker was given games of.
  void UnsettleDigests(const WorkerId& worker);
  std::optional<Lease> Steal(Worker& worker, Time now);
  // How long the lease will take yet, by its worker's rate; empty if that is unknown.
  std::optional<double> SecondsLeft(const LiveLease& lease) const;
  bool IsWorthStealing(const LiveLease& lease, const Worker& thief, Time now) const;
  void EndAllOf(const WorkerId& worker, Kind how, Time now);

  const LeaseRules rules_;
  WorkerBook workers_;
  LeaseTable table_;
  std::map<int64_t, TournamentEntry> tournaments_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_
