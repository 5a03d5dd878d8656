// Queues games for the store and decides which of them share a transaction.

#ifndef TRIARCH_COORDINATOR_SESSION_RECORD_QUEUE_H_
#define TRIARCH_COORDINATOR_SESSION_RECORD_QUEUE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/store/stored.h"
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"

namespace triarch {

// The games of one report.
struct RecordBatch {
  int64_t tournament = 0;
  std::vector<GameRecord> games;
  std::optional<ShardEntry> shard = {};  // only for self-play
  // The settled digests, by bot number, if the store lacks them. They are stored before the games.
  std::vector<std::string> bot_digests = {};
  // If set, the games are not recorded: this report with them is held.
  std::optional<StoredReport> held = {};
  // Called once with the games, and with ok or the reason why they cannot be recorded.
  std::function<void(const absl::Status&, const std::vector<GameRecord>&)> done;
};

// A state machine without threads or a store. Several batches of one tournament form one
// transaction, if all of them are to be recorded or all are to be held; a batch with a shard is a
// transaction of its own.
class RecordQueue {
 public:
  explicit RecordQueue(int64_t games_per_commit) : games_per_commit_(games_per_commit) {}

  bool empty() const { return waiting_.empty(); }
  void Add(RecordBatch batch) { waiting_.push_back(std::move(batch)); }
  // Returns the batches of the next transaction, or nothing if no batch is waiting.
  std::vector<RecordBatch> TakeNext();
  // Takes the store's answer to those batches. Returns the finished batches, whose `done` must be
  // called with that answer. After a transient error it returns none and puts them at the head of
  // the queue.
  std::vector<RecordBatch> Finish(std::vector<RecordBatch> batches, const absl::Status& status);
  // Returns all waiting batches.
  std::vector<RecordBatch> TakeAll();

 private:
  const int64_t games_per_commit_;
  std::deque<RecordBatch> waiting_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_RECORD_QUEUE_H_
