#ifndef TRIARCH_COORDINATOR_SERVICE_COORDINATOR_H_
#define TRIARCH_COORDINATOR_SERVICE_COORDINATOR_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/leases/lease_book.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/data_publisher.h"
#include "coordinator/service/executor.h"
#include "coordinator/service/recorder.h"
#include "coordinator/service/store_thread.h"
#include "coordinator/store/store.h"
#include "core/base/mutex.h"
#include "core/record/lease.h"
#include "core/schedule/schedule.h"

namespace triarch {

// How a tournament stands.
struct TournamentStatus {
  int64_t id = 0;
  TournamentSpec spec;
  TournamentState state = TournamentState::kActive;
  std::string created;
  int64_t open = 0;
  int64_t leased = 0;
  int64_t done = 0;
  int64_t plies = 0;            // recorded by this coordinator
  double games_per_second = 0;  // of late
  double plies_per_second = 0;
  // Of self-play: what is recorded.
  int64_t shards = 0;
  int64_t samples = 0;
  int64_t sample_bytes = 0;     // of the shards' files
  std::string data_error = {};  // why its manifest cannot be written; empty if it can
  struct BotPoints {
    std::string bot;
    int64_t games = 0;
    double points = 0;  // placement points
  };
  std::vector<BotPoints> leaderboard;  // by points a game
  std::vector<std::string> refusals;   // as LeaseBook::RefusalsOf
};

// The coordinator: tournaments go in, leases go out, reports come back, are replayed and recorded.
// All of it is thread-safe, and what may be asked by a reactor does not block.
//
// Lock order: mutex_, then the mutexes of recorder, executor and store threads. No callback is
// called under mutex_.
class Coordinator {
 public:
  struct Options {
    LeaseRules leases;
    // Reports are recorded as they are: of a worker in this same process.
    bool trusts_workers = false;
    int64_t replay_threads = 1;
    int64_t replay_plies_max = 4'000'000;  // waiting to be replayed
    Recorder::Options recorder;
    // Ratings of running tournaments are worked out this often, or less often where that takes
    // long; 0 for never.
    std::chrono::milliseconds ratings_every{0};
    int64_t user_bundle_bytes_max = int64_t{1} << 30;  // of all bundles that users added, together
  };
  using OpenStore = std::function<absl::StatusOr<std::unique_ptr<Store>>()>;

  // Takes up where the store stands. `store` leads already, in `epoch`. `open_reader` opens the
  // same store for reading while `store` writes; without it the one store does both. `metrics`
  // must outlive the coordinator.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(const Options& options, uint64_t epoch,
                                                            std::unique_ptr<Store> store,
                                                            const OpenStore& open_reader,
                                                            CoordinatorMetrics* metrics);
  // As Stop. Nobody may call it any more.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  const LeaseRules& rules() const { return options_.leases; }

  // ---- For workers; errors as in proto/triarch/v1/worker.proto. None of these blocks.
  absl::Status Register(const WorkerInfo& worker) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<LeaseReply> RequestLease(const WorkerId& worker) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::string> SpecJson(int64_t tournament) const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<HeartbeatReply> Heartbeat(const HeartbeatRequest& heartbeat)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // `why`: why they cannot be played; empty if they can.
  void Release(const WorkerId& worker, const std::vector<uint64_t>& tokens, const std::string& why,
               bool leaves) ABSL_LOCKS_EXCLUDED(mutex_);
  using TarDone = std::function<void(absl::StatusOr<std::shared_ptr<const std::string>>)>;
  // The tar of a bundle. `done` is called once, on any thread, perhaps before this returns.
  void FetchBundle(const std::string& digest, TarDone done) ABSL_LOCKS_EXCLUDED(mutex_);
  using ReportDone = std::function<void(const absl::StatusOr<ReportReply>&)>;
  // `done` is called once, on any thread, perhaps before this returns.
  void Report(triarch::Report report, ReportDone done) ABSL_LOCKS_EXCLUDED(mutex_);

  // Records what it can of what was reported and answers all reports; from then on every call of a
  // worker is Unavailable. Manifests that are behind have some seconds.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- For operators. Submit, SetState and Read wait for the store: not from a reactor.
  absl::StatusOr<int64_t> Submit(TournamentSpec spec, const std::string& spec_text)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status SetState(int64_t tournament, TournamentState state) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<TournamentStatus> Tournaments() const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<TournamentStatus> Tournament(int64_t id) const ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<LeaseBook::WorkerView> Workers() const ABSL_LOCKS_EXCLUDED(mutex_);

  // ---- Bundles, for operators and users; errors as in proto/triarch/v1/bot.proto. What changes
  // them waits for the store, and is posted (PostChange), as is Submit: one after the other.
  absl::StatusOr<StoredBundle> AddBundle(std::string_view tar, bool is_operator, bool* is_new)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<StoredBundle> RemoveBundle(std::string_view name, bool is_operator)
      ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<StoredBundle> Bundles() const ABSL_LOCKS_EXCLUDED(mutex_);  // the newest last
  // Tournaments that are not over and in which it plays.
  std::vector<int64_t> TournamentsWith(std::string_view digest) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Runs `task` on a thread with the store, for reading what is recorded.
  void Read(absl::FunctionRef<void(Store&)> task);
  // For what waits for the store and must not hold a reactor: what is changed, and what is read,
  // which may take long.
  void PostChange(std::function<void()> task) { changes_.Post(std::move(task)); }
  void PostRead(std::function<void()> task) { reads_.Post(std::move(task)); }

  // Writes the manifests of all runs of self-play that have changed; waits, where a `patience` is
  // given no longer (DataPublisher::Finish). The first error.
  absl::Status PublishData(std::optional<std::chrono::milliseconds> patience = std::nullopt) {
    return data_->Finish(patience);
  }

