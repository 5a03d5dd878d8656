// Holds the tournaments of a session and moves them on as results come in.

#ifndef TRIARCH_COORDINATOR_SESSION_LIVE_TOURNAMENTS_H_
#define TRIARCH_COORDINATOR_SESSION_LIVE_TOURNAMENTS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/session/audited_reports.h"
#include "coordinator/session/live_tournament.h"
#include "coordinator/store/stored.h"
#include "core/base/range_set.h"

namespace triarch {

// Matches to store in one transaction.
struct MatchBatch {
  int64_t tournament = 0;
  std::vector<PlannedMatch> matches;
};

// The parts that are given must outlive it. Functions with an id require that the tournament
// exists, unless they say otherwise.
class LiveTournaments {
 public:
  using Time = LeaseBook::Time;

  // `build` is SessionOptions::build.
  LiveTournaments(std::string build, LeaseBook& book, AuditedReports& held)
      : build_(std::move(build)), book_(book), held_(held) {}

  // Requires: no tournament with that id exists.
  void Add(StoredTournament stored, const RangeSet& recorded, const std::vector<ShardEntry>& shards,
           EarlierResults earlier);
  void Remove(int64_t id, Time now);
  bool Has(int64_t id) const { return tournaments_.contains(id); }
  LiveTournament& At(int64_t id) { return tournaments_.at(id); }
  const LiveTournament& At(int64_t id) const { return tournaments_.at(id); }
  // Returns null if the tournament does not exist.
  const LiveTournament* Find(int64_t id) const;
  const std::map<int64_t, LiveTournament>& all() const { return tournaments_; }
  // Returns whether games or matches are being stored, or audits compared.
  bool IsBusy(int64_t id) const;
  // Returns the unfinished tournaments in which the bundle with that digest plays.
  std::vector<int64_t> With(std::string_view digest) const;

  // Counts recorded games. `completes` says that they were the tournament's last. `shard` is that
  // of a self-play report, or null.
  void Count(int64_t id, const std::vector<GameRecord>& games, const ShardEntry* shard,
             bool completes, Time now);
  void Tick(Time now);

  // For each of these: what changed since the last call, and what the store said to it. After a
  // transient error, the same is returned again.
  std::vector<MatchBatch> TakeBatches() { return std::exchange(batches_, {}); }
  void OnBatchStored(const MatchBatch& batch, const absl::Status& status);
  std::vector<int64_t> TakeEnded() { return std::exchange(ended_, {}); }
  void OnEndStored(int64_t id, const absl::Status& status);

  // Notes that the manifest of a self-play run is outdated.
  void NoteRun(const LiveTournament& tournament);
  std::vector<int64_t> TakeChangedRuns();

 private:
  // Plans the next matches, moves the horizon and ends the tournament, as the results ask for.
  void Advance(LiveTournament& tournament, Time now);

  const std::string build_;
  LeaseBook& book_;
  AuditedReports& held_;
  std::map<int64_t, LiveTournament> tournaments_;
  std::set<int64_t> changed_runs_;
  std::vector<int64_t> ended_;
  std::vector<MatchBatch> batches_;
  std::set<int64_t> planning_;  // tournaments whose next matches are being stored
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_LIVE_TOURNAMENTS_H_
