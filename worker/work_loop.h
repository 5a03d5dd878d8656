// Runs a worker: the threads, calls and files that a WorkerSession asks for.

#ifndef TRIARCH_WORKER_WORK_LOOP_H_
#define TRIARCH_WORKER_WORK_LOOP_H_

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "core/record/lease.h"
#include "core/schedule/schedule.h"
#include "worker/bundle_cache.h"
#include "worker/coordinator_client.h"
#include "worker/match/slots.h"
#include "worker/selfplay/shard_maker.h"
#include "worker/session/worker_session.h"
#include "worker/worker_metrics.h"

namespace triarch {

// A worker: registers, pulls leases, plays their games in its slots, reports them and sends
// heartbeats, whatever happens to the coordinator. It keeps nothing beyond its end.
//
// It decides nothing: it performs the actions of its WorkerSession, and tells the session what came
// of them. Threads: the slots play, and wait in NextJob; the clients' threads bring answers; one
// thread performs actions, one makes shards, and one does what needs the disk (the spill, the
// bundle cache). Lock order: mutex_, then that of the slots.
class WorkLoop {
 public:
  struct Options {
    WorkerInfo worker;
    LeaseQueue::Options queue;
    // Keeps bundles; null: the worker refuses tournaments that need some.
    BundleCache* bundles = nullptr;
    // Gives back a lease whose bots cannot be made, and goes on; else it ends.
    bool gives_back = true;
    // Takes a line for the operator: "connected", "cannot play: ...".
    std::function<void(const std::string&)> log = [](const std::string&) {};
  };

  // Begins to work. `clients` are the addresses to try in turn, at least one. They, the bundles,
  // the metrics and what `make_player` needs must outlive the loop.
  WorkLoop(const Options& options, std::unique_ptr<Spill> spill,
           std::vector<CoordinatorClient*> clients, PlayerMaker make_player,
           WorkerMetrics* metrics);
  // Stops at once: call Leave first to report what is finished.
  ~WorkLoop();
  WorkLoop(const WorkLoop&) = delete;
  WorkLoop& operator=(const WorkLoop&) = delete;

  // Stops to play, reports what is finished, and gives its leases back. Waits for that, but no
  // longer than `patience`.
  void Leave(std::chrono::milliseconds patience) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns why it cannot work any more: it was refused (version, token, quarantine), or it gives
  // nothing back and a bot cannot be made. Ok while it works, even if no coordinator answers.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the number of finished games that no coordinator has recorded yet, as far as is known.
  int64_t games_held() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether a coordinator knows the worker now.
  bool is_registered() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  // ---- For the slots.
  std::optional<Job> NextJob() ABSL_LOCKS_EXCLUDED(mutex_);
  void Finish(const Job& job, std::optional<GameRecord> record) ABSL_LOCKS_EXCLUDED(mutex_);
  void Refuse(const Job& job, const absl::Status& why) ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- Threads.
  void Run() ABSL_LOCKS_EXCLUDED(mutex_);
  void RunDisk() ABSL_LOCKS_EXCLUDED(mutex_);
  // The session may want to act before the loop would look.
  void WakeIfDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Something happened that may concern every thread.
  void WakeAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetGauges() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // ---- Actions.
  void Perform(session::Register& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::RequestLease& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::SendHeartbeat& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::SendReport& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::FetchBundle& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::RefuseLease& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::Leave& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::FindBundles& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::StoreBundle& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::MakeShard& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::AbandonGames& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::Log& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Returns a callback for a call or a shard under way: it hands the answer to `event`, with the
  // lock and unless the loop is ending.
  template <class Answer, class Event>
  std::function<void(const Answer&)> Expect(Event event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Reads the spec that came with a lease.
  LeaseArrival Read(const ArrivedLease& arrived) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<PlayNeeds> ReadSpec(int64_t tournament, const std::string& json)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  const std::vector<CoordinatorClient*> clients_;
  WorkerMetrics* const metrics_;

  mutable Mutex mutex_;
  CondVar changed_;        // for the loop, and for those who wait for its end
  CondVar has_job_;        // for the slots
  CondVar has_disk_work_;  // for the disk's thread
  WorkerSession session_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<const Schedule>> schedules_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> disk_work_ ABSL_GUARDED_BY(mutex_);  // run without the lock
  int under_way_ ABSL_GUARDED_BY(mutex_) = 0;                            // calls and shards
  Time wake_at_ ABSL_GUARDED_BY(mutex_);  // when the loop looks by itself
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;

  ShardMaker shards_;
  std::optional<Slots> slots_;
  std::jthread thread_;
  std::jthread disk_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_WORK_LOOP_H_
