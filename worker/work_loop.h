#ifndef TRIARCH_WORKER_WORK_LOOP_H_
#define TRIARCH_WORKER_WORK_LOOP_H_

#include <chrono>
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
#include "core/base/random.h"
#include "core/record/lease.h"
#include "core/schedule/schedule.h"
#include "worker/bundle_cache.h"
#include "worker/bundle_fetch.h"
#include "worker/coordinator_client.h"
#include "worker/match/slots.h"
#include "worker/selfplay/shard_maker.h"
#include "worker/session/lease_queue.h"
#include "worker/worker_metrics.h"

namespace triarch {

// A worker: registers, pulls leases, plays their games in its slots, reports them, says that it
// lives; and goes on through whatever happens to the coordinator. It keeps nothing beyond its end.
//
// Threads: the slots play and wait in NextJob; the client's threads bring answers; one thread of
// its own decides what to say next, one makes shards, one moves games to the spill and back. Lock
// order: mutex_, then that of the slots.
class WorkLoop {
 public:
  struct Options {
    WorkerInfo worker;
    LeaseQueue::Options queue;
    uint64_t seed = 1;  // of the jitter
    // Where bundles are kept; null: tournaments that need some cannot be played.
    BundleCache* bundles = nullptr;
    // Leases that it cannot play, as a bot cannot be made, are given back; else it ends.
    bool gives_back = true;
    // One line of what an operator wants to know, when it changes: "connected", "no coordinator".
    std::function<void(const std::string&)> log = [](const std::string&) {};
  };

  // Begins to work. Bundles, client, metrics and what the maker needs must outlive it.
  WorkLoop(const Options& options, std::unique_ptr<Spill> spill, CoordinatorClient* client,
           PlayerMaker make_player, WorkerMetrics* metrics);
  // Stops, without waiting for anybody: use Leave first to go in good order.
  ~WorkLoop();
  WorkLoop(const WorkLoop&) = delete;
  WorkLoop& operator=(const WorkLoop&) = delete;

  // Plays no more, reports what is finished, gives its leases back; at most for that long.
  void Leave(std::chrono::milliseconds patience) ABSL_LOCKS_EXCLUDED(mutex_);

  // Why it cannot work any more: it is refused (version, token, quarantine); or, if it gives
  // nothing back, a bot cannot be made. Ok while it works, also while no coordinator answers.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Finished games that no coordinator has recorded yet, as far as is known.
  int64_t games_held() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether a coordinator knows it now.
  bool is_registered() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  // When to call again; one call of a kind at a time.
  struct CallState {
    bool is_under_way = false;
    Time next;         // not before
    int failures = 0;  // in a row
  };

  std::optional<Job> NextJob() ABSL_LOCKS_EXCLUDED(mutex_);
  void Finish(const Job& job, std::optional<GameRecord> record) ABSL_LOCKS_EXCLUDED(mutex_);

  void Run();
  // What the spill takes and gives, without the lock.
  void RunTransfers();
  void Speak(Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Time NextTime(Time now) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Register() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AskForLease() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SendHeartbeat() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of a report of self-play: first its samples are made a shard.
  void MakeShard(const Report& report, int64_t tournament) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeShard(const absl::StatusOr<ShardEntry>& shard) ABSL_LOCKS_EXCLUDED(mutex_);
  // Of a report of which no shard can be made: its lease is given back, to be played by another.
  void GiveUpReport(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SendReport(const Report& report) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A lease that cannot be played.
  void Refuse(const Job& job, const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void GiveBack(uint64_t token, const std::string& why) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TakeSpec(int64_t tournament, const std::string& json)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those of the tournament that are not here.
  std::vector<NeededBundle> MissingBundles(int64_t tournament)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The other bundles may go where there is no room.
  void KeepNeededBundles() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FetchBundle() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeBundlePart(const absl::StatusOr<BundlePart>& part) ABSL_LOCKS_EXCLUDED(mutex_);
  void AddLease(const Lease& lease) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLease(const ArrivedLease& arrived) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeHeartbeatReply(const HeartbeatReply& reply) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeReportReply(const ReportReply& reply, int64_t games)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What every answer means for what comes next; false if it was an error.
  bool Note(CallState& call, const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Cancel(uint64_t token) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Fail(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Says when finished games find no room any more, and when most of them have gone.
  void NoteRoom() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetGauges() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  CoordinatorClient* const client_;
  WorkerMetrics* const metrics_;

  mutable Mutex mutex_;
  CondVar changed_;       // for the loop
  CondVar has_job_;       // for the slots
  CondVar has_transfer_;  // for the spill's thread
  LeaseQueue queue_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<const Schedule>> schedules_ ABSL_GUARDED_BY(mutex_);
  std::vector<int64_t> known_ ABSL_GUARDED_BY(mutex_);  // to this coordinator
  std::map<int64_t, std::vector<NeededBundle>> needed_ ABSL_GUARDED_BY(mutex_);  // by tournament
  std::optional<BundleFetch> fetch_ ABSL_GUARDED_BY(mutex_);
  Random random_ ABSL_GUARDED_BY(mutex_);
  bool is_registered_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_leaving_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::string trouble_ ABSL_GUARDED_BY(mutex_);         // what was logged last
  std::string data_trouble_ ABSL_GUARDED_BY(mutex_);    // likewise, of storing samples; empty: none
  int64_t held_when_full_ ABSL_GUARDED_BY(mutex_) = 0;  // games; 0: there was room
  CallState registration_ ABSL_GUARDED_BY(mutex_);
  CallState lease_ ABSL_GUARDED_BY(mutex_);
  CallState heartbeat_ ABSL_GUARDED_BY(mutex_);
  CallState fetching_ ABSL_GUARDED_BY(mutex_);
  CallState report_ ABSL_GUARDED_BY(mutex_);
  int calls_ ABSL_GUARDED_BY(mutex_) = 0;  // under way, of any kind
  Time wake_at_ ABSL_GUARDED_BY(mutex_);   // when the loop looks around by itself

  ShardMaker shards_;
  std::optional<Slots> slots_;
  std::jthread thread_;
  std::jthread transfers_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_WORK_LOOP_H_
