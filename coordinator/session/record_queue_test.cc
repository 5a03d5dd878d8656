#include "coordinator/session/record_queue.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace triarch {
namespace {

RecordBatch Batch(int64_t tournament, size_t games, bool has_shard = false) {
  RecordBatch batch;
  batch.tournament = tournament;
  batch.games.resize(games);
  if (has_shard) batch.shard = ShardEntry();
  return batch;
}

// "7:2 7:1 | 8:1": tournament and number of games of each batch, by transaction.
std::string TakeAll(RecordQueue& queue) {
  std::string text;
  while (!queue.empty()) {
    if (!text.empty()) text += " | ";
    std::string transaction;
    for (const RecordBatch& batch : queue.TakeNext()) {
      if (!transaction.empty()) transaction += ' ';
      transaction += std::to_string(batch.tournament) + ":" + std::to_string(batch.games.size());
    }
    text += transaction;
  }
  return text;
}

TEST(RecordQueue, ATransactionHasBatchesOfOneTournament) {
  RecordQueue queue(10);
  for (const int64_t tournament : {7, 7, 8, 7}) queue.Add(Batch(tournament, 2));
  EXPECT_EQ(TakeAll(queue), "7:2 7:2 | 8:2 | 7:2");
}

TEST(RecordQueue, ATransactionExceedsItsLimitByAtMostOneBatch) {
  RecordQueue queue(10);
  for (const size_t games : {6, 6, 1, 30, 1}) queue.Add(Batch(7, games));
  EXPECT_EQ(TakeAll(queue), "7:6 7:6 | 7:1 7:30 | 7:1");
}

TEST(RecordQueue, AShardIsATransactionOfItsOwn) {
  RecordQueue queue(10);
  queue.Add(Batch(7, 1));
  queue.Add(Batch(7, 2, true));
  queue.Add(Batch(7, 3, true));
  queue.Add(Batch(7, 4));
  EXPECT_EQ(TakeAll(queue), "7:1 | 7:2 | 7:3 | 7:4");
}

TEST(RecordQueue, TransientErrorsPutBatchesBackInFront) {
  for (const absl::Status& status : {absl::UnavailableError(""), absl::ResourceExhaustedError(""),
                                     absl::DeadlineExceededError("")}) {
    RecordQueue queue(2);
    for (const size_t games : {1, 1, 5}) queue.Add(Batch(7, games));
    EXPECT_TRUE(queue.Finish(queue.TakeNext(), status).empty()) << status;
    EXPECT_EQ(TakeAll(queue), "7:1 7:1 | 7:5");
  }
}

TEST(RecordQueue, OtherAnswersFinishTheBatches) {
  for (const absl::Status& status :
       {absl::OkStatus(), absl::InvalidArgumentError(""), absl::AlreadyExistsError(""),
        absl::FailedPreconditionError(""), absl::DataLossError("")}) {
    RecordQueue queue(2);
    for (const size_t games : {1, 1, 5}) queue.Add(Batch(7, games));
    EXPECT_EQ(queue.Finish(queue.TakeNext(), status).size(), 2u) << status;
    EXPECT_EQ(TakeAll(queue), "7:5");
  }
}

}  // namespace
}  // namespace triarch
