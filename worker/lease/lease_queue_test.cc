#include "worker/lease/lease_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using Fate = ReportReply::Fate;
using Time = LeaseQueue::Time;

// Each game here weighs 100 plies.
constexpr int64_t kPlies = 84;

Time At(int64_t ms) { return Time(std::chrono::hours(1)) + milliseconds(ms); }

// A spill that fails when it is told to.
struct Disk {
  std::map<int64_t, std::vector<GameRecord>> batches;
  int64_t last = 0;
  bool is_full = false;
  bool is_damaged = false;
};

class FakeSpill : public Spill {
 public:
  explicit FakeSpill(Disk* disk) : disk_(*disk) {}
  absl::StatusOr<int64_t> Put(const std::vector<GameRecord>& games) override {
    if (disk_.is_full) return absl::ResourceExhaustedError("full");
    disk_.batches[++disk_.last] = games;
    return disk_.last;
  }
  absl::StatusOr<std::vector<GameRecord>> Take(int64_t number) override {
    std::vector<GameRecord> games = std::move(disk_.batches.at(number));
    disk_.batches.erase(number);
    if (disk_.is_damaged) return absl::DataLossError("damaged");
    return games;
  }
  void Drop(int64_t number) override { disk_.batches.erase(number); }

 private:
  Disk& disk_;
};

class LeaseQueueTest : public testing::Test {
 protected:
  void Make(const LeaseQueue::Options& options, bool has_spill = true) {
    queue_ = std::make_unique<LeaseQueue>(
        options, WorkerId{"w", 1}, has_spill ? std::make_unique<FakeSpill>(&disk_) : nullptr);
  }
  void SetUp() override { Make({}); }

  void Add(uint64_t token, int64_t first, int64_t last, int64_t ms = 0, int64_t ttl_ms = 0) {
    queue_->Add(
        {.tournament = 7, .games = {first, last}, .token = token, .ttl = milliseconds(ttl_ms)},
        At(ms));
  }
  // The next orders, up to `count`: "1:0 1:1".
  std::string Next(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      const auto order = queue_->Next();
      if (!order) return text + "|";
      EXPECT_EQ(order->tournament, 7);
      if (!text.empty()) text += ' ';
      text += absl::StrFormat("%d:%d", order->token, order->index);
      orders_.push_back(*order);
    }
    return text;
  }
  void Finish(uint64_t token, int64_t index, int64_t ms) {
    GameRecord record;
    record.index = index;
    record.plies = kPlies;
    queue_->Finish({.token = token, .tournament = 7, .index = index}, std::move(record), At(ms));
    if (settles_) Settle();
  }
  // Does what is to be done with the spill.
  void Settle() {
    while (auto transfer = queue_->NextTransfer()) {
      transfer->Run();
      queue_->OnTransferEnd(*std::move(transfer));
    }
  }
  // Plays so many games of the queue.
  void Play(int count, int64_t ms = 0) {
    for (int i = 0; i < count; ++i) {
      const auto order = queue_->Next();
      ASSERT_TRUE(order.has_value());
      Finish(order->token, order->index, ms);
    }
  }
  // "1: 0 1 2", with "last" if it is; "-" if nothing is due.
  std::string Report(int64_t ms) {
    const triarch::Report* report = queue_->NextReport(At(ms));
    if (report == nullptr && settles_) {
      Settle();
      report = queue_->NextReport(At(ms));
    }
    if (report == nullptr) return "-";
    EXPECT_EQ(report->worker, (WorkerId{"w", 1}));
    std::string text = absl::StrFormat("%d:", report->token);
    for (const GameRecord& game : report->games) text += absl::StrFormat(" %d", game.index);
    return text + (report->is_last ? " last" : "");
  }
  void Reply(Fate fate, int64_t ms, bool is_cancelled = false, int64_t retry_ms = 0) {
    queue_->OnReply(
        {.fate = fate, .why = "", .is_cancelled = is_cancelled, .retry = milliseconds(retry_ms)},
        At(ms));
  }
  // How many games the next five reports have, "2 4 8", or less if there are not so many. Each is
  // recorded after so long; a heartbeat that is sent `beat_ms` after it is answered just after it.
  std::string SendAll(int64_t took_ms, int64_t beat_ms) {
    std::string sizes;
    for (int i = 0; i < 5; ++i) {
      const triarch::Report* const report = queue_->NextReport(At(clock_ms_));
      if (report == nullptr) break;
      sizes += absl::StrFormat("%s%d", i == 0 ? "" : " ", report->games.size());
      queue_->MakeHeartbeat(At(clock_ms_ + beat_ms));
      clock_ms_ += took_ms;
      Reply(Fate::kRecorded, clock_ms_);
      queue_->OnHeartbeatEnd(At(clock_ms_));
    }
    return sizes;
  }
  std::string Counts() const {
    return absl::StrFormat("open %d held %d recorded %d lost %d", queue_->games_open(),
                           queue_->games_held(), queue_->games_recorded(), queue_->games_lost());
  }

  Disk disk_;
  bool settles_ = true;         // at once, with the spill
  int64_t clock_ms_ = 100'000;  // of SendAll
  std::unique_ptr<LeaseQueue> queue_;
  std::vector<LeaseQueue::Order> orders_;
};

