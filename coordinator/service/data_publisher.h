#ifndef TRIARCH_COORDINATOR_SERVICE_DATA_PUBLISHER_H_
#define TRIARCH_COORDINATOR_SERVICE_DATA_PUBLISHER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/service/executor.h"
#include "core/base/mutex.h"
#include "core/record/shard_entry.h"
#include "core/record/tournament_spec.h"
#include "core/record/tournament_state.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {

// Keeps the manifest of every run of self-play, where its data is, as the store has it: what counts
// is what the store says, and the file follows. When a run is done or cancelled it also collects
// its shards that do not count, whole or not: of workers that were killed, or whose lease was over.
class DataPublisher {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using ReadShards = std::function<absl::StatusOr<std::vector<ShardEntry>>(int64_t tournament)>;
  struct Options {
    std::chrono::milliseconds every{10'000};  // at most so often, for one run
    // At most so often, and once at the end, all runs that are done are looked through for strays:
    // one stray makes work in each of them, so that strays must not say how much of it there is.
    std::chrono::milliseconds every_strays{600'000};
    // How long one try may take where a server does not answer. Other runs wait meanwhile.
    std::chrono::milliseconds retry_for{5'000};
    std::string environment = "the environment of this process";  // whose keys are used
    // What became of a try, for the metrics.
    std::function<void(const absl::Status&)> on_publish = [](const absl::Status&) {};
  };

  // `read_shards` asks the store; it is called on a thread of the publisher's.
  DataPublisher(const Options& options, ReadShards read_shards);

  // The run's shards have changed, or its state. Of one that is done or cancelled (and stays so) no
  // shard may be on its way into the store. Does not block.
  void Note(int64_t tournament, const TournamentSpec& spec, TournamentState state)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Somebody has written a shard that does not count, where it is not known: what is collected in
  // runs that are over is collected again, by and by. Does not block.
  void NoteStray() ABSL_LOCKS_EXCLUDED(mutex_);
  // Publishes what is due. Does not block.
  void Tick(Time now) ABSL_LOCKS_EXCLUDED(mutex_);
  // Publishes all that has changed; blocks. The first error, if there is one. With a `patience`,
  // it is stopped (as Stop) when that is over.
  absl::Status Finish(std::optional<std::chrono::milliseconds> patience = std::nullopt)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // What is under way ends soon, and all that is tried from then on is Cancelled. Does not block.
  void Stop() { is_stopped_ = true; }
  // Of a run that begins or goes on: makes the place its own, as ClaimLocation does; blocks, some
  // seconds where a server does not answer.
  absl::Status Claim(const TournamentSpec& spec, const std::vector<ShardEntry>& known) const;
  // Takes that back, for one that does not begin after all.
  void Unclaim(const TournamentSpec& spec) const;
  // Why the run's manifest could not be written when it was tried last; ok if it could.
  absl::Status status(int64_t tournament) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Run {
    std::string data;
    std::string name;
    TournamentState state = TournamentState::kActive;
    bool has_changed = false;
    bool is_under_way = false;
    Time next;
    absl::Status status;
  };

  void Publish(int64_t tournament) ABSL_LOCKS_EXCLUDED(mutex_);
  // False: the store says something else already.
  absl::StatusOr<bool> Write(int64_t tournament, const Run& run) const;
  absl::StatusOr<std::unique_ptr<BlobStore>> Open(const std::string& data) const;
  // Until nothing of the run is under way; at the end of patience that is stopped.
  void WaitFor(const Run& run, std::optional<Time> end) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  const ReadShards read_shards_;
  std::atomic<bool> is_stopped_ = false;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<int64_t, Run> runs_ ABSL_GUARDED_BY(mutex_);
  bool has_strays_ ABSL_GUARDED_BY(mutex_) = false;
  Time strays_next_ ABSL_GUARDED_BY(mutex_);  // not before this they are collected
  Executor executor_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_DATA_PUBLISHER_H_
