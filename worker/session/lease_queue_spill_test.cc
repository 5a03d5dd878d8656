// Tests LeaseQueue with finished games in memory and in the spill.

#include <string>
#include <utility>
#include <vector>

#include "worker/session/lease_queue_fixture.h"

namespace triarch {
namespace {

TEST_F(LeaseQueueTest, ASpilledBatchIsReportedInParts) {
  Make({.report_plies = 400, .report_plies_first = 200, .memory_plies_max = 300});
  Add(1, 0, 4);
  Play(4);
  ASSERT_EQ(disk_.batches.size(), 1u);
  ASSERT_EQ(disk_.batches.begin()->second.size(), 4u);
  EXPECT_EQ(Report(0), "1: 0 1");
  EXPECT_TRUE(disk_.batches.empty());
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "1: 2 3 last");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_TRUE(queue_->is_idle());
}

TEST_F(LeaseQueueTest, KeepsTheOldestInMemoryAndReportsInOrder) {
  Make({.report_plies = 200, .memory_plies_max = 500});
  Add(1, 0, 12);
  Play(12);
  ASSERT_FALSE(disk_.batches.empty());
  for (const auto& [number, games] : disk_.batches) {
    EXPECT_EQ(games.size(), 2u);
    EXPECT_GE(games.front().index, 2) << "the oldest are in memory";
  }
  EXPECT_EQ(queue_->games_held(), 12);
  std::string all;
  for (std::string report = Report(0); report != "-"; report = Report(0)) {
    all += report + ", ";
    Reply(ReportOutcome::kRecorded, 0);
  }
  EXPECT_EQ(all, "1: 0 1, 1: 2 3, 1: 4 5, 1: 6 7, 1: 8 9, 1: 10 11 last, ");
  EXPECT_TRUE(disk_.batches.empty());
  EXPECT_TRUE(queue_->is_idle());
}

TEST_F(LeaseQueueTest, SpillsTheLargestOfManySmallLeases) {
  Make({.report_plies = 1000, .memory_plies_max = 400});
  Add(1, 0, 10);
  ASSERT_EQ(Next(1), "1:0");
  Add(2, 10, 20);
  EXPECT_EQ(Next(9).size(), 9u * 4 - 1);
  EXPECT_EQ(Next(4), "2:10 2:11 2:12 2:13");
  Finish(1, 0, 0);
  for (int64_t index = 10; index < 14; ++index) Finish(2, index, 0);
  ASSERT_EQ(disk_.batches.size(), 1u);
  EXPECT_EQ(disk_.batches.at(1).size(), 4u);
}

TEST_F(LeaseQueueTest, IsFullWhenMemoryAndSpillAreFull) {
  struct Row {
    bool has_spill;
    bool is_disk_full;
    int64_t spill_plies_max;
    int played;  // until it is full
  };
  const std::vector<Row> rows = {
      {false, false, 500, 4}, {true, true, 500, 5}, {true, false, 0, 4}, {true, false, 500, 10}};
  for (const Row& row : rows) {
    disk_ = {};
    disk_.is_full = row.is_disk_full;
    Make({.report_plies = 100, .memory_plies_max = 400, .spill_plies_max = row.spill_plies_max},
         row.has_spill);
    Add(1, 0, 100);
    int played = 0;
    while (played < 50 && !queue_->is_full()) {
      Play(1);
      ++played;
    }
    EXPECT_LE(played, row.played);
    EXPECT_GE(played, row.played - 1);
    EXPECT_EQ(Next(1), "|");
    EXPECT_FALSE(queue_->WantsLease(At(0)));
    EXPECT_EQ(queue_->games_held(), played) << "nothing is lost";
    EXPECT_EQ(queue_->spill_status().message(), row.is_disk_full ? "full" : "");
    // The coordinator is reachable again, so there is room.
    ASSERT_NE(Report(0), "-");
    Reply(ReportOutcome::kRecorded, 0);
    ASSERT_NE(Report(0), "-");
    Reply(ReportOutcome::kRecorded, 0);
    EXPECT_FALSE(queue_->is_full());
  }
}

TEST_F(LeaseQueueTest, AcceptsAGameInPlayEvenIfFull) {
  disk_.is_full = true;
  Make({.slots = 4, .report_plies = 100, .memory_plies_max = 200});
  Add(1, 0, 10);
  ASSERT_EQ(Next(4), "1:0 1:1 1:2 1:3");
  for (int64_t index = 0; index < 4; ++index) Finish(1, index, 0);
  EXPECT_TRUE(queue_->is_full());
  EXPECT_EQ(Counts(), "open 6 held 4 recorded 0 lost 0");
}

TEST_F(LeaseQueueTest, ReplaysGamesThatTheSpillLost) {
  Make({.report_plies = 200, .memory_plies_max = 300});
  Add(1, 0, 4);
  Play(4);
  ASSERT_EQ(disk_.batches.size(), 1u);
  disk_.is_damaged = true;
  ASSERT_EQ(Report(0), "1: 0 1");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "-");
  EXPECT_EQ(Counts(), "open 2 held 0 recorded 2 lost 0");
  EXPECT_EQ(Next(3), "1:2 1:3|");
  disk_.is_damaged = false;
  Finish(1, 3, 0);
  Finish(1, 2, 0);
  EXPECT_EQ(Report(0), "1: 3 2 last");
}

