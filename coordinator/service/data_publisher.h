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
#include <string_view>
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

// A shard counts if the store has it. The manifest in the run's location follows the store. When a
// run is done or cancelled, this also removes the shards that do not count, complete or not, which
// killed workers and expired leases leave behind.
class DataPublisher {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using ReadShards = std::function<absl::StatusOr<std::vector<ShardEntry>>(int64_t tournament)>;
  struct Options {
    std::chrono::milliseconds every{10'000};  // minimum interval per run
    // When a finished run is searched again. A worker that hung may by then have written a shard
    // and forgotten it.
    std::chrono::milliseconds search_again{300'000};
    // How long one attempt may take if a server does not answer. Other runs wait in the meantime.
    std::chrono::milliseconds retry_for{5'000};
    std::string environment =
        "the environment of this process";  // where the keys come from, for messages
    // If set, only locations below these are read and written.
    std::optional<DataRoots> roots = {};
    // Called with the result of an attempt, for the metrics.
    std::function<void(const absl::Status&)> on_publish = [](const absl::Status&) {};
  };

  // `read_shards` asks the store; it runs on a thread of the publisher.
  DataPublisher(const Options& options, ReadShards read_shards);

  // Notes that the run's shards or state have changed. Does not block. Once the run is done or
  // cancelled, its state is final, and none of its shards may still be on its way into the store.
  void Note(int64_t tournament, const TournamentSpec& spec, TournamentState state)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes that a worker has written a shard that does not count. Searches its run again if that is
  // over. Does not block.
  void NoteStray(std::string_view shard) ABSL_LOCKS_EXCLUDED(mutex_);
  // From now on leaves the run's data as it is. Blocks while its manifest is
  // being written.
  void Forget(int64_t tournament) ABSL_LOCKS_EXCLUDED(mutex_);
  // Starts publishing due manifests. Does not block.
  void Tick(Time now) ABSL_LOCKS_EXCLUDED(mutex_);
  // Publishes all changes. Blocks, for at most `patience` if given; then it stops as Stop does.
  // Returns the first error.
  absl::Status Finish(std::optional<std::chrono::milliseconds> patience = std::nullopt)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Soon ends any work in progress; every later attempt is Cancelled. Does not block.
  void Stop() { is_stopped_ = true; }
  // Names the run of a tournament that is being submitted and claims its location, as ClaimLocation
  // does. Does nothing unless it is self-play. Blocks for a few seconds if a server does not
  // answer. Fails with FailedPrecondition if the location has another run's data, or if the data
  // cannot be stored.
  absl::Status ClaimNewRun(TournamentSpec* spec) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Claims the location of a run that already has a name.
  absl::Status Claim(const TournamentSpec& spec, const std::vector<ShardEntry>& known) const;
  // Withdraws the claim of a run that will not begin.
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
    bool is_forgotten = false;
    Time next;
    std::optional<Time> search_again;  // of a finished run
    absl::Status status;
  };

  void Publish(int64_t tournament) ABSL_LOCKS_EXCLUDED(mutex_);
  // Writes the manifest. Returns false if the store has changed in the meantime.
  absl::StatusOr<bool> Write(int64_t tournament, const Run& run) const;
  absl::StatusOr<std::unique_ptr<BlobStore>> Open(const std::string& data) const;
  // Waits until no work for the run is in progress; stops that work at `end`.
  void WaitFor(const Run& run, std::optional<Time> end) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  const ReadShards read_shards_;
  std::atomic<bool> is_stopped_ = false;
  mutable Mutex mutex_;
  CondVar changed_;
  std::map<int64_t, Run> runs_ ABSL_GUARDED_BY(mutex_);
  Executor executor_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_DATA_PUBLISHER_H_
