// Holds the leases with the ledgers of their tournaments, and keeps the two consistent.

#ifndef TRIARCH_COORDINATOR_LEASES_LEASE_TABLE_H_
#define TRIARCH_COORDINATOR_LEASES_LEASE_TABLE_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "coordinator/leases/lease_event.h"
#include "coordinator/leases/ledger.h"
#include "core/base/range_set.h"
#include "core/record/lease.h"

namespace triarch {

struct LiveLease {
  WorkerId worker;
  Lease lease;
  RangeSet remaining;  // never empty
  std::chrono::steady_clock::time_point granted;
  // When games of this lease, or of an older one of this worker, were reported, or when the older
  // one stalled; at first `granted`.
  std::chrono::steady_clock::time_point progress;
  std::chrono::steady_clock::time_point deadline;
  uint64_t shared_with = 0;  // the token of the other lease on its games, or 0
  bool is_stalled = false;   // its games are also open, or leased to others
  int64_t audit = 0;         // if not 0, the audit for which its game is played again
};

// A game that is leased in its ledger remains in one lease, or in two that share it; every other
// game remains in no lease. Stalled leases do not count, but they have no recorded games either.
// Leases for audits do not count: their games are held.
// LeaseBook decides who gets what.
class LeaseTable {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Kind = LeaseEvent::Kind;

  // Tokens begin with `epoch`. A lease lives for `ttl` unless it is renewed.
  LeaseTable(uint64_t epoch, std::chrono::milliseconds ttl) : epoch_(epoch), ttl_(ttl) {}

  // Requires: no tournament with that id exists.
  void AddTournament(int64_t id, Ledger ledger);
  // Requires: the tournament exists and has no leases.
  void RemoveTournament(int64_t id) { ledgers_.erase(id); }
  const Ledger& ledger(int64_t tournament) const { return ledgers_.at(tournament); }
  void SetHorizon(int64_t tournament, int64_t horizon) {
    ledgers_.at(tournament).set_horizon(horizon);
  }

  const std::map<uint64_t, LiveLease>& leases() const { return leases_; }  // by token, so by age
  // Returns the worker's own lease with that token, or null if it has none.
  const LiveLease* Find(const WorkerId& worker, uint64_t token) const;
  // The tokens of a worker's leases, oldest first.
  using Tokens = std::set<uint64_t>;
  const Tokens& TokensOf(const WorkerId& worker) const;
  int64_t CountOf(const WorkerId& worker) const {
    return static_cast<int64_t>(TokensOf(worker).size());
  }

  // Returns the token of each worker's oldest lease that has not stalled, oldest first.
  std::vector<uint64_t> OldestOfWorkers() const;

  // Leases the lowest open games, at most `games_max`. Requires: a game is open.
  Lease Grant(const WorkerId& worker, int64_t tournament, int64_t games_max, Time now);
  // Leases one game that is played again for an audit.
  Lease GrantAudit(const WorkerId& worker, int64_t tournament, int64_t game, int64_t audit,
                   Time now);
  // Also leases the last half of that lease's remaining games to another worker. Requires: the
  // lease is live and not shared.
  Lease Share(uint64_t token, const WorkerId& worker, Time now);
  // Takes over a stored lease with those of its games that are open. If no game is open, or if
  // `is_over`, the lease ends immediately with an event.
  void Restore(const WorkerId& worker, const Lease& lease, bool is_over, Time now);
  // Requires: the lease is live.
  void Renew(uint64_t token, Time now) { leases_.at(token).deadline = now + ttl_; }

  // Opens the lease's remaining games again, except those that the lease sharing them will play.
  // Requires: the lease is live.
  void End(uint64_t token, Kind how, Time now);
  // Notes that the lease's worker has reported games of it, and thus can go on with the younger
  // ones. Requires: the lease is live.
  void NoteProgress(uint64_t token, Time now);
  // Opens the lease's remaining games again, as End does, but the lease goes on: its worker may
  // still be the first to report them. Requires: the lease is live and not stalled.
  void Stall(uint64_t token, Time now);
  void EndIf(absl::FunctionRef<bool(const LiveLease&)> is_one, Kind how, Time now);

  // Notes that games reported under `token` are recorded. Takes them from the leases and ends
  // leases that have no games left. Returns the games that were not recorded before.
  RangeSet MarkDone(int64_t tournament, uint64_t token, std::span<const int64_t> indices, Time now);

  // The same for games that the store holds until audits confirm them.
  RangeSet MarkHeld(int64_t tournament, uint64_t token, std::span<const int64_t> indices, Time now);
  // Notes that held games are recorded.
  void Confirm(int64_t tournament, std::span<const int64_t> indices);
  // Opens held games again.
  void OpenHeld(int64_t tournament, std::span<const int64_t> indices);

  // Returns what happened since the last call.
  std::vector<LeaseEvent> TakeEvents();
  bool HasStalled(const WorkerId& worker) const;

 private:
  Lease Add(const WorkerId& worker, int64_t tournament, Range games, uint64_t shared_with,
            int64_t audit, Time now);
  void Insert(LiveLease lease);
  // Gives up the lease's games: those that no other lease shares are open again.
  void Return(LiveLease& lease);
  void AddEvent(const LiveLease& lease, Kind how, Time now);
  // `mark` says whether a game was not marked before.
  RangeSet Mark(bool (Ledger::*mark)(int64_t), int64_t tournament, uint64_t token,
                std::span<const int64_t> indices, Time now);
  // Takes games that are now recorded or held from all leases.
  void TakeFromLeases(int64_t tournament, uint64_t token, const RangeSet& games, Time now);
  // Takes recorded games from the lease that they were reported under and from the one that shares
  // it. Returns the games that were in neither.
  RangeSet TakeFromOwnLease(uint64_t token, const RangeSet& games, Time now);
  void TakeFrom(uint64_t token, int64_t tournament, const RangeSet& games, Kind how, Time now);
  void EndIfEmpty(uint64_t token, Kind how, Time now);

  const uint64_t epoch_;
  const std::chrono::milliseconds ttl_;
  uint64_t counter_ = 0;  // number of tokens issued
  std::map<int64_t, Ledger> ledgers_;
  std::map<uint64_t, LiveLease> leases_;
  std::map<WorkerId, Tokens> by_worker_;  // only of workers with leases
  std::set<uint64_t> stalled_;            // the tokens of stalled leases
  std::vector<LeaseEvent> events_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_LEASES_LEASE_TABLE_H_