// Games that are being moved are neither reported nor extended; all others proceed.
TEST_F(LeaseQueueTest, DoesNotWaitForTheSpill) {
  Make({.report_plies = 200, .report_plies_first = 200, .memory_plies_max = 300});
  settles_ = false;
  Add(1, 0, 8);
  Play(4);
  auto put = queue_->NextTransfer();
  ASSERT_TRUE(put.has_value());
  EXPECT_FALSE(queue_->NextTransfer().has_value()) << "one at a time";
  Play(1);
  EXPECT_EQ(Next(1), "|") << "memory is full even without the games being moved";
  EXPECT_FALSE(queue_->is_full()) << "and that is temporary";
  EXPECT_EQ(Report(0), "1: 0 1");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "-") << "2 and 3 are being moved";
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  put->Run();
  queue_->OnTransferEnd(*std::move(put));
  EXPECT_EQ(queue_->ReportDue(), At(0));
  EXPECT_EQ(Report(0), "-") << "they must come back first";
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  auto taken = queue_->NextTransfer();
  ASSERT_TRUE(taken.has_value());
  Play(1);
  taken->Run();
  queue_->OnTransferEnd(*std::move(taken));
  Settle();  // memory is full again, so 4 and 5 go
  EXPECT_EQ(Report(0), "1: 2 3") << "but not those that just came back";
  Reply(ReportOutcome::kRecorded, 0);
  settles_ = true;
  EXPECT_EQ(Report(0), "1: 4 5");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Counts(), "open 2 held 0 recorded 6 lost 0");
}

TEST_F(LeaseQueueTest, NoticesAFullDiskWhenTheTransferReturns) {
  Make({.report_plies = 200, .report_plies_first = 200, .memory_plies_max = 300});
  settles_ = false;
  disk_.is_full = true;
  Add(1, 0, 8);
  Play(4);
  auto put = queue_->NextTransfer();
  put->Run();
  queue_->OnTransferEnd(*std::move(put));
  EXPECT_TRUE(queue_->is_full());
  EXPECT_FALSE(queue_->NextTransfer().has_value());
  EXPECT_EQ(Report(0), "1: 0 1");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "1: 2 3");
}

TEST_F(LeaseQueueTest, ALeaseMayEndWhileItsGamesAreMoving) {
  for (const bool is_put : {true, false}) {
    for (const bool fails : {false, true}) {
      disk_ = {};
      Make({.report_plies = 200, .report_plies_first = 200, .memory_plies_max = 300});
      Add(1, 0, 4);
      settles_ = !is_put;
      Play(4);
      settles_ = false;
      disk_.is_full = disk_.is_damaged = fails;
      if (!is_put) {
        ASSERT_EQ(Report(0), "1: 0 1");
        Reply(ReportOutcome::kRecorded, 0);
        ASSERT_EQ(Report(0), "-");
      }
      auto transfer = queue_->NextTransfer();
      ASSERT_TRUE(transfer.has_value());
      queue_->Cancel(1);
      Add(2, 10, 14);
      Play(2);
      transfer->Run();
      queue_->OnTransferEnd(*std::move(transfer));
      EXPECT_TRUE(disk_.batches.empty());
      EXPECT_EQ(Counts(),
                is_put ? "open 2 held 2 recorded 0 lost 4" : "open 2 held 2 recorded 2 lost 2");
      EXPECT_EQ(Report(0), "2: 10 11");
    }
  }
}

}  // namespace
}  // namespace triarch
