// Simulates the history of one cluster from a seed.

#ifndef TRIARCH_TESTS_SIMULATION_SIMULATION_H_
#define TRIARCH_TESTS_SIMULATION_SIMULATION_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/sim_blobs.h"
#include "tests/simulation/sim_coordinator.h"
#include "tests/simulation/sim_store.h"
#include "tests/simulation/sim_worker.h"
#include "tests/simulation/world.h"

namespace triarch::simulation {

// One history: a cluster plays its tournaments while everything that can fail does, and must finish
// them once the faults stop. The same seed gives the same history.
class Simulation {
 public:
  Simulation(uint64_t seed, bool logs);

  // Returns what went wrong, or nullopt.
  std::optional<std::string> Run();
  const Tally& tally() const { return world_.tally(); }

 private:
  static constexpr int kNodes = 2;  // coordinators' machines

  struct Node {
    std::shared_ptr<SimCoordinator> coordinator;
    Time down_until;
  };
  struct Seat {
    Machine machine;
    std::shared_ptr<SimWorker> worker;
    Time down_until;
  };

  void AddTournaments();
  void AddMachines();
  void ScheduleFault();
  void Fault();
  void CrashWorker();
  void StopWorker(Seat& seat);
  void CutWorker();
  void FreezeWorker();
  void SpoilDisk();
  void JumpClock();
  void CrashCoordinator();
  void FreezeCoordinator();
  void Usurp();
  void Operate();
  void OperateWorker(SimCoordinator& leader);
  void KeepNodes();
  void KeepWorkers();
  void Check();
  void CheckStates();
  void CheckPlan(int64_t id, const SimStore::Tournament& stored);
  void CheckShards(int64_t id, const SimStore::Tournament& stored);
  void ReleaseHonestWorkers();
  void Mend();
  bool IsFinished() const;
  double UnitsLeft() const;
  SimCoordinator* Leader();
  Seat& AnySeat();

  World world_;
  SimStore store_;
  Network network_;
  SimBlobs blobs_;
  SimCoordinator::Tokens tokens_;
  std::array<Node, kNodes> nodes_;
  std::vector<Seat> seats_;
  std::vector<TournamentState> over_;  // by tournament, once done or cancelled
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIMULATION_H_
