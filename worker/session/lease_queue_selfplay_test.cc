// Tests LeaseQueue with self-play games, whose samples become shards.

#include <optional>
#include <string>
#include <utility>

#include "worker/session/lease_queue_fixture.h"

namespace triarch {
namespace {

class SelfplayQueueTest : public LeaseQueueTest {
 protected:
  void AddSelfplay(uint64_t token, int64_t first, int64_t last, int64_t shard_samples) {
    queue_->Add({.tournament = 7, .games = {first, last}, .token = token, .ttl = milliseconds(0)},
                At(0), shard_samples);
  }
  void PlaySelfplay(int count, int64_t samples, int64_t ms = 0) {
    for (int i = 0; i < count; ++i) {
      const auto order = queue_->Next();
      ASSERT_TRUE(order.has_value());
      GameRecord record;
      record.index = order->index;
      record.plies = kPlies;
      record.samples = GameSamples{.count = samples, .rows = std::string(5'000, 'x')};
      queue_->Finish(*order, std::move(record), At(ms));
      if (settles_) Settle();
    }
  }
  static ShardEntry Shard(const std::string& name) {
    ShardEntry shard;
    shard.shard = name;
    return shard;
  }
};

TEST_F(SelfplayQueueTest, ReportsTheGamesOfAShard) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(3, 30);
  EXPECT_EQ(Report(1'000'000), "-") << "time alone brings no report";
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  PlaySelfplay(2, 30);
  EXPECT_EQ(queue_->ReportDue(), At(0));
  EXPECT_EQ(Report(0), "1: 0 1 2 3") << "regardless of the report size";
  EXPECT_EQ(queue_->WantsShard(), 7);
  queue_->SetShard(Shard("a"), At(0));
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  EXPECT_EQ(queue_->report().shard->shard, "a");
  for (const GameRecord& game : queue_->report().games) EXPECT_FALSE(game.samples.has_value());
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_EQ(Report(0), "-");
  PlaySelfplay(5, 1);
  EXPECT_EQ(Report(0), "1: 4 5 6 7 8 9 last") << "the lease is played out";
  queue_->SetShard(Shard("b"), At(0));
  Reply(ReportOutcome::kRecorded, 0);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 10 lost 0");
}

TEST_F(SelfplayQueueTest, AShardIsMadeOnce) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(4, 30);
  EXPECT_EQ(Report(0), "1: 0 1 2 3");
  queue_->SetShard(Shard("a"), At(0));
  Reply(ReportOutcome::kRetry, 0);
  PlaySelfplay(1, 30);
  EXPECT_EQ(Report(100'000), "1: 0 1 2 3") << "nothing is added to it";
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  EXPECT_EQ(queue_->report().shard->shard, "a");
}

// A heartbeat that is delayed meanwhile does not count either.
TEST_F(SelfplayQueueTest, TheTimeForAShardDoesNotAffectReportSize) {
  Make({.report_plies = 400, .report_plies_first = 400, .slow = milliseconds(5'000)});
  AddSelfplay(1, 0, 8, 50);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(0), "1: 0 1");
  queue_->MakeHeartbeat(At(1'000));
  queue_->OnHeartbeatEnd(At(20'000));
  queue_->SetShard(Shard("a"), At(60'000));
  Reply(ReportOutcome::kRetry, 60'100);
  Add(2, 10, 14);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(70'000), "1: 0 1");
  Reply(ReportOutcome::kRecorded, 70'100);
  EXPECT_EQ(Report(70'100), "1: 2 3");
  queue_->SetShard(Shard("b"), At(70'100));
  Reply(ReportOutcome::kRecorded, 70'200);
  queue_->Cancel(1);
  Play(4, 70'200);
  EXPECT_EQ(Report(70'200), "2: 10 11 12 13 last") << "as large as ever";
}

TEST_F(SelfplayQueueTest, RetriesAShardThatCouldNotBeStored) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(4, 30);
  EXPECT_EQ(Report(0), "1: 0 1 2 3");
  queue_->OnNoShard(At(0));
  EXPECT_EQ(Report(100'000), "1: 0 1 2 3");
  EXPECT_EQ(queue_->WantsShard(), 7);
  EXPECT_EQ(queue_->report().games[0].samples->count, 30);
}

TEST_F(SelfplayQueueTest, OtherLeasesDoNotWaitForAFailedShard) {
  AddSelfplay(1, 0, 4, 100);
  PlaySelfplay(4, 30);
  Add(2, 20, 21);
  PlaySelfplay(1, 0);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 last");
  queue_->OnNoShard(At(0));
  EXPECT_EQ(Report(0), "2: 20 last");
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  Reply(ReportOutcome::kRecorded, 0);
  int tries = 1;
  for (int64_t ms = 0; ms < 60'000; ms += 10) {
    if (Report(ms) == "-") continue;
    queue_->OnNoShard(At(ms));
    EXPECT_GT(*queue_->ReportDue(), At(ms));
    EXPECT_LE(*queue_->ReportDue(), At(ms + 5'000));
    ++tries;
  }
  EXPECT_TRUE(tries >= 12 && tries <= 40) << tries << ": at growing intervals";
  EXPECT_EQ(Report(100'000), "1: 0 1 2 3 last") << "nothing is lost";
  queue_->SetShard(Shard("a"), At(100'000));
  Reply(ReportOutcome::kRecorded, 100'000);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 5 lost 0");
}

TEST_F(SelfplayQueueTest, ALeaseMayEndWhileNothingCanBeStored) {
  AddSelfplay(1, 0, 4, 100);
  PlaySelfplay(4, 30);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 last");
  queue_->Cancel(1);
  queue_->OnNoShard(At(0));
  EXPECT_EQ(Report(100'000), "-");
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 4");
}

TEST_F(SelfplayQueueTest, SamplesCountAsMemoryAndAreSpilled) {
  // A game weighs 100 plies and its samples 50.
  Make({.memory_plies_max = 400});
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(2, 40);
  EXPECT_TRUE(disk_.batches.empty());
  PlaySelfplay(1, 40);
  ASSERT_EQ(disk_.batches.size(), 1u);
  EXPECT_EQ(disk_.batches.begin()->second.front().samples->count, 40);
  EXPECT_EQ(Report(0), "1: 0 1 2");
  EXPECT_EQ(queue_->report().games[2].samples->count, 40);
}

// There may be no room for the games that the shard lacks.
TEST_F(SelfplayQueueTest, SpilledGamesAreReportedEvenIfTooFewForAShard) {
  // A game and its samples weigh 150 plies.
  Make({.report_plies = 120, .memory_plies_max = 500, .spill_plies_max = 450});
  AddSelfplay(1, 0, 3, 1'000);
  PlaySelfplay(3, 0);
  EXPECT_EQ(Report(0), "1: 0 1 2 last");
  queue_->OnNoShard(At(0));
  AddSelfplay(2, 3, 20, 1'000);
  PlaySelfplay(1, 0);
  ASSERT_EQ(Report(1), "2: 3");
}

TEST_F(SelfplayQueueTest, SplitsALongLeaseWithFewSamples) {
  Make({.report_plies = 84});
  AddSelfplay(1, 0, 10, 1'000'000);
  PlaySelfplay(7, 0);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 4") << "five times a report's plies";
}

TEST_F(SelfplayQueueTest, DoesNotWaitForMoreGamesWhenLeaving) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(0), "-");
  queue_->Flush();
  EXPECT_EQ(Report(0), "1: 0 1");
}

TEST_F(SelfplayQueueTest, DropsTheSamplesOfACancelledLease) {
  AddSelfplay(1, 0, 10, 50);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(0), "1: 0 1");
  queue_->Cancel(1);
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  queue_->SetShard(Shard("a"), At(0));
  Reply(ReportOutcome::kStale, 0);
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 2");
}

}  // namespace
}  // namespace triarch
