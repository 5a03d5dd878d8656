// Simulates a cluster's store in memory, with faults: it goes away, and loses answers to commits.

#ifndef TRIARCH_TESTS_SIMULATION_SIM_STORE_H_
#define TRIARCH_TESTS_SIMULATION_SIM_STORE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/session/record_queue.h"
#include "coordinator/store/stored.h"
#include "core/base/range_set.h"
#include "core/record/lease.h"
#include "core/record/planned_match.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_state.h"
#include "tests/simulation/world.h"

namespace triarch::simulation {

// Outlives every coordinator. Like PostgreSQL, knows the leader by its epoch.
class SimStore {
 public:
  struct Tournament {
    int64_t games = 0;
    bool is_selfplay = false;
    int64_t rounds = 0;                 // of a Swiss event; 0 for other tournaments
    std::vector<PlannedMatch> matches;  // of a Swiss event
    TournamentState state = TournamentState::kActive;
    Precedence precedence;
    std::string digest;  // of its only bot type; empty until settled
    RangeSet done;
    Points points{};
    std::map<std::string, ShardEntry> shards;  // by name
  };

  explicit SimStore(World& world) : world_(world) {}

  void AddTournament(int64_t id, int64_t games, bool is_selfplay = false) {
    tournaments_[id].games = games;
    tournaments_[id].is_selfplay = is_selfplay;
  }
  // Adds a Swiss event. It could have more games than its rounds.
  void AddEvent(int64_t id, int64_t games) {
    tournaments_[id].games = games;
    tournaments_[id].rounds = (games - 1) / kRoundGames;
  }
  void SetPrecedence(int64_t id, const Precedence& precedence) {
    tournaments_.at(id).precedence = precedence;
  }
  const std::map<int64_t, Tournament>& tournaments() const { return tournaments_; }
  void AddBundle(const std::string& digest, const std::string& tar) { bundles_[digest] = tar; }

  // ---- Faults.
  void GoAway(Time until) { away_until_ = until; }
  uint64_t epoch() const { return epoch_; }
  bool is_away() const { return world_.now() < away_until_; }
  // Drops the lock although its holder is alive.
  void LoseLock() { leader_.reset(); }

  // ---- As in coordinator/store/store.h. Unavailable means not done, or outcome unknown;
  // FailedPrecondition means that another coordinator leads.

  // Returns the epoch, unless another node leads.
  std::optional<uint64_t> TryLead(int node);
  void StepDown(int node);
  StoredTournament Stored(int64_t tournament) const;
  std::vector<ShardEntry> Shards(int64_t tournament) const;
  std::vector<StoredLease> LiveLeases() const;
  std::vector<StoredWorker> Workers() const;
  struct HeldGames {
    StoredReport report;
    std::vector<GameRecord> games;
    std::optional<ShardEntry> shard;
  };
  std::vector<StoredReport> HeldReports() const;
  std::vector<StoredAuditCount> AuditCounts() const;
  // Fails with NotFound if the report is not held.
  absl::StatusOr<HeldGames> HeldReport(int64_t id) const;
  absl::Status DropReports(uint64_t epoch, const std::vector<int64_t>& ids);
  absl::Status AddAudits(uint64_t epoch, const std::vector<StoredAudit>& audits);
  bool IsQuarantined(const std::string& worker) const {
    return quarantine_.contains(worker) && !pardoned_.contains(worker);
  }
  // Returns why the worker is quarantined, or "" if it is not.
  std::string WhyQuarantined(const std::string& worker) const {
    return IsQuarantined(worker) ? quarantine_.at(worker) : "";
  }
  // Notes that an operator ended the quarantine; a coordinator will save it.
  void Pardon(const std::string& worker) { pardoned_.insert(worker); }
  // Runs one transaction; AlreadyExists as in Store::RecordShard.
  absl::Status Record(uint64_t epoch, const std::vector<RecordBatch>& batches);
  absl::Status AddMatches(uint64_t epoch, int64_t tournament,
                          const std::vector<PlannedMatch>& matches);
  absl::Status SetState(uint64_t epoch, int64_t tournament, TournamentState state);
  absl::Status SetPrecedence(uint64_t epoch, int64_t tournament, const Precedence& precedence);
  absl::Status SaveWorkers(uint64_t epoch, const std::vector<StoredWorker>& workers);
  absl::Status SaveLeases(uint64_t epoch, const std::vector<StoredLease>& leases);
  absl::StatusOr<std::string> BundleTar(const std::string& digest) const;

 private:
  absl::Status CheckLeads(uint64_t epoch) const;
  void Commit(int64_t id, Tournament& tournament, const std::vector<RecordBatch>& batches);
  void Insert(int64_t id, Tournament& tournament, const GameRecord& record);

  World& world_;
  std::map<int64_t, Tournament> tournaments_;
  std::map<uint64_t, StoredLease> leases_;  // live leases, by token
  std::map<std::string, std::string> quarantine_;
  std::map<int64_t, HeldGames> held_;  // by id
  std::vector<StoredAudit> audits_;
  std::set<std::string> pardoned_;
  std::map<std::string, std::string> bundles_;  // by digest
  uint64_t epoch_ = 0;
  std::optional<int> leader_;
  Time away_until_;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_STORE_H_
