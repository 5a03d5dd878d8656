#include "worker/session/lease_queue.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "worker/session/lease_queue_fixture.h"

namespace triarch {
namespace {

TEST_F(LeaseQueueTest, GivesGamesOutInOrder) {
  EXPECT_EQ(Next(1), "|");
  Add(2, 10, 12);
  Add(1, 0, 2);
  EXPECT_EQ(Next(5), "1:0 1:1 2:10 2:11|");
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 0");
  EXPECT_FALSE(queue_->is_idle());
}

TEST_F(LeaseQueueTest, IgnoresAKnownOrEmptyLease) {
  Add(1, 0, 3);
  EXPECT_EQ(Next(1), "1:0");
  Add(1, 0, 3);
  Add(2, 5, 5);
  EXPECT_EQ(Next(5), "1:1 1:2|");
  EXPECT_EQ(queue_->tokens(), std::vector<uint64_t>{1});
}

TEST_F(LeaseQueueTest, GivesAnAbandonedGameOutAgain) {
  Add(1, 0, 3);
  EXPECT_EQ(Next(2), "1:0 1:1");
  queue_->Abandon(orders_[0]);
  EXPECT_EQ(queue_->games_open(), 2);
  EXPECT_EQ(Next(5), "1:0 1:2|");
  queue_->Cancel(1);
  queue_->Abandon(orders_[1]);
  EXPECT_EQ(Next(5), "|");
}

TEST_F(LeaseQueueTest, ReportsAfterADelayAndEndsTheLease) {
  Add(1, 0, 3);
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  Play(2);
  EXPECT_EQ(Report(999), "-");
  EXPECT_EQ(queue_->ReportDue(), At(1000));
  EXPECT_EQ(Report(1000), "1: 0 1");
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  EXPECT_EQ(Report(1000), "-");  // one at a time
  Play(1, 1500);
  EXPECT_EQ(Report(1500), "-");
  Reply(ReportOutcome::kRecorded, 1600);
  EXPECT_EQ(Counts(), "open 0 held 1 recorded 2 lost 0");
  EXPECT_EQ(queue_->ReportDue(), At(1500));  // immediately, because the lease is played out
  EXPECT_EQ(Report(1600), "1: 2 last");
  EXPECT_FALSE(queue_->is_idle());
  Reply(ReportOutcome::kRecorded, 1700);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 3 lost 0");
}

TEST_F(LeaseQueueTest, ReportsWhenThereIsEnough) {
  Make({.report_plies = 300});
  Add(1, 0, 10);
  Play(2);
  EXPECT_EQ(Report(0), "-");
  Play(5);
  // Reports have the size of a batch.
  EXPECT_EQ(Report(0), "1: 0 1 2");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "1: 3 4 5");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "-");
}

TEST_F(LeaseQueueTest, CountsGamesWithoutMovesToo) {
  Make({.report_plies = 160});
  Add(1, 0, 100);
  for (int64_t index = 0; index < 10; ++index) {
    const auto order = queue_->Next();
    GameRecord record;
    record.index = index;
    queue_->Finish(*order, std::move(record), At(0));
  }
  EXPECT_EQ(Report(0), "1: 0 1 2 3 4 5 6 7 8 9");
}

TEST_F(LeaseQueueTest, ALeaseInPlayDoesNotHoldUpAnother) {
  Add(1, 0, 2);
  Add(2, 10, 11);
  EXPECT_EQ(Next(3), "1:0 1:1 2:10");
  Finish(2, 10, 0);
  EXPECT_EQ(Report(0), "2: 10 last");
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(queue_->tokens(), std::vector<uint64_t>{1});
  Finish(1, 1, 0);
  EXPECT_EQ(Report(0), "-");
  Finish(1, 0, 0);
  EXPECT_EQ(Report(0), "1: 1 0 last");
}

