// Simulates a machine and the workers that run on it in succession.

#ifndef TRIARCH_TESTS_SIMULATION_SIM_WORKER_H_
#define TRIARCH_TESTS_SIMULATION_SIM_WORKER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/lease.h"
#include "tests/simulation/sim_blobs.h"
#include "tests/simulation/sim_coordinator.h"
#include "tests/simulation/world.h"
#include "worker/session/worker_session.h"

namespace triarch::simulation {

// A machine on which workers run in succession.
struct Machine {
  int64_t number = 0;
  std::string name;
  int64_t slots = 1;
  double game_units = 1;      // approximate time of a game in one slot
  double plies_per_unit = 0;  // limit of its link; 0 means none
  bool is_liar = false;
  bool is_hoarder = false;  // keeps its leases and plays nothing
  bool is_forger = false;   // reports games that only an audit can tell from true ones
  std::string digest;       // of its bots
  bool is_disk_full = false;
  bool is_disk_damaged = false;
  Duration clock{0};              // how far its clock is ahead of the world's
  std::set<std::string> bundles;  // in its cache

  // Whether the coordinator can record its games.
  bool plays() const { return !is_liar && !is_hoarder && !is_forger && digest == kBuild; }
  double games_per_unit() const { return static_cast<double>(slots) / game_units; }
};

// A worker: the real WorkerSession with a driver that performs its actions in simulated time, as
// worker/work_loop.h does with threads.
class SimWorker : public std::enable_shared_from_this<SimWorker> {
 public:
  // Returns the coordinator now listening at an address, or null.
  using Dial = std::function<std::shared_ptr<SimCoordinator>(size_t address)>;

  // A worker's connections.
  struct Surroundings {
    World& world;
    Network& network;
    SimBlobs& blobs;
    Dial dial;
  };

  SimWorker(const Surroundings& surroundings, Machine& machine, uint64_t instance);
  ~SimWorker();
  SimWorker(const SimWorker&) = delete;
  SimWorker& operator=(const SimWorker&) = delete;

  void Start() { Run(); }
  // Shuts down cleanly within that many units, if nothing fails.
  void Leave(double patience);
  bool HasLeft() const { return session_.HasLeft(Now()); }
  // Reacts to a jump of its machine's clock.
  void OnClockJump() {
    WhenAwake([](SimWorker& self) { self.Run(); });
  }
  void Freeze(Time until) { frozen_until_ = until; }
  void CheckInvariants() const;

 private:
  // An unanswered call fails after that many units.
  static constexpr double kDeadline = 5;

  template <class Reply>
  using Answer = std::function<void(const absl::StatusOr<Reply>&)>;
  template <class Reply>
  using Ask = std::function<void(SimCoordinator&, const Answer<Reply>&)>;
  template <class Reply>
  using Done = std::function<void(SimWorker&, const absl::StatusOr<Reply>&)>;

  Time Now() const { return world_.now() + machine_.clock; }
  // Runs `work` later, if this worker still exists then.
  void Later(double units, std::function<void(SimWorker&)> work);
  void WhenAwake(const std::function<void(SimWorker&)>& work);
  void WakeAt(Time time);
  // Sends a message over the network. Calls `done` once, with the first answer or at the deadline.
  template <class Reply>
  void Call(size_t address, Ask<Reply> ask, Done<Reply> done, int64_t plies = 0,
            double deadline = kDeadline);

  // Performs all actions that the session requests now.
  void Run();
  void Perform(session::Register& action);
  void Perform(session::RequestLease& action);
  void Perform(session::SendHeartbeat& action);
  void Perform(session::SendReport& action);
  void Perform(session::FetchBundle& action);
  void Perform(session::RefuseLease& action);
  void Perform(session::Leave& action);
  void Perform(session::CheckNeeds& action);
  void Perform(session::StoreBundle& action);
  void Perform(session::MakeShard& action);
  void Perform(session::AbandonGames& action);
  void Perform(session::Log& action);
  GameRecord RecordOf(const WorkerSession::Game& game) const;
  void CheckShard(const triarch::Report& report) const;
  triarch::Report Falsified(triarch::Report report);
  void Play();
  void Finish(int64_t number, double units);
  void StartTransfer();

  World& world_;
  Network& network_;
  SimBlobs& blobs_;
  const Dial dial_;
  Machine& machine_;
  const WorkerInfo info_;
  WorkerSession session_;
  std::map<int64_t, WorkerSession::Game> playing_;  // by game index
  int64_t games_begun_ = 0;
  int64_t games_finished_ = 0;
  int64_t shards_made_ = 0;
  int64_t games_given_back_ = 0;  // lost by the spill
  Time frozen_until_;
  std::optional<Time> wake_;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_WORKER_H_
