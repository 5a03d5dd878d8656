// Packs finished self-play games into shards and stores them.

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

// Runs in its own thread, because packing takes seconds and a remote store takes longer. A shard
// counts once its games are recorded; the coordinator removes shards that never count. The memory
// of the last shard is kept for a few seconds.
class ShardMaker {
 public:
  using Done = std::function<void(const absl::StatusOr<ShardEntry>&)>;

  // With `roots`, stores shards only below these.
  explicit ShardMaker(const WorkerInfo& worker, std::optional<DataRoots> roots = std::nullopt);
  // Stops and waits for the current shard.
  ~ShardMaker();
  ShardMaker(const ShardMaker&) = delete;
  ShardMaker& operator=(const ShardMaker&) = delete;

  // Checks that shards may be stored at the location, without contacting a server. Thread-safe.
  // Fails like OpenBlobStore.
  absl::Status CheckLocation(const std::string& data) const { return Open(data).status(); }
  // Makes one shard at a time. `games`, at least one and each with samples, must not change until
  // `done` is called on the thread. Fails with DataLoss if samples are damaged, or like
  // BlobStore::Put.
  void Make(int64_t tournament, std::shared_ptr<const Schedule> schedule,
            const std::vector<GameRecord>& games, Done done) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the current shard end soon, possibly with Cancelled; its Done is called.
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
  absl::StatusOr<std::unique_ptr<BlobStore>> Open(const std::string& data) const;
  absl::StatusOr<BlobStore*> BlobStoreOf(const std::string& data);
  // The last shard's memory, reused for the next one: allocating new pages takes longer than
  // filling them.
  struct Memory {
    Shard shard;
    std::string file;
  };

  const WorkerInfo worker_;
  const std::optional<DataRoots> roots_;
  std::atomic<bool> is_stopped_ = false;
  std::map<std::string, std::unique_ptr<BlobStore>> sinks_;  // used only by the thread
  int64_t made_ = 0;                                         // used only by the thread
  std::optional<Memory> memory_;                             // used only by the thread

  Mutex mutex_;
  CondVar changed_;
  std::optional<Order> order_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SELFPLAY_SHARD_MAKER_H_