TEST_F(LeaseQueueTest, SendsTheSameReportAgainUntilItIsAnswered) {
  Add(1, 0, 2);
  Play(2);
  EXPECT_EQ(Report(0), "1: 0 1 last");
  int64_t now = 0;
  for (int64_t most = 100; most < 100'000; most *= 2) {
    Reply(ReportOutcome::kRetry, now);
    EXPECT_EQ(Counts(), "open 0 held 2 recorded 0 lost 0");
    const int64_t wait =
        std::chrono::duration_cast<milliseconds>(*queue_->ReportDue() - At(now)).count();
    EXPECT_GE(wait, std::min<int64_t>(most, 5'000) / 2);
    EXPECT_LE(wait, std::min<int64_t>(most, 5'000));
    EXPECT_EQ(Report(now + wait - 1), "-");
    now += wait;
    EXPECT_EQ(Report(now), "1: 0 1 last");
  }
  Reply(ReportOutcome::kRetry, now, false, 60'000);  // only when the coordinator allows it
  EXPECT_EQ(Report(now + 59'999), "-");
  EXPECT_EQ(Report(now + 60'000), "1: 0 1 last");
  Reply(ReportOutcome::kRecorded, now);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 2 lost 0");
}

TEST_F(LeaseQueueTest, TheJitterComesFromTheSeed) {
  const auto first_wait = [&](uint64_t seed) {
    Make({.seed = seed});
    Add(1, 0, 1);
    Play(1);
    EXPECT_EQ(Report(0), "1: 0 last");
    Reply(ReportOutcome::kRetry, 0);
    return *queue_->ReportDue();
  };
  EXPECT_EQ(first_wait(5), first_wait(5));
  EXPECT_NE(first_wait(5), first_wait(6));
}

TEST_F(LeaseQueueTest, AnAnswerThatEndsTheLeaseEndsItsPlay) {
  struct Row {
    ReportOutcome outcome;
    bool is_cancelled;
    std::string counts;
  };
  const std::vector<Row> rows = {
      {ReportOutcome::kStale, false, "open 0 held 0 recorded 0 lost 3"},
      {ReportOutcome::kRejected, false, "open 0 held 0 recorded 0 lost 3"},
      {ReportOutcome::kRecorded, true, "open 0 held 0 recorded 2 lost 1"},
      {ReportOutcome::kRetry, true, "open 0 held 0 recorded 0 lost 3"},
  };
  for (const Row& row : rows) {
    Make({});
    Add(1, 0, 10);
    Play(2);
    ASSERT_EQ(Report(1000), "1: 0 1");
    Play(1, 1000);
    Reply(row.outcome, 1100, row.is_cancelled);
    EXPECT_EQ(Counts(), row.counts);
    EXPECT_TRUE(queue_->is_idle());
    EXPECT_EQ(Report(99'000), "-");
  }
}

TEST_F(LeaseQueueTest, CancelDropsOpenHeldAndRunningGames) {
  Make({.report_plies = 200, .memory_plies_max = 300});
  Add(1, 0, 20);
  Add(2, 50, 51);
  Play(6);
  ASSERT_EQ(Next(1), "1:6");
  ASSERT_FALSE(disk_.batches.empty());
  EXPECT_FALSE(queue_->IsOver(orders_[0]));
  queue_->Cancel(1);
  queue_->Cancel(99);
  EXPECT_TRUE(queue_->IsOver(orders_[0]));
  EXPECT_TRUE(disk_.batches.empty());
  Finish(1, 6, 0);
  EXPECT_EQ(Counts(), "open 1 held 0 recorded 0 lost 7");
  EXPECT_EQ(Next(5), "2:50|");
  EXPECT_EQ(Report(99'000), "-");
}

TEST_F(LeaseQueueTest, CancelDropsAReportThatWaitsForItsRetry) {
  Add(1, 0, 2);
  Play(2);
  ASSERT_EQ(Report(0), "1: 0 1 last");
  Reply(ReportOutcome::kRetry, 0);
  queue_->Cancel(1);
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 2");
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  EXPECT_EQ(Report(99'000), "-");
}

TEST_F(LeaseQueueTest, AwaitsAPendingReportOfACancelledLease) {
  for (const ReportOutcome outcome :
       {ReportOutcome::kRecorded, ReportOutcome::kRetry, ReportOutcome::kStale}) {
    Make({});
    Add(1, 0, 2);
    Add(2, 5, 6);
    Play(3);
    ASSERT_EQ(Report(0), "1: 0 1 last");
    queue_->Cancel(1);
    EXPECT_EQ(Report(0), "-");
    EXPECT_EQ(queue_->games_held(), 3);
    Reply(outcome, 0);
    EXPECT_EQ(queue_->games_recorded(), outcome == ReportOutcome::kRecorded ? 2 : 0);
    EXPECT_EQ(queue_->games_lost(), outcome == ReportOutcome::kRecorded ? 0 : 2);
    EXPECT_EQ(Report(0), "2: 5 last");
  }
}

// ---- The size of reports.

TEST_F(LeaseQueueTest, ReportsGrowWhileTheyAreFast) {
  Make({.report_plies = 2'000, .report_plies_first = 200});
  Add(1, 0, 50);
  Play(50);
  // Games are held in batches of 20, so the fourth report has only the remaining 6.
  EXPECT_EQ(SendAll(10, 0), "2 4 8 6 16");
  EXPECT_EQ(SendAll(10, 0), "4 10");
}

TEST_F(LeaseQueueTest, ReportsShrinkWhenTheyDelayHeartbeats) {
  Make({.report_plies = 10'000, .report_plies_first = 1'600});
  Add(1, 0, 100, 0, 4'000);
  Play(100);
  // A heartbeat starts waiting at 100 ms; 1000 ms is a quarter of the lease.
  EXPECT_EQ(SendAll(1'101, 100), "16 8 4 2 1");
  EXPECT_EQ(SendAll(1'101, 100), "1 1 1 1 1") << "it cannot shrink further";
  EXPECT_EQ(SendAll(1'100, 100), "1 1 1 1 1") << "neither quick nor slow";
  EXPECT_EQ(SendAll(600, 100), "1 2 4 8 16");
}

TEST_F(LeaseQueueTest, OnlyTheWaitDuringTheReportCounts) {
  Make({.report_plies = 1'600, .report_plies_first = 1'600});
  Add(1, 0, 100, 0, 4'000);
  Play(40);
  queue_->MakeHeartbeat(At(0));
  ASSERT_NE(Report(5'000), "-");
  queue_->OnHeartbeatEnd(At(5'100));
  Reply(ReportOutcome::kRecorded, 5'200);
  queue_->MakeHeartbeat(At(5'300));
  queue_->OnHeartbeatEnd(At(9'000));
  EXPECT_EQ(SendAll(10, 0), "16 8");
}

TEST_F(LeaseQueueTest, AnAnswerDelayedByTheStoreDoesNotShrinkReports) {
  Make({.report_plies = 1'600, .report_plies_first = 400});
  Add(1, 0, 100, 0, 4'000);
  Play(100);
  // No heartbeat is pending.
  EXPECT_EQ(SendAll(5'001, 5'001), "4 4 4 4 4");
  EXPECT_EQ(SendAll(4'999, 4'999), "4 8 16 16 16");
}

TEST_F(LeaseQueueTest, AReportThatMissesItsDeadlineIsSplit) {
  Make({.report_plies = 800, .report_plies_first = 800});
  Add(1, 0, 10);
  Play(10);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 4 5 6 7");
  Reply(ReportOutcome::kRetry, 30'000);
  EXPECT_EQ(Counts(), "open 0 held 10 recorded 0 lost 0");
  EXPECT_EQ(Report(40'000), "1: 0 1 2 3");
  Reply(ReportOutcome::kRetry, 40'100);  // no coordinator answers, so the size is not the cause
  EXPECT_EQ(Report(50'000), "1: 0 1 2 3");
  Reply(ReportOutcome::kRecorded, 50'100);
  EXPECT_EQ(Report(50'100), "1: 4 5 6 7");
  Reply(ReportOutcome::kRecorded, 50'200);
  EXPECT_EQ(Report(50'200), "1: 8 9 last");
}

// ---- Lease requests and heartbeats.

TEST_F(LeaseQueueTest, RequestsALeaseBeforeItRunsDry) {
  Make({.slots = 2, .ahead = milliseconds(3'000)});
  EXPECT_TRUE(queue_->WantsLease(At(0)));
  Add(1, 0, 100);
  EXPECT_FALSE(queue_->WantsLease(At(0)));
  // 10 games per second: 30 take 3 seconds.
  for (int64_t i = 1; i < 70; ++i) Play(1, i * 100);
  EXPECT_FALSE(queue_->WantsLease(At(6'900)));
  Play(3, 7'000);
  EXPECT_TRUE(queue_->WantsLease(At(7'000)));
}

TEST_F(LeaseQueueTest, TimeWithoutALeaseIsNotTakenForSlowness) {
  Make({.slots = 1});
  Add(1, 0, 1);
  Play(1, 100);
  ASSERT_EQ(Report(100), "1: 0 last");
  Reply(ReportOutcome::kRecorded, 100);
  ASSERT_TRUE(queue_->is_idle());
  constexpr int64_t kLater = 3'600'000;
  Add(2, 0, 100, kLater);
  for (int64_t i = 1; i <= 20; ++i) Play(1, kLater + i * 100);
  EXPECT_FALSE(queue_->WantsLease(At(kLater + 2'000)));
  Play(61, kLater + 2'100);
  EXPECT_TRUE(queue_->WantsLease(At(kLater + 2'100))) << "20 games are 2 seconds";
}

TEST_F(LeaseQueueTest, HeartbeatsReportProgress) {
  Add(3, 0, 10);
  Add(5, 20, 21);
  Play(4);
  ASSERT_EQ(Report(1000), "3: 0 1 2 3");
  Reply(ReportOutcome::kRecorded, 1000);
  Play(2, 1000);
  const HeartbeatRequest heartbeat = queue_->MakeHeartbeat(At(1000));
  EXPECT_EQ(heartbeat.worker, (WorkerId{"w", 1}));
  EXPECT_EQ(heartbeat.games_held, 2);
  ASSERT_EQ(heartbeat.leases.size(), 2u);
  EXPECT_EQ(heartbeat.leases[0].token, 3u);
  EXPECT_EQ(heartbeat.leases[0].games, 6);
  EXPECT_EQ(heartbeat.leases[0].plies, 6 * kPlies);
  EXPECT_EQ(heartbeat.leases[1].token, 5u);
  EXPECT_EQ(heartbeat.leases[1].games, 0);
}

TEST_F(LeaseQueueTest, AnUnexpectedAnswerIsABug) {
  EXPECT_DEATH(Reply(ReportOutcome::kRecorded, 0), "CHECK failed");
}

}  // namespace
}  // namespace triarch
