// Runs a worker: the threads, calls and files that its WorkerSession uses.

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
#include "core/base/log.h"
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

// A worker: registers, requests leases, plays their games in its slots, reports them and sends
// heartbeats, and survives failures of the coordinator. It leaves nothing behind.
//
// It makes no decisions: it performs the actions of its WorkerSession and reports their results to
// it. Threads: the slots play, and wait in NextJob; the clients' threads deliver answers; one
// thread performs actions, one makes shards, and one does disk work (the spill, the bundle cache).
// Lock order: mutex_, then that of the slots.
class WorkLoop {
 public:
  struct Options {
    WorkerInfo worker;
    LeaseQueue::Options queue;
    // Stores bundles. If null, the worker refuses tournaments that need any.
    BundleCache* bundles = nullptr;
    // If set, refuses the leases of self-play whose data is not below one of these.
    std::optional<DataRoots> data_roots = {};
    // Refuses a lease whose bots cannot be made and continues; otherwise the loop ends.
    bool gives_back = true;
    LogTo log = [](const LogEntry&) {};
  };

  // Starts working. `clients` are the addresses to try in turn, at least one. They, the bundles,
  // the metrics and everything that `make_player` uses must outlive the loop.
  WorkLoop(const Options& options, std::unique_ptr<Spill> spill,
           std::vector<CoordinatorClient*> clients, PlayerMaker make_player,
           WorkerMetrics* metrics);
  // Stops immediately; call Leave first to report finished games.
  ~WorkLoop();
  WorkLoop(const WorkLoop&) = delete;
  WorkLoop& operator=(const WorkLoop&) = delete;

  // Stops playing, reports finished games and returns the leases. Waits until this is done, but no
  // longer than `patience`, and not for players that do not obey (see CallsUnderWay).
  void Leave(std::chrono::milliseconds patience) ABSL_LOCKS_EXCLUDED(mutex_);

  // See Slots. The destructor waits for the calls that are under way after Leave.
  std::vector<std::string> TakeSilences() { return slots_->TakeSilences(); }
  std::vector<std::string> CallsUnderWay() const { return slots_->CallsUnderWay(); }

  // Returns why it can no longer work: the coordinator refused it (version, token, quarantine), or
  // a bot cannot be made and it does not refuse leases. Returns ok while it works, even if no
  // coordinator answers.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the number of finished games that no coordinator is known to have recorded.
  int64_t games_held() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether a coordinator currently knows the worker.
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
  // Wakes the loop if the session may want to act earlier than planned.
  void WakeIfDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Wakes every thread after an event that may concern it.
  void WakeAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetGauges() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether the slots do nothing but wait for players that do not answer.
  bool OnlyCallsAreLeft() const;

  // ---- Actions.
  void Perform(session::Register& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::RequestLease& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::SendHeartbeat& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::SendReport& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::FetchBundle& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::RefuseLease& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::Leave& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::CheckNeeds& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::StoreBundle& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::MakeShard& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::AbandonGames& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Perform(session::Log& action) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Returns a callback for a pending call or shard. It passes the answer to `event` under the lock,
  // unless the loop is ending.
  template <class Answer, class Event>
  std::function<void(const Answer&)> Expect(Event event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Reads the spec that came with a lease.
  LeaseArrival Read(const ArrivedLease& arrived) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Reads the matches of its games, if the tournament's matches are planned.
  absl::Status ReadMatches(const std::string& json, Lease* lease) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<PlayNeeds> ReadSpec(int64_t tournament, const std::string& json)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  const std::vector<CoordinatorClient*> clients_;
  WorkerMetrics* const metrics_;

  mutable Mutex mutex_;
  CondVar changed_;        // for the loop and threads that wait for its end
  CondVar has_job_;        // for the slots
  CondVar has_disk_work_;  // for the disk thread
  WorkerSession session_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<const Schedule>> schedules_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> disk_work_ ABSL_GUARDED_BY(mutex_);  // run without the lock
  bool is_watched_ ABSL_GUARDED_BY(mutex_) = false;  // whether heartbeats carry games in progress
  int under_way_ ABSL_GUARDED_BY(mutex_) = 0;        // calls and shards
  Time wake_at_ ABSL_GUARDED_BY(mutex_);             // when the loop acts without being woken
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;

  ShardMaker shards_;
  std::optional<Slots> slots_;
  std::jthread thread_;
  std::jthread disk_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_WORK_LOOP_H_
