#ifndef TRIARCH_COORDINATOR_SERVICE_RECORDER_H_
#define TRIARCH_COORDINATOR_SERVICE_RECORDER_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "coordinator/service/store_thread.h"
#include "core/base/mutex.h"
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"

namespace triarch {

// Records batches of games, several in one transaction where several wait. While the store is away
// it tries again; what waits is bounded by those who ask `is_full` before they add.
class Recorder {
 public:
  struct Batch {
    int64_t tournament = 0;
    std::vector<GameRecord> games;
    std::optional<ShardEntry> shard = {};  // of self-play; such a batch is a transaction of its own
    // Called once, on the store's thread, with the games: ok, or why they can never be recorded;
    // Cancelled if the recorder ended first.
    std::function<void(const absl::Status&, const std::vector<GameRecord>&)> done;
  };
  struct Commit {
    int64_t games = 0;
    std::chrono::duration<double> time{};
    absl::Status status;
  };
  struct Options {
    int64_t plies_waiting_max = 4'000'000;  // some 50 bytes each
    int64_t games_per_commit = 2'000;
    std::chrono::milliseconds retry{200};  // while the store is away
    std::function<void(const Commit&)> on_commit = [](const Commit&) {};
  };

  // `thread` must outlive the recorder.
  Recorder(const Options& options, StoreThread& thread);
  ~Recorder() { End(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Once the recorder has ended, the batch is Cancelled at once.
  void Add(Batch batch) ABSL_LOCKS_EXCLUDED(mutex_);
  // What can be recorded now is; the rest is Cancelled. Not from the store's thread.
  void End() ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_full() const ABSL_LOCKS_EXCLUDED(mutex_);
  // What the store said when it was asked last: whether it is there.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Flush(Store& store);
  std::vector<Batch> TakeSome() ABSL_LOCKS_EXCLUDED(mutex_);
  void PutBack(std::vector<Batch> batches) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status RecordTogether(Store& store, std::vector<Batch>& batches);
  void FlushLater() ABSL_LOCKS_EXCLUDED(mutex_);

  const Options options_;
  StoreThread& thread_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Batch> waiting_ ABSL_GUARDED_BY(mutex_);
  int64_t plies_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_flush_posted_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_RECORDER_H_
