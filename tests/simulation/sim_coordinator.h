// Drives a CoordinatorSession by simulated events and checks its behaviour.

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
#include "coordinator/session/coordinator_session.h"
#include "coordinator/session/record_queue.h"
#include "core/record/lease.h"
#include "tests/simulation/sim_store.h"
#include "tests/simulation/world.h"

namespace triarch::simulation {

// A driver like coordinator/service/coordinator.h, except that its store thread and its replays are
// events. It decides nothing, and checks the session against a shadow built from the events.
class SimCoordinator : public std::enable_shared_from_this<SimCoordinator> {
 public:
  // All tokens that any coordinator has ever issued.
  using Tokens = std::set<uint64_t>;

  SimCoordinator(World& world, SimStore& store, Tokens& tokens, uint64_t epoch);
  // Starts checking the clock.
  void Start() { Tick(); }

  uint64_t epoch() const { return epoch_; }
  // Returns whether another coordinator has replaced it.
  bool is_deposed() const { return is_deposed_; }

  void Freeze(Time until) { frozen_until_ = until; }
  bool is_frozen() const { return world_.now() < frozen_until_; }
  Time frozen_until() const { return frozen_until_; }

  // ---- For workers, as in Coordinator.
  absl::Status Register(const WorkerInfo& worker);
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker);
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat);
  void Release(const WorkerId& worker, const std::vector<uint64_t>& tokens, const std::string& why,
               bool leaves);
  void Leave(const WorkerId& worker) { Release(worker, {}, "", true); }
  using ReportDone = std::function<void(const absl::StatusOr<ReportReply>&)>;
  void Report(const triarch::Report& report, const ReportDone& done);
  absl::StatusOr<std::string> FetchBundle(const std::string& digest) const;

  void SetState(int64_t tournament, TournamentState state);
  void SetPrecedence(int64_t tournament, const Precedence& precedence);
  void Evict(const std::string& worker);
  void Unquarantine(const std::string& worker);

  void CheckInvariants();

 private:
  // What is known about a lease without asking the session.
  struct Shadow {
    WorkerId worker;
    Lease lease;
  };
  struct Pending : PendingReport {
    ReportDone done;
  };
  using Task = std::function<void()>;

  void Load();
  void Tick();
  // Runs `work` later, if this coordinator still exists then.
  void Later(double units, std::function<void(SimCoordinator&)> work);
  // Queues a task for the store's thread.
  void Post(Task task);
  void Work();
  void Flush();

  void Continue(const std::shared_ptr<Pending>& pending, const ReportStep& step);
  void Replay(const std::shared_ptr<Pending>& pending);
  void Compare(const std::shared_ptr<Pending>& pending);
  void Confirm(int64_t report);
  void SaveAudits();
  void Record(const std::shared_ptr<Pending>& pending);
  void Answer(const Pending& pending, const ReportStep& step);

  // Adds the session's events to the shadow and gives its notes to the store.
  void Absorb();
  void AbsorbEvent(const LeaseEvent& event);
  bool IsLive(const WorkerId& worker, uint64_t token) const;
  void CheckMatches(const Lease& lease);
  void CheckPriority(const WorkerId& worker, const Lease& lease);
  void CheckAccepted(const Pending& pending);
  void CheckTournament(int64_t id);

  World& world_;
  SimStore& store_;
  Tokens& tokens_;
  const uint64_t epoch_;
  CoordinatorSession session_;
  RecordQueue records_;
  std::deque<Task> tasks_;
  bool is_working_ = false;
  bool is_flush_posted_ = false;
  std::map<uint64_t, Shadow> shadow_;
  std::map<int64_t, RangeSet> done_;
  Time last_tick_;
  Time frozen_until_;
  bool is_deposed_ = false;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_COORDINATOR_H_
