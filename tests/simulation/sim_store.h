#ifndef TRIARCH_TESTS_SIMULATION_SIM_STORE_H_
#define TRIARCH_TESTS_SIMULATION_SIM_STORE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/base/range_set.h"
#include "core/record/lease.h"
#include "core/record/tournament_state.h"
#include "tests/simulation/world.h"

namespace triarch::simulation {

// What outlives every coordinator: as PostgreSQL, with an epoch for who leads.
class SimStore {
 public:
  struct Tournament {
    int64_t games = 0;
    TournamentState state = TournamentState::kActive;
    std::string digest;  // empty while it is not settled
    RangeSet done;
    Points points{};
  };
  struct LeaseRow {
    WorkerId worker;
    Lease lease;
    std::string digest;  // of the bots that play it: settled with the row
  };

  explicit SimStore(World& world) : world_(world) {}

  void AddTournament(int64_t id, int64_t games) { tournaments_[id].games = games; }
  const std::map<int64_t, Tournament>& tournaments() const { return tournaments_; }
  const std::map<uint64_t, LeaseRow>& live_leases() const { return leases_; }
  const std::map<std::string, std::string>& quarantine() const { return quarantine_; }

  // ---- Faults.
  void GoAway(Time until) { away_until_ = until; }
  uint64_t epoch() const { return epoch_; }
  bool is_away() const { return world_.now() < away_until_; }
  // The lock is lost though its holder lives.
  void LoseLock() { leader_.reset(); }

  // ---- As coordinator/store/store.h.
  // The epoch, if nobody else leads.
  std::optional<uint64_t> TryLead(int node);
  void StepDown(int node);
  absl::Status CheckLeads(uint64_t epoch) const;
  // Unavailable: not now, or perhaps it was done. FailedPrecondition: another one leads.
  absl::Status Record(uint64_t epoch, int64_t tournament, const std::string& digest,
                      std::span<const GameRecord> records);
  absl::Status SetState(uint64_t epoch, int64_t tournament, TournamentState state);
  absl::Status SaveLeases(uint64_t epoch, const std::vector<LeaseRow>& live,
                          const std::vector<uint64_t>& ended);
  absl::Status Quarantine(uint64_t epoch, const std::string& worker, const std::string& why);

 private:
  void Insert(int64_t id, Tournament& tournament, const GameRecord& record);

  World& world_;
  std::map<int64_t, Tournament> tournaments_;
  std::map<uint64_t, LeaseRow> leases_;
  std::map<std::string, std::string> quarantine_;
  uint64_t epoch_ = 0;
  std::optional<int> leader_;
  Time away_until_;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_STORE_H_
