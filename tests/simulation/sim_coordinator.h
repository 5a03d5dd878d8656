#ifndef TRIARCH_TESTS_SIMULATION_SIM_COORDINATOR_H_
#define TRIARCH_TESTS_SIMULATION_SIM_COORDINATOR_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_book.h"
#include "core/record/lease.h"
#include "tests/simulation/sim_store.h"
#include "tests/simulation/world.h"

namespace triarch::simulation {

LeaseRules RulesFor(const World& world);

// A coordinator as coordinator/service/coordinator.h, around the same LeaseBook, without threads:
// its store's thread and its replays are events. It checks what its book says against a shadow of
// its own.
class SimCoordinator : public std::enable_shared_from_this<SimCoordinator> {
 public:
  // All tokens that any coordinator ever gave.
  using Tokens = std::set<uint64_t>;

  SimCoordinator(World& world, SimStore& store, Tokens& tokens, uint64_t epoch);
  // Begins to look at the clock.
  void Start() {
    Tick();
    AskWhetherItLeads();
  }

  uint64_t epoch() const { return epoch_; }
  // Found another coordinator in its place.
  bool is_deposed() const { return is_deposed_; }

  void Freeze(Time until) { frozen_until_ = until; }
  bool is_frozen() const { return world_.now() < frozen_until_; }
  Time frozen_until() const { return frozen_until_; }

  absl::Status Register(const WorkerInfo& worker);
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker);
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat);
  void Leave(const WorkerId& worker);
  using ReportDone = std::function<void(const absl::StatusOr<ReportReply>&)>;
  void Report(const triarch::Report& report, const ReportDone& done);
  // The store first: what an operator was told must be true after a crash.
  void SetState(int64_t tournament, TournamentState state);

  void CheckInvariants();

 private:
  // What may be said of a lease without asking the book.
  struct Shadow {
    WorkerId worker;
    Lease lease;
  };
  struct Pending {
    triarch::Report report;
    ReportDone done;
    int64_t tournament = 0;
    std::vector<int64_t> indices;
  };
  // For the store's thread: again and again while the store is away, if it `must` be done.
  struct Task {
    std::function<absl::Status()> run;
    std::function<void(const absl::Status&)> done;
    bool must = true;
  };

  void Load();
  void Tick();
  void AskWhetherItLeads();
  void Post(Task task);
  void Work();
  // Runs later, if this coordinator is still there then.
  void Later(double units, std::function<void(SimCoordinator&)> work);

  void Absorb();
  void AbsorbEvent(const LeaseBook::Event& event);
  void SaveEvents();
  std::string DigestOf(int64_t tournament) const;
  bool IsRefused(const Pending& pending, const LeaseBook::ReportCheck& check,
                 ReportReply* answer) const;
  bool IsLive(const WorkerId& worker, uint64_t token) const;
  void CheckLive(const triarch::Report& report, const LeaseBook::ReportCheck& check);
  void Replay(const std::shared_ptr<Pending>& pending);
  void AfterRecord(const Pending& pending, const absl::Status& status);
  void CheckTournament(int64_t id, const std::vector<LeaseBook::LiveLease>& leases);

  World& world_;
  SimStore& store_;
  Tokens& tokens_;
  const uint64_t epoch_;
  LeaseBook book_;
  LeaseBook::Counts counts_;  // that are in the tally
  std::map<uint64_t, Shadow> shadow_;
  std::map<int64_t, RangeSet> done_;
  std::map<int64_t, Points> points_;
  std::map<int64_t, RangeSet> recording_;
  std::deque<Task> tasks_;
  bool is_working_ = false;
  std::vector<SimStore::LeaseRow> granted_;  // not saved yet
  std::vector<uint64_t> ended_;
  std::vector<std::string> rejected_;
  Time last_tick_;
  Time frozen_until_;
  bool is_deposed_ = false;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_COORDINATOR_H_
