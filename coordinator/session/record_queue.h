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
#include "core/record/game_record.h"
#include "core/record/shard_entry.h"

namespace triarch {

// The games of one report.
struct RecordBatch {
  int64_t tournament = 0;
  std::vector<GameRecord> games;
  std::optional<ShardEntry> shard = {};  // of self-play
  // The digests that the bots' types are settled on, by number of the bot, if the store does not
  // have them yet. They are stored before the games.
  std::vector<std::string> bot_digests = {};
  // Called once, with the games: ok, or why they cannot be recorded.
  std::function<void(const absl::Status&, const std::vector<GameRecord>&)> done;
};

// A state machine without thread or store. Several batches of one tournament make one transaction;
// a batch with a shard is a transaction of its own.
class RecordQueue {
 public:
  explicit RecordQueue(int64_t games_per_commit) : games_per_commit_(games_per_commit) {}

  bool empty() const { return waiting_.empty(); }
  void Add(RecordBatch batch) { waiting_.push_back(std::move(batch)); }
  // Returns the batches of the next transaction; empty if none waits.
  std::vector<RecordBatch> TakeNext();
  // Takes what the store answered to those batches. Returns the batches that are finished, whose
  // `done` is due with that answer. After an error that time may cure it returns none: they are the
  // next to be taken.
  std::vector<RecordBatch> Finish(std::vector<RecordBatch> batches, const absl::Status& status);
  // Takes all that is waiting.
  std::vector<RecordBatch> TakeAll();

 private:
  const int64_t games_per_commit_;
  std::deque<RecordBatch> waiting_;
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SESSION_RECORD_QUEUE_H_
