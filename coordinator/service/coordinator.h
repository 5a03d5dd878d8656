// Runs a CoordinatorSession with a clock, threads, the store and the data locations.

#ifndef TRIARCH_COORDINATOR_SERVICE_COORDINATOR_H_
#define TRIARCH_COORDINATOR_SERVICE_COORDINATOR_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/activity_log.h"
#include "coordinator/service/bundle_registry.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/data_publisher.h"
#include "coordinator/service/deletions.h"
#include "coordinator/service/executor.h"
#include "coordinator/service/live_games.h"
#include "coordinator/service/recorder.h"
#include "coordinator/service/report_pipeline.h"
#include "coordinator/service/session_writer.h"
#include "coordinator/service/shared_session.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/service/tournament_ratings.h"
#include "coordinator/session/coordinator_session.h"
#include "coordinator/store/store.h"
#include "core/base/log.h"
#include "core/base/mutex.h"
#include "core/record/lease.h"

namespace triarch {

// Tournaments go in, leases go out; reports come back, are replayed and recorded. The session makes
// all decisions. Thread-safe. Reactors may call any function that is not documented as waiting.
class Coordinator {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    CoordinatorSession::Options session;
    // Set if only this tournament of the store is to be played.
    std::optional<int64_t> tournament = {};
    int64_t replay_threads = 1;
    Recorder::Options recorder;
    // How often to rate running tournaments, unless rating takes a long time; 0 means never.
    std::chrono::milliseconds ratings_every{0};
    BundleRegistry::Options bundles;
    // If set, self-play data must be below one of these.
    std::optional<DataRoots> data_roots = {};
    // If set, asks workers for games in progress while someone watches. Must outlive the
    // coordinator.
    LiveGames* live = nullptr;
    LogTo log = [](const LogEntry&) {};
  };
  using OpenStore = std::function<absl::StatusOr<std::unique_ptr<Store>>()>;

