#ifndef TRIARCH_TESTS_SIMULATION_SIM_WORKER_H_
#define TRIARCH_TESTS_SIMULATION_SIM_WORKER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/record/lease.h"
#include "tests/simulation/sim_coordinator.h"
#include "tests/simulation/world.h"
#include "worker/session/lease_queue.h"

namespace triarch::simulation {

// A machine that workers run on, one after the other.
struct Machine {
  int64_t number = 0;
  std::string name;
  int64_t slots = 1;
  double game_units = 1;      // a game takes about so long in one slot
  double plies_per_unit = 0;  // on a link that carries no more; 0: any
  bool is_liar = false;
  std::string digest;  // of its bots
  bool is_disk_full = false;
  bool is_disk_damaged = false;

  double games_per_unit() const { return static_cast<double>(slots) / game_units; }
};

// A worker as worker/work_loop.h, around the same LeaseQueue: it registers, pulls leases, plays and
// reports, and keeps nothing beyond its end.
class SimWorker : public std::enable_shared_from_this<SimWorker> {
 public:
  // The coordinator that listens at an address now; null if nobody does.
  using Dial = std::function<std::shared_ptr<SimCoordinator>(int address)>;

  SimWorker(World& world, Network& network, Dial dial, Machine& machine, uint64_t instance);
  ~SimWorker();
  SimWorker(const SimWorker&) = delete;
  SimWorker& operator=(const SimWorker&) = delete;

  void Start() { Speak(); }
  // Says that it goes, once; the answer is not awaited.
  void Leave();
  void Freeze(Time until) { frozen_until_ = until; }
  bool is_quarantined() const { return is_quarantined_; }
  void CheckInvariants() const;

 private:
  struct CallState {
    int64_t number = 0;  // of the call under way, or of the last
    bool is_under_way = false;
    Time next;
    int failures = 0;
  };
  template <class Reply>
  using Answer = std::function<void(const absl::StatusOr<Reply>&)>;
  template <class Reply>
  using Ask = std::function<void(SimCoordinator&, const Answer<Reply>&)>;

  // Runs later, if this worker is still there then.
  void Later(double units, std::function<void(SimWorker&)> work);
  void WhenAwake(const std::function<void(SimWorker&)>& work);
  template <class Reply>
  void Call(CallState SimWorker::*call, const Ask<Reply>& ask,
            const std::function<void(SimWorker&, const absl::StatusOr<Reply>&)>& done,
            int64_t plies = 0);
  template <class Reply>
  void Send(const Ask<Reply>& ask, const Answer<Reply>& answer, int64_t plies = 0);
  bool Note(CallState& call, const absl::Status& status);

  void Speak();
  void SpeakAsRegistered();
  void WakeAt(Time time);
  void Register();
  void AskForLease();
  void SendHeartbeat();
  void SendReport();
  triarch::Report Falsified(triarch::Report report);
  void Cancel(uint64_t token);
  void Play();
  void Finish(int64_t game, double units);
  void StartTransfer();

  World& world_;
  Network& network_;
  const Dial dial_;
  Machine& machine_;
  const WorkerInfo info_;
  int address_ = 0;
  LeaseQueue queue_;
  std::map<int64_t, LeaseQueue::Order> playing_;  // by number of the game
  int64_t games_begun_ = 0;
  int64_t games_finished_ = 0;
  int64_t games_given_back_ = 0;  // that the spill lost
  bool is_registered_ = false;
  bool is_quarantined_ = false;
  CallState registration_, lease_, heartbeat_, report_;
  Time frozen_until_;
  std::optional<Time> wake_;
};

}  // namespace triarch::simulation

#endif  // TRIARCH_TESTS_SIMULATION_SIM_WORKER_H_
