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
#include "coordinator/leases/ledger.h"
#include "core/record/lease.h"
#include "core/record/tournament_state.h"

namespace triarch {

struct LeaseRules {
  std::chrono::milliseconds ttl{30'000};
  std::chrono::milliseconds heartbeat{5'000};
  std::chrono::milliseconds target{10'000};           // of play in one lease
  std::chrono::milliseconds selfplay_target{60'000};  // likewise: a shard has games of one lease
  std::chrono::milliseconds idle_retry{500};          // of a worker for whom there is nothing
  int64_t games_first = 4;      // per slot, of a worker whose rate is not known: of
                                // its first lease, doubled with each further one
  int64_t games_max = 100'000;  // in one lease
  int64_t rejections_max = 3;   // with so many a worker is quarantined
  int64_t leases_max = 4;       // that one worker holds at a time
  // A worker that cannot play a tournament is given nothing of it for so long.
  std::chrono::milliseconds refusal{60'000};
};

// Who plays what: all tournaments' ledgers, the workers and their leases. A state machine without
// clock, thread or store: the time comes in, and what is to be stored is told by the events.
//
// One lease is about LeaseRules::target of play, by the worker's rate in that tournament; towards
// the end of a tournament leases shrink with what is open, so that all workers end together; when
// nothing is open, what is left of the lease that would take longest is given to one more worker,
// and the first report wins. An index is then leased under two tokens, and never under more. Of
// self-play nothing is given to a second worker: a shard counts with all its games or not at all.
class LeaseBook {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `epoch`: this coordinator's, larger than any before; tokens begin with it.
  LeaseBook(const LeaseRules& rules, uint64_t epoch);

  // ---- Tournaments. They are served in the order of their ids.

  struct TournamentNeeds {
    std::string game;
    std::vector<std::string> bots;               // bot types
    std::map<std::string, std::string> digests;  // bot type to digest, where one is settled
    bool is_selfplay = false;
  };
  // Requires: no tournament of that id yet.
  void AddTournament(int64_t id, Ledger ledger, TournamentNeeds needs, TournamentState state);
  // FailedPrecondition, with a sentence for the operator: a done or cancelled one stays so.
  // NotFound: no such tournament. Cancelling ends its leases.
  absl::Status SetState(int64_t id, TournamentState state);
  // What SetState would say.
  absl::Status MaySetState(int64_t id, TournamentState state) const;

  // ---- Workers.

  // A worker of 1 slot at least comes, or comes back. AlreadyExists: another instance of that name
  // is alive. PermissionDenied: the name is quarantined; the message says why.
  absl::Status Register(const WorkerInfo& worker, Time now);
  // NotFound: it must register (again). PermissionDenied: quarantined.
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker, Time now);
  // NotFound as above. Renews the leases that it names and that live.
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat, Time now);
  // The worker goes: its leases end, what they have not done is open again.
  void Leave(const WorkerId& worker, Time now);
  // A lease (of which nothing more will come) is given back.
  void Release(const WorkerId& worker, uint64_t token, Time now);
  // The worker cannot play the lease, and `why`: it is given back, and for a while the worker gets
  // nothing more of that tournament.
  void Refuse(const WorkerId& worker, uint64_t token, const std::string& why, Time now);
  // A lease of before, as the store has it: it lives for one more ttl. For the worker that returns.
  // One of which nothing is left to play is cancelled at once, with the event.
  void Restore(const WorkerId& worker, const Lease& lease, Time now);
  void Quarantine(const std::string& worker_name, const std::string& why);

  // ---- Reports: asked before the work, told after it.

  struct ReportCheck {
    bool is_live = false;  // else drop the report
    int64_t tournament = 0;
    std::vector<int64_t> fresh;  // which of its games are not done yet
  };
  // InvalidArgument: an index outside of the lease, or twice; it counts as Reject does.
  absl::StatusOr<ReportCheck> CheckReport(const WorkerId& worker, uint64_t token,
                                          std::span<const int64_t> indices, Time now);
  // These are in the store now. The lease may be gone meanwhile. True if the tournament is complete
  // by it.
  bool Recorded(int64_t tournament, uint64_t token, std::span<const int64_t> indices, Time now);
  // A false report: the lease ends, the worker is counted against, in the end quarantined.
  void Reject(const WorkerId& worker, uint64_t token, const std::string& why, Time now);

  // Ends the leases whose deadline has passed. Call it at least every second.
  void Expire(Time now);

  // ---- What there is to see.

  struct TournamentView {
    TournamentState state;
    int64_t open, leased, done;
    double games_per_second;  // of late, all workers
  };
  std::optional<TournamentView> View(int64_t tournament, Time now) const;

  // Why no worker that is alive can play it at present, a line for each: "w1: no python3". Empty if
  // one may, if there is none, and if the tournament is not active.
  std::vector<std::string> RefusalsOf(int64_t tournament, Time now) const;

  struct WorkerView {
    WorkerInfo info;
    bool is_alive;
    std::string quarantine;  // why; empty if it is not
    int64_t busy_slots, games_held, leases, games_recorded, rejections;
    double cpu_seconds;
    std::chrono::milliseconds last_seen;  // ago
    // What it cannot play at present, and why, by tournament.
    std::map<int64_t, std::string> refusals;
  };
  std::vector<WorkerView> Workers(Time now) const;

  struct LiveLease {
    WorkerId worker;
    Lease lease;
    RangeSet remaining;
    Time deadline;
  };
  std::vector<LiveLease> Leases() const;

  // How a lease came and went, for the store and the metrics.
  struct Event {
    enum class Kind : uint8_t {
      kGranted,
      kStolen,
      kFinished,
      kExpired,
      kReleased,
      kCancelled,
      kRejected
    };
    Kind kind;
    WorkerId worker;
    Lease lease;
    std::chrono::milliseconds age{0};  // of a lease that ended
  };
  // What happened since the last call.
  std::vector<Event> TakeEvents();

  // Digests that were settled by the first worker that took games: bot type to digest.
  const TournamentNeeds& NeedsOf(int64_t tournament) const;

  struct Counts {
    int64_t stale_reports = 0;
    int64_t rejected_reports = 0;
    int64_t duplicate_games = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  // Games per second of late.
  class RateMeter {
   public:
    void Start(Time now);
    void Add(int64_t count, Time now);
    std::optional<double> per_second() const { return per_second_; }

   private:
    std::optional<Time> begin_;
    int64_t count_ = 0;  // since then
    // Of before; what is older counts less.
    double games_ = 0;
    double seconds_ = 0;
    std::optional<double> per_second_;
  };

  struct TournamentEntry {
    Ledger ledger;
    TournamentNeeds needs;
    TournamentState state;
    RateMeter rate;
    std::optional<WorkerId> settled_by;  // whose lease settled the digests, if that was here
  };
  // How fast a worker is in a tournament.
  struct Pace {
    RateMeter rate;
    int64_t size = 0;   // asked for its last lease
    int64_t games = 0;  // recorded
    Time last;          // when it was given games, or reported some
  };
  struct Refusal {
    std::string why;
    Time until;
  };
  struct WorkerEntry {
    WorkerInfo info;
    Time last_seen;
    int64_t busy_slots = 0;
    int64_t games_held = 0;
    int64_t games_recorded = 0;
    double cpu_seconds = 0;
    std::map<int64_t, Pace> paces;        // by tournament
    std::map<int64_t, Refusal> refusals;  // likewise
  };
  struct LeaseEntry {
    WorkerId worker;
    Lease lease;
    RangeSet remaining;
    Time granted;
    Time deadline;
    uint64_t shared_with = 0;  // the token of the other lease on its games; 0 for none
  };
  struct Rejections {
    int64_t count = 0;
    Time last;
  };
  using LeaseIterator = std::map<uint64_t, LeaseEntry>::iterator;

  // The worker, if it is registered and in good standing.
  absl::StatusOr<WorkerEntry*> Find(const WorkerId& worker);
  bool IsAlive(const WorkerEntry& worker, Time now) const;
  // Why the worker cannot play it; empty if it can.
  std::string LackOf(const WorkerEntry& worker, const TournamentNeeds& needs) const;
  bool MayServe(const WorkerEntry& worker, int64_t tournament, Time now) const;
  // What a worker that plays nothing has said of its bots keeps nobody out.
  void UnsettleDigests(const WorkerId& worker);
  int64_t LeasesOf(const WorkerId& worker) const;
  int64_t SizeFor(const WorkerEntry& worker, int64_t tournament, const Ledger& ledger,
                  Time now) const;
  // The share of the games of a tournament that a worker plays.
  double ShareOf(const WorkerEntry& worker, int64_t tournament, Time now) const;
  Lease Grant(WorkerEntry& worker, int64_t tournament, Range games, RangeSet remaining,
              uint64_t shared_with, Time now);
  void SettleDigests(TournamentEntry& tournament, const WorkerInfo& worker);
  std::optional<Lease> Steal(WorkerEntry& worker, Time now);
  // How long the lease will take yet, by its worker's rate; empty if nobody knows.
  std::optional<double> SecondsLeft(const LeaseEntry& lease) const;
  bool IsWorthStealing(const LeaseEntry& lease, Time now) const;
  // These are done: nobody need play them.
  void TakeFromLeases(int64_t tournament, uint64_t token, const RangeSet& games, Time now);
  // Ends the lease if nothing of it is left.
  void EndIfDone(uint64_t token, Event::Kind how, Time now);
  LeaseIterator End(LeaseIterator lease, Event::Kind how, Time now);
  void EndAllOf(const WorkerId& worker, Event::Kind how, Time now);
  void Forget(Time now);
  // It will not be played any more.
  void ForgetRates(int64_t tournament);

  const LeaseRules rules_;
  const uint64_t epoch_;
  uint64_t counter_ = 0;  // of tokens
  std::map<int64_t, TournamentEntry> tournaments_;
  std::map<std::string, WorkerEntry> workers_;     // by name
  std::map<std::string, std::string> quarantine_;  // name to why
  std::map<std::string, Rejections> rejections_;   // by name
  std::map<uint64_t, LeaseEntry> leases_;          // by token, so by age
  std::vector<Event> events_;
  Counts counts_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEASE_BOOK_H_
