// Writes the manifests of self-play runs and removes shards that do not count.

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

// A shard counts if the store has it, and the manifest in the run's location follows the store.
// When a run is done or cancelled, it also removes the shards that do not count, complete or not:
// those of workers that were killed, or whose lease had ended.
class DataPublisher {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using ReadShards = std::function<absl::StatusOr<std::vector<ShardEntry>>(int64_t tournament)>;
  struct Options {
    std::chrono::milliseconds every{10'000};  // at most so often, for one run
    // How often at most all runs that are over are searched for stray shards, besides once at the
    // end. One stray causes work in each of them, so strays must not determine how often.
    std::chrono::milliseconds every_strays{600'000};
    // How long one attempt may take if a server does not answer. Other runs wait meanwhile.
    std::chrono::milliseconds retry_for{5'000};
    std::string environment = "the environment of this process";  // whose keys are used
    // The result of an attempt, for the metrics.
    std::function<void(const absl::Status&)> on_publish = [](const absl::Status&) {};
  };

  // `read_shards` asks the store; it is called on a thread of the publisher's.
  DataPublisher(const Options& options, ReadShards read_shards);

  // The run's shards or its state have changed. Once it is done or cancelled, it stays so and no
  // shard of it may be on its way into the store. Does not block.
  void Note(int64_t tournament, const TournamentSpec& spec, TournamentState state)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // A worker has written a shard that does not count, for an unknown run: runs that are over are
  // searched again some time later. Does not block.
  void NoteStray() ABSL_LOCKS_EXCLUDED(mutex_);
  // Publishes what is due. Does not block.
  void Tick(Time now) ABSL_LOCKS_EXCLUDED(mutex_);
  // Publishes everything that has changed. Blocks, at most for `patience` if it is given; then it
  // stops as Stop does. Returns the first error.
  absl::Status Finish(std::optional<std::chrono::milliseconds> patience = std::nullopt)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends what is in progress soon; every later attempt is Cancelled. Does not block.
  void Stop() { is_stopped_ = true; }
  // Names the run of a tournament that is being submitted and claims its location, as ClaimLocation
  // does. Does nothing unless it is self-play. Blocks, for some seconds if a server does not
  // answer. FailedPrecondition: another run's data is there, or its data cannot be stored.
  absl::Status ClaimNewRun(TournamentSpec* spec) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Claims the location of a run that has a name.
  absl::Status Claim(const TournamentSpec& spec, const std::vector<ShardEntry>& known) const;
  // Takes the claim back for a run that does not begin after all.
  void Unclaim(const TournamentSpec& spec) const;
  // Returns the result of the last attempt to write the run's manifest.
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
  // Returns false if the store has changed meanwhile.
  absl::StatusOr<bool> Write(int64_t tournament, const Run& run) const;
  absl::StatusOr<std::unique_ptr<BlobStore>> Open(const std::string& data) const;
  // Waits until nothing of the run is in progress; stops it at `end`.
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