  // Ok while it can do its work; else why not. Once another coordinator has taken over the store it
  // is FailedPrecondition for good: end this one.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Clock = std::chrono::steady_clock;

  // A tournament with what its reports need.
  struct Entry {
    StoredTournament stored;
    std::shared_ptr<const Schedule> schedule;
    const GameInfo* info = nullptr;
    std::vector<TournamentStatus::BotPoints> points;  // by number of the bot
    RangeSet recording;                               // reported, on their way into the store
    int64_t plies = 0;                                // recorded since the start
    std::string spec_digest;                          // of self-play
    int64_t shards = 0;                               // likewise, recorded
    int64_t samples = 0;
    int64_t sample_bytes = 0;
    double plies_per_second = 0;
    Clock::time_point plies_measured;
    int64_t plies_then = 0;
    bool are_digests_saved = true;
    bool are_digests_being_saved = false;
    // Of the metrics: "12 quickstart".
    std::string label() const { return std::to_string(stored.id) + " " + stored.spec.name; }
    int64_t games_rated = -1;  // recorded when the ratings were worked out last
  };
  struct Pending;  // a report on its way

  Coordinator(const Options& options, uint64_t epoch, std::unique_ptr<Store> store,
              std::unique_ptr<Store> reader, CoordinatorMetrics* metrics);

  absl::Status Load(Store& store);
  absl::Status AddEntry(StoredTournament stored, const RangeSet& recorded)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountEarlierGames(int64_t tournament, RangeSet games);
  void SettleDigests(int64_t tournament) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SaveDigests(int64_t tournament) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  TournamentStatus StatusOf(const Entry& entry) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsBusy() const;

  // Of the tournament, self-play, at the start or when it is submitted.
  void AddShards(int64_t tournament, const std::vector<ShardEntry>& shards)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Tells the publisher of a tournament, if that is self-play.
  void NoteData(int64_t tournament, const Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of self-play that is submitted: names the run and makes the place its own, if no other run's
  // data is there.
  absl::Status ClaimData(TournamentSpec* spec) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes that back where the store says why it has not begun.
  void UnclaimData(const TournamentSpec& spec, const absl::Status& why) const;
  static absl::Status CheckShard(const triarch::Report& report, const Entry& entry);
  void CompleteShard(const Entry& entry, ShardEntry* shard) const;
  void NoteShard(int64_t tournament, Entry& entry, const ShardEntry& shard)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartPublishing();
  void EndPublishing();

  void Replay(std::shared_ptr<Pending> pending);
  void Record(std::shared_ptr<Pending> pending);
  void AfterRecord(Pending& pending, const std::vector<GameRecord>& games,
                   const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::optional<ReportReply>> Accept(Pending& pending, bool is_busy)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void End(const Pending& pending) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Count(Entry& entry, const std::vector<GameRecord>& games)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  static absl::Status ReadBundles(Store& store, std::vector<StoredBundle>* bundles);
  absl::Status CheckUserMayAdd(const StoredBundle& bundle) const ABSL_LOCKS_EXCLUDED(mutex_);
  // That workers can have the files of all bots that are not bundled.
  absl::Status CheckBots(const TournamentSpec& spec) const ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<const std::string> KeptTar(const std::string& digest) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  void KeepTime();
  // Unavailable to workers, who then turn to another coordinator, once this one leads no more.
  absl::Status CheckLeads() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SaveEvents() ABSL_LOCKS_EXCLUDED(mutex_);
  void AddQuarantined(const WorkerId& worker, std::vector<StoredWorker>* workers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AskWhetherItLeads() ABSL_LOCKS_EXCLUDED(mutex_);
  void MeasureRates(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetGauges(Clock::time_point now) ABSL_LOCKS_EXCLUDED(mutex_);
  void RateTournaments() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status RateTournament(Store& store, int64_t tournament) ABSL_LOCKS_EXCLUDED(mutex_);
  StoreThread& reader() { return reader_ ? *reader_ : writer_; }

  const Options options_;
  CoordinatorMetrics* const metrics_;

  mutable Mutex mutex_;
  LeaseBook book_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  absl::Status fatal_ ABSL_GUARDED_BY(mutex_);
  absl::Status store_status_ ABSL_GUARDED_BY(mutex_);              // when it was asked last
  std::vector<StoredWorker> quarantined_ ABSL_GUARDED_BY(mutex_);  // that could not be saved yet

  std::vector<StoredBundle> bundles_ ABSL_GUARDED_BY(mutex_);  // as the store has them
  // Of bundles that were fetched lately, by digest.
  std::deque<std::pair<std::string, std::shared_ptr<const std::string>>> tars_
      ABSL_GUARDED_BY(mutex_);

  std::atomic<int64_t> replay_plies_waiting_ = 0;
  std::atomic<bool> is_rating_ = false;
  std::atomic<bool> is_asking_ = false;
  Clock::time_point ask_at_;  // of the clock's thread alone
  std::atomic<Clock::time_point> next_rating_ = Clock::time_point();

  // Ended in the order from the last to the first: who posts ends before who works.
  StoreThread writer_;
  std::optional<StoreThread> reader_;
  std::optional<Recorder> recorder_;
  std::optional<DataPublisher> data_;
  Executor replays_;
  Executor changes_;
  Executor reads_;
  std::jthread clock_;
};

// The bundle that `text` names, NAME, NAME@VERSION or NAME@DIGEST, of a list with the newest last.
// NotFound says what is not there.
absl::StatusOr<StoredBundle> FindBundle(std::span<const StoredBundle> bundles,
                                        std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_COORDINATOR_H_