TEST_F(LeaseQueueTest, GivesGamesOutInOrder) {
  EXPECT_EQ(Next(1), "|");
  Add(2, 10, 12);
  Add(1, 0, 2);
  EXPECT_EQ(Next(5), "1:0 1:1 2:10 2:11|");
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 0");
  EXPECT_FALSE(queue_->is_idle());
}

TEST_F(LeaseQueueTest, PassesOverALeaseThatItHasOrThatIsEmpty) {
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

TEST_F(LeaseQueueTest, ReportsAfterAWhileAndEndsTheLease) {
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
  Reply(Fate::kRecorded, 1600);
  EXPECT_EQ(Counts(), "open 0 held 1 recorded 2 lost 0");
  EXPECT_EQ(queue_->ReportDue(), At(1500));  // it is played out: at once
  EXPECT_EQ(Report(1600), "1: 2 last");
  EXPECT_FALSE(queue_->is_idle());
  Reply(Fate::kRecorded, 1700);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 3 lost 0");
}

TEST_F(LeaseQueueTest, ReportsWhenThereIsEnough) {
  Make({.report_plies = 300});
  Add(1, 0, 10);
  Play(2);
  EXPECT_EQ(Report(0), "-");
  Play(5);
  // In batches of that size.
  EXPECT_EQ(Report(0), "1: 0 1 2");
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Report(0), "1: 3 4 5");
  Reply(Fate::kRecorded, 0);
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
  Reply(Fate::kRecorded, 0);
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
    Reply(Fate::kRetry, now);
    EXPECT_EQ(Counts(), "open 0 held 2 recorded 0 lost 0");
    const int64_t wait =
        std::chrono::duration_cast<milliseconds>(*queue_->ReportDue() - At(now)).count();
    EXPECT_GE(wait, std::min<int64_t>(most, 5'000) / 2);
    EXPECT_LE(wait, std::min<int64_t>(most, 5'000));
    EXPECT_EQ(Report(now + wait - 1), "-");
    now += wait;
    EXPECT_EQ(Report(now), "1: 0 1 last");
  }
  Reply(Fate::kRetry, now, false, 60'000);  // when the coordinator says so, not before
  EXPECT_EQ(Report(now + 59'999), "-");
  EXPECT_EQ(Report(now + 60'000), "1: 0 1 last");
  Reply(Fate::kRecorded, now);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 2 lost 0");
}

TEST_F(LeaseQueueTest, TheJitterComesFromTheSeed) {
  const auto first_wait = [&](uint64_t seed) {
    Make({.seed = seed});
    Add(1, 0, 1);
    Play(1);
    EXPECT_EQ(Report(0), "1: 0 last");
    Reply(Fate::kRetry, 0);
    return *queue_->ReportDue();
  };
  EXPECT_EQ(first_wait(5), first_wait(5));
  EXPECT_NE(first_wait(5), first_wait(6));
}

TEST_F(LeaseQueueTest, AnAnswerThatEndsTheLeaseEndsItsPlay) {
  struct Row {
    Fate fate;
    bool is_cancelled;
    std::string counts;
  };
  const std::vector<Row> rows = {
      {Fate::kStale, false, "open 0 held 0 recorded 0 lost 3"},
      {Fate::kRejected, false, "open 0 held 0 recorded 0 lost 3"},
      {Fate::kRecorded, true, "open 0 held 0 recorded 2 lost 1"},
      {Fate::kRetry, true, "open 0 held 0 recorded 0 lost 3"},
  };
  for (const Row& row : rows) {
    Make({});
    Add(1, 0, 10);
    Play(2);
    ASSERT_EQ(Report(1000), "1: 0 1");
    Play(1, 1000);
    Reply(row.fate, 1100, row.is_cancelled);
    EXPECT_EQ(Counts(), row.counts);
    EXPECT_TRUE(queue_->is_idle());
    EXPECT_EQ(Report(99'000), "-");
  }
}

TEST_F(LeaseQueueTest, CancelDropsWhatIsOpenHeldAndInPlay) {
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

TEST_F(LeaseQueueTest, CancelDropsAReportThatWaitsToBeSentAgain) {
  Add(1, 0, 2);
  Play(2);
  ASSERT_EQ(Report(0), "1: 0 1 last");
  Reply(Fate::kRetry, 0);
  queue_->Cancel(1);
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 2");
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  EXPECT_EQ(Report(99'000), "-");
}

TEST_F(LeaseQueueTest, AReportUnderWayIsAwaitedThoughItsLeaseIsOver) {
  for (const Fate fate : {Fate::kRecorded, Fate::kRetry, Fate::kStale}) {
    Make({});
    Add(1, 0, 2);
    Add(2, 5, 6);
    Play(3);
    ASSERT_EQ(Report(0), "1: 0 1 last");
    queue_->Cancel(1);
    EXPECT_EQ(Report(0), "-");
    EXPECT_EQ(queue_->games_held(), 3);
    Reply(fate, 0);
    EXPECT_EQ(queue_->games_recorded(), fate == Fate::kRecorded ? 2 : 0);
    EXPECT_EQ(queue_->games_lost(), fate == Fate::kRecorded ? 0 : 2);
    EXPECT_EQ(Report(0), "2: 5 last");
  }
}

// ---- How large a report is.

TEST_F(LeaseQueueTest, ReportsGrowWhileTheyAreQuick) {
  Make({.report_plies = 2'000, .report_plies_first = 200});
  Add(1, 0, 50);
  Play(50);
  // 20 are held together and have a rest.
  EXPECT_EQ(SendAll(10, 0), "2 4 8 6 16");
  EXPECT_EQ(SendAll(10, 0), "4 10");
}

TEST_F(LeaseQueueTest, ReportsShrinkWhenHeartbeatsWaitBesideThem) {
  Make({.report_plies = 10'000, .report_plies_first = 1'600});
  Add(1, 0, 100, 0, 4'000);
  Play(100);
  // A heartbeat waits from 100 ms on: 1000 ms are a quarter of the lease.
  EXPECT_EQ(SendAll(1'101, 100), "16 8 4 2 1");
  EXPECT_EQ(SendAll(1'101, 100), "1 1 1 1 1") << "there is no less";
  EXPECT_EQ(SendAll(1'100, 100), "1 1 1 1 1") << "neither quick nor slow";
  EXPECT_EQ(SendAll(600, 100), "1 2 4 8 16");
}

TEST_F(LeaseQueueTest, OnlyTheWaitBesideTheReportCounts) {
  Make({.report_plies = 1'600, .report_plies_first = 1'600});
  Add(1, 0, 100, 0, 4'000);
  Play(40);
  queue_->MakeHeartbeat(At(0));
  ASSERT_NE(Report(5'000), "-");
  queue_->OnHeartbeatEnd(At(5'100));
  Reply(Fate::kRecorded, 5'200);
  queue_->MakeHeartbeat(At(5'300));
  queue_->OnHeartbeatEnd(At(9'000));
  EXPECT_EQ(SendAll(10, 0), "16 8");
}

TEST_F(LeaseQueueTest, AnAnswerThatWaitsForTheStoreSaysNothingOfTheLink) {
  Make({.report_plies = 1'600, .report_plies_first = 400});
  Add(1, 0, 100, 0, 4'000);
  Play(100);
  // No heartbeat waits.
  EXPECT_EQ(SendAll(5'001, 5'001), "4 4 4 4 4");
  EXPECT_EQ(SendAll(4'999, 4'999), "4 8 16 16 16");
}

TEST_F(LeaseQueueTest, AReportThatMissesItsDeadlineIsSentInSmallerOnes) {
  Make({.report_plies = 800, .report_plies_first = 800});
  Add(1, 0, 10);
  Play(10);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 4 5 6 7");
  Reply(Fate::kRetry, 30'000);
  EXPECT_EQ(Counts(), "open 0 held 10 recorded 0 lost 0");
  EXPECT_EQ(Report(40'000), "1: 0 1 2 3");
  Reply(Fate::kRetry, 40'100);  // nobody there: no matter of size
  EXPECT_EQ(Report(50'000), "1: 0 1 2 3");
  Reply(Fate::kRecorded, 50'100);
  EXPECT_EQ(Report(50'100), "1: 4 5 6 7");
  Reply(Fate::kRecorded, 50'200);
  EXPECT_EQ(Report(50'200), "1: 8 9 last");
}

TEST_F(LeaseQueueTest, ASpilledBatchIsReportedInParts) {
  Make({.report_plies = 400, .report_plies_first = 200, .memory_plies_max = 300});
  Add(1, 0, 4);
  Play(4);
  ASSERT_EQ(disk_.batches.size(), 1u);
  ASSERT_EQ(disk_.batches.begin()->second.size(), 4u);
  EXPECT_EQ(Report(0), "1: 0 1");
  EXPECT_TRUE(disk_.batches.empty());
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Report(0), "1: 2 3 last");
  Reply(Fate::kRecorded, 0);
  EXPECT_TRUE(queue_->is_idle());
}

// ---- Memory and spill.

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
    Reply(Fate::kRecorded, 0);
  }
  EXPECT_EQ(all, "1: 0 1, 1: 2 3, 1: 4 5, 1: 6 7, 1: 8 9, 1: 10 11 last, ");
  EXPECT_TRUE(disk_.batches.empty());
  EXPECT_TRUE(queue_->is_idle());
}

TEST_F(LeaseQueueTest, SpillsOfManySmallLeasesTheLargest) {
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

TEST_F(LeaseQueueTest, IsFullWhenMemoryAndSpillAre) {
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
    // The coordinator is back: there is room again.
    ASSERT_NE(Report(0), "-");
    Reply(Fate::kRecorded, 0);
    ASSERT_NE(Report(0), "-");
    Reply(Fate::kRecorded, 0);
    EXPECT_FALSE(queue_->is_full());
  }
}

TEST_F(LeaseQueueTest, AGameInPlayFindsRoomThoughAllIsFull) {
  disk_.is_full = true;
  Make({.slots = 4, .report_plies = 100, .memory_plies_max = 200});
  Add(1, 0, 10);
  ASSERT_EQ(Next(4), "1:0 1:1 1:2 1:3");
  for (int64_t index = 0; index < 4; ++index) Finish(1, index, 0);
  EXPECT_TRUE(queue_->is_full());
  EXPECT_EQ(Counts(), "open 6 held 4 recorded 0 lost 0");
}

TEST_F(LeaseQueueTest, PlaysAgainWhatTheSpillHasLost) {
  Make({.report_plies = 200, .memory_plies_max = 300});
  Add(1, 0, 4);
  Play(4);
  ASSERT_EQ(disk_.batches.size(), 1u);
  disk_.is_damaged = true;
  ASSERT_EQ(Report(0), "1: 0 1");
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Report(0), "-");
  EXPECT_EQ(Counts(), "open 2 held 0 recorded 2 lost 0");
  EXPECT_EQ(Next(3), "1:2 1:3|");
  disk_.is_damaged = false;
  Finish(1, 3, 0);
  Finish(1, 2, 0);
  EXPECT_EQ(Report(0), "1: 3 2 last");
}

// What is on its way is neither reported nor added to; the rest goes on.
TEST_F(LeaseQueueTest, DoesNotWaitForTheSpill) {
  Make({.report_plies = 200, .report_plies_first = 200, .memory_plies_max = 300});
  settles_ = false;
  Add(1, 0, 8);
  Play(4);
  auto put = queue_->NextTransfer();
  ASSERT_TRUE(put.has_value());
  EXPECT_FALSE(queue_->NextTransfer().has_value()) << "one at a time";
  Play(1);
  EXPECT_EQ(Next(1), "|") << "memory is full beside what is on its way";
  EXPECT_FALSE(queue_->is_full()) << "which will pass";
  EXPECT_EQ(Report(0), "1: 0 1");
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Report(0), "-") << "2 and 3 are on their way";
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
  Settle();  // memory is full again: 4 and 5 go
  EXPECT_EQ(Report(0), "1: 2 3") << "but not those that just came";
  Reply(Fate::kRecorded, 0);
  settles_ = true;
  EXPECT_EQ(Report(0), "1: 4 5");
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Counts(), "open 2 held 0 recorded 6 lost 0");
}

TEST_F(LeaseQueueTest, AFullDiskIsNoticedWhenTheGamesAreBack) {
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
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Report(0), "1: 2 3");
}

TEST_F(LeaseQueueTest, ALeaseMayEndWhileItsGamesAreOnTheirWay) {
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
        Reply(Fate::kRecorded, 0);
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

// ---- What it wants and tells.

TEST_F(LeaseQueueTest, WantsALeaseBeforeItRunsDry) {
  Make({.slots = 2, .ahead = milliseconds(3'000)});
  EXPECT_TRUE(queue_->WantsLease(At(0)));
  Add(1, 0, 100);
  EXPECT_FALSE(queue_->WantsLease(At(0)));
  // 10 games a second: 30 are 3 seconds.
  for (int64_t i = 0; i < 70; ++i) Play(1, i * 100);
  EXPECT_FALSE(queue_->WantsLease(At(7'000)));
  Play(2, 7'000);
  EXPECT_TRUE(queue_->WantsLease(At(7'000)));
}

TEST_F(LeaseQueueTest, TimeWithoutALeaseIsNotTakenForSlowness) {
  Make({.slots = 1});
  Add(1, 0, 1);
  Play(1, 100);
  ASSERT_EQ(Report(100), "1: 0 last");
  Reply(Fate::kRecorded, 100);
  ASSERT_TRUE(queue_->is_idle());
  constexpr int64_t kLater = 3'600'000;
  Add(2, 0, 100, kLater);
  for (int64_t i = 1; i <= 20; ++i) Play(1, kLater + i * 100);
  EXPECT_FALSE(queue_->WantsLease(At(kLater + 2'000)));
  Play(60, kLater + 2'100);
  EXPECT_TRUE(queue_->WantsLease(At(kLater + 2'100))) << "20 games are 2 seconds";
}

TEST_F(LeaseQueueTest, TellsHowFarItIs) {
  Add(3, 0, 10);
  Add(5, 20, 21);
  Play(4);
  ASSERT_EQ(Report(1000), "3: 0 1 2 3");
  Reply(Fate::kRecorded, 1000);
  Play(2, 1000);
  const Heartbeat heartbeat = queue_->MakeHeartbeat(At(1000));
  EXPECT_EQ(heartbeat.worker, (WorkerId{"w", 1}));
  EXPECT_EQ(heartbeat.games_held, 2);
  ASSERT_EQ(heartbeat.leases.size(), 2u);
  EXPECT_EQ(heartbeat.leases[0].token, 3u);
  EXPECT_EQ(heartbeat.leases[0].games, 6);
  EXPECT_EQ(heartbeat.leases[0].plies, 6 * kPlies);
  EXPECT_EQ(heartbeat.leases[1].token, 5u);
  EXPECT_EQ(heartbeat.leases[1].games, 0);
}

TEST_F(LeaseQueueTest, AnAnswerToNothingIsOurMistake) {
  EXPECT_DEATH(Reply(Fate::kRecorded, 0), "CHECK failed");
}

// ---- Self-play.

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

TEST_F(SelfplayQueueTest, ReportsWhatMakesAShard) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(3, 30);
  EXPECT_EQ(Report(1'000'000), "-") << "time alone brings no report";
  EXPECT_EQ(queue_->ReportDue(), std::nullopt);
  PlaySelfplay(2, 30);
  EXPECT_EQ(queue_->ReportDue(), At(0));
  EXPECT_EQ(Report(0), "1: 0 1 2 3") << "however little a report may have";
  EXPECT_EQ(queue_->WantsShard(), 7);
  queue_->SetShard(Shard("a"), At(0));
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  EXPECT_EQ(queue_->report().shard->shard, "a");
  for (const GameRecord& game : queue_->report().games) EXPECT_FALSE(game.samples.has_value());
  Reply(Fate::kRecorded, 0);
  EXPECT_EQ(Report(0), "-");
  PlaySelfplay(5, 1);
  EXPECT_EQ(Report(0), "1: 4 5 6 7 8 9 last") << "the lease is played out";
  queue_->SetShard(Shard("b"), At(0));
  Reply(Fate::kRecorded, 0);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 10 lost 0");
}

TEST_F(SelfplayQueueTest, AShardIsMadeOnce) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(4, 30);
  EXPECT_EQ(Report(0), "1: 0 1 2 3");
  queue_->SetShard(Shard("a"), At(0));
  Reply(Fate::kRetry, 0);
  PlaySelfplay(1, 30);
  EXPECT_EQ(Report(100'000), "1: 0 1 2 3") << "nothing is put to it";
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  EXPECT_EQ(queue_->report().shard->shard, "a");
}

// Nor is a heartbeat that waits meanwhile.
TEST_F(SelfplayQueueTest, HowLongAShardTakesSaysNothingOfTheLink) {
  Make({.report_plies = 400, .report_plies_first = 400, .slow = milliseconds(5'000)});
  AddSelfplay(1, 0, 8, 50);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(0), "1: 0 1");
  queue_->MakeHeartbeat(At(1'000));
  queue_->OnHeartbeatEnd(At(20'000));
  queue_->SetShard(Shard("a"), At(60'000));
  Reply(Fate::kRetry, 60'100);
  Add(2, 10, 14);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(70'000), "1: 0 1");
  Reply(Fate::kRecorded, 70'100);
  EXPECT_EQ(Report(70'100), "1: 2 3");
  queue_->SetShard(Shard("b"), At(70'100));
  Reply(Fate::kRecorded, 70'200);
  queue_->Cancel(1);
  Play(4, 70'200);
  EXPECT_EQ(Report(70'200), "2: 10 11 12 13 last") << "as large as ever";
}

TEST_F(SelfplayQueueTest, WhatCouldNotBeStoredIsMadeAgain) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(4, 30);
  EXPECT_EQ(Report(0), "1: 0 1 2 3");
  queue_->OnNoShard(At(0));
  EXPECT_EQ(Report(100'000), "1: 0 1 2 3");
  EXPECT_EQ(queue_->WantsShard(), 7);
  EXPECT_EQ(queue_->report().games[0].samples->count, 30);
}

TEST_F(SelfplayQueueTest, WhereNothingCanBeStoredOthersDoNotWait) {
  AddSelfplay(1, 0, 4, 100);
  PlaySelfplay(4, 30);
  Add(2, 20, 21);
  PlaySelfplay(1, 0);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 last");
  queue_->OnNoShard(At(0));
  EXPECT_EQ(Report(0), "2: 20 last");
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  Reply(Fate::kRecorded, 0);
  int tries = 1;
  for (int64_t ms = 0; ms < 60'000; ms += 10) {
    if (Report(ms) == "-") continue;
    queue_->OnNoShard(At(ms));
    EXPECT_GT(*queue_->ReportDue(), At(ms));
    EXPECT_LE(*queue_->ReportDue(), At(ms + 5'000));
    ++tries;
  }
  EXPECT_TRUE(tries >= 12 && tries <= 40) << tries << ": ever less often";
  EXPECT_EQ(Report(100'000), "1: 0 1 2 3 last") << "nothing is lost";
  queue_->SetShard(Shard("a"), At(100'000));
  Reply(Fate::kRecorded, 100'000);
  EXPECT_TRUE(queue_->is_idle());
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 5 lost 0");
}

TEST_F(SelfplayQueueTest, ALeaseThatEndsWhileNothingCanBeStored) {
  AddSelfplay(1, 0, 4, 100);
  PlaySelfplay(4, 30);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 last");
  queue_->Cancel(1);
  queue_->OnNoShard(At(0));
  EXPECT_EQ(Report(100'000), "-");
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 4");
}

TEST_F(SelfplayQueueTest, SamplesTakeMemoryAndAreSpilled) {
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

TEST_F(SelfplayQueueTest, ALongLeaseIsCutWhereSamplesAreFew) {
  Make({.report_plies = 84});
  AddSelfplay(1, 0, 10, 1'000'000);
  PlaySelfplay(7, 0);
  EXPECT_EQ(Report(0), "1: 0 1 2 3 4") << "five times a report's plies";
}

TEST_F(SelfplayQueueTest, WhoLeavesWaitsForNoMore) {
  AddSelfplay(1, 0, 10, 100);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(0), "-");
  queue_->Flush();
  EXPECT_EQ(Report(0), "1: 0 1");
}

TEST_F(SelfplayQueueTest, TheSamplesOfALeaseThatIsOverAreWantedByNobody) {
  AddSelfplay(1, 0, 10, 50);
  PlaySelfplay(2, 30);
  EXPECT_EQ(Report(0), "1: 0 1");
  queue_->Cancel(1);
  EXPECT_EQ(queue_->WantsShard(), std::nullopt);
  queue_->SetShard(Shard("a"), At(0));
  Reply(Fate::kStale, 0);
  EXPECT_EQ(Counts(), "open 0 held 0 recorded 0 lost 2");
}

}  // namespace
}  // namespace triarch