  // Takes over the tournaments of `store`, which already leads in `epoch`. `open_reader` opens the
  // same store for reading while `store` writes; without it, `store` does both. `metrics` must
  // outlive the coordinator.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(const Options& options, uint64_t epoch,
                                                            std::unique_ptr<Store> store,
                                                            const OpenStore& open_reader,
                                                            CoordinatorMetrics* metrics);
  // Stops. Requires: no calls are in progress.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  const LeaseRules& rules() const { return options_.session.leases; }
  BundleRegistry& bundles() { return *bundles_; }
  const LogTo& log() const { return options_.log; }

  // ---- For workers; as in CoordinatorSession.

  // The owner is the name of the worker's token.
  absl::Status Register(const WorkerInfo& worker, const WorkerOwner& owner = {})
      ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    return shared_.session.Register(worker, Clock::now(), owner);
  }
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker)
      ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    return shared_.session.RequestLease(worker, Clock::now());
  }
  absl::StatusOr<std::string> SpecJson(int64_t tournament) const
      ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    return shared_.session.SpecJson(tournament);
  }
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat)
      ABSL_LOCKS_EXCLUDED(shared_.mutex);
  void Release(const WorkerId& worker, const std::vector<uint64_t>& tokens, const std::string& why,
               bool leaves) ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    shared_.session.Release(worker, tokens, why, leaves, Clock::now());
  }
  // Calls `done` once, on any thread, possibly before returning.
  void Report(triarch::Report report, ReportPipeline::Done done)
      ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    reports_->Add(std::move(report), std::move(done));
  }

  // Records as many reported games as possible and answers all reports. Afterwards, workers' calls
  // are Unavailable. Waits a few seconds for outdated manifests to be written.
  void Stop() ABSL_LOCKS_EXCLUDED(shared_.mutex);

  // ---- For operators. What changes something, and Read, wait for the store.

  absl::StatusOr<int64_t> Submit(TournamentSpec spec, const std::string& spec_text,
                                 const Precedence& precedence = {})
      ABSL_LOCKS_EXCLUDED(shared_.mutex);
  absl::Status SetState(int64_t tournament, TournamentState state)
      ABSL_LOCKS_EXCLUDED(shared_.mutex);
  // Deletes a tournament that is over, though its games a little later, but no self-play data.
  absl::Status Delete(int64_t tournament) ABSL_LOCKS_EXCLUDED(shared_.mutex);
  // Runs `change` on the session and returns what it returns.
  template <class F>
  auto Change(F change) ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    return change(shared_.session);
  }
  // Runs `task` on the thread that writes to the store, waits, and returns what it returns.
  template <class F>
  auto Write(F task) {
    return writer_.Ask(task);
  }
  // Posts the session's notes to the writer.
  void SaveNotes() ABSL_LOCKS_EXCLUDED(shared_.mutex) { session_writer_->SaveNotes(); }
  std::vector<TournamentStatus> Tournaments() const ABSL_LOCKS_EXCLUDED(shared_.mutex);
  absl::StatusOr<TournamentStatus> Tournament(int64_t id) const ABSL_LOCKS_EXCLUDED(shared_.mutex);
  std::vector<WorkerView> Workers() const ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    return shared_.session.Workers(Clock::now());
  }
  std::vector<int64_t> TournamentsWith(std::string_view digest) const
      ABSL_LOCKS_EXCLUDED(shared_.mutex) {
    MutexLock lock(&shared_.mutex);
    return shared_.session.TournamentsWith(digest);
  }

  // Runs `task` on a thread with the store, for reading, and waits for it.
  void Read(absl::FunctionRef<void(Store&)> task) { reader().Run(task); }
  // Run tasks that wait for the store and must not block a reactor. Changes run one after another.
  void PostChange(std::function<void()> task) { changes_.Post(std::move(task)); }
  void PostRead(std::function<void()> task) { reads_.Post(std::move(task)); }
  // Runs tasks that do not wait, for operators and users.
  void PostView(std::function<void()> task) { views_.Post(std::move(task)); }

  // Writes the manifests of all self-play runs that have changed. Blocks, for at most `patience` if
  // given (DataPublisher::Finish). Returns the first error.
  absl::Status PublishData(std::optional<std::chrono::milliseconds> patience = std::nullopt) {
    return data_->Finish(patience);
  }

  // Returns ok while it can work. FailedPrecondition is permanent: another coordinator has taken
  // over the store, so destroy this object.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(shared_.mutex);

 private:
  Coordinator(const Options& options, uint64_t epoch, std::unique_ptr<Store> store,
              std::unique_ptr<Store> reader, CoordinatorMetrics* metrics);

  absl::Status Load(Store& store) ABSL_LOCKS_EXCLUDED(shared_.mutex);
  void CountEarlierGames(int64_t tournament, RangeSet games);
  void KeepTime() ABSL_LOCKS_EXCLUDED(shared_.mutex);
  // Has reports about games in progress replayed, unless many of them wait for that.
  void ShowLive(const WorkerId& worker, const std::vector<LiveReport>& reports)
      ABSL_LOCKS_EXCLUDED(shared_.mutex);
  void DropLive(Clock::time_point now) ABSL_LOCKS_EXCLUDED(shared_.mutex);
  StoreThread& reader() { return reader_ ? *reader_ : writer_; }

  const Options options_;
  CoordinatorMetrics* const metrics_;

  SharedSession shared_;
  // Tasks on the threads below use these, so they end after the threads.
  std::optional<SessionWriter> session_writer_;
  std::optional<ReportPipeline> reports_;
  Deletions deletions_;  // used by tasks of the writer
  // Destroyed from last to first: the parts that post tasks end before the threads that run them.
  StoreThread writer_;
  std::optional<StoreThread> reader_;
  std::optional<Recorder> recorder_;
  std::optional<DataPublisher> data_;
  std::optional<BundleRegistry> bundles_;
  std::optional<TournamentRatings> ratings_;
  ActivityLog activity_;               // of the clock's thread
  std::atomic<int> live_waiting_ = 0;  // tasks of `views_` that replay games in progress
  Executor replays_;
  Executor changes_;
  Executor reads_;
  Executor views_;
  std::jthread clock_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_COORDINATOR_H_
