// Packs finished games of self-play into shards and stores them.

#ifndef TRIARCH_WORKER_SELFPLAY_SHARD_MAKER_H_
#define TRIARCH_WORKER_SELFPLAY_SHARD_MAKER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "core/record/game_record.h"
#include "core/record/lease.h"
#include "core/record/shard_entry.h"
#include "core/schedule/schedule.h"
#include "selfplay/shard/shard.h"
#include "selfplay/storage/blob_store.h"

namespace triarch {

// Has a thread of its own, because packing takes seconds and a remote store longer. A shard counts
// once its games are recorded; the coordinator collects those that never count. Keeps the memory of
// the last shard for some seconds.
class ShardMaker {
 public:
  using Done = std::function<void(const absl::StatusOr<ShardEntry>&)>;

  explicit ShardMaker(const WorkerInfo& worker);
  // Stops, and waits for the shard that is being made.
  ~ShardMaker();
  ShardMaker(const ShardMaker&) = delete;
  ShardMaker& operator=(const ShardMaker&) = delete;

  // Makes one shard at a time. `games`, at least one and each with samples, must not change until
  // `done` is called, on the thread. Errors are those of BlobStore::Put; DataLoss: samples are
  // damaged.
  void Make(int64_t tournament, std::shared_ptr<const Schedule> schedule,
            const std::vector<GameRecord>& games, Done done) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the shard under way end soon, perhaps with Cancelled; its Done is called.
  void Stop() { is_stopped_ = true; }

 private:
  struct Order {
    int64_t tournament = 0;
    std::shared_ptr<const Schedule> schedule;
    const std::vector<GameRecord>* games = nullptr;
    Done done;
  };

  void Run() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<ShardEntry> Fill(const Order& order);
  absl::StatusOr<BlobStore*> BlobStoreOf(const std::string& data);
  // The last shard's memory, for the next one: getting new pages takes longer than filling them.
  struct Memory {
    Shard shard;
    std::string file;
  };

  const WorkerInfo worker_;
  std::atomic<bool> is_stopped_ = false;
  std::map<std::string, std::unique_ptr<BlobStore>> sinks_;  // used by the thread only
  int64_t made_ = 0;                                         // likewise
  std::optional<Memory> memory_;                             // likewise

  Mutex mutex_;
  CondVar changed_;
  std::optional<Order> order_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SELFPLAY_SHARD_MAKER_H_
