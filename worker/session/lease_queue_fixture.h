// Sets up a LeaseQueue with a spill that fails on demand, for tests.

#ifndef TRIARCH_WORKER_SESSION_LEASE_QUEUE_FIXTURE_H_
#define TRIARCH_WORKER_SESSION_LEASE_QUEUE_FIXTURE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "worker/session/lease_queue.h"

namespace triarch {

using std::chrono::milliseconds;
using Time = LeaseQueue::Time;

// Each game here weighs 100 plies.
inline constexpr int64_t kPlies = 84;

inline Time At(int64_t ms) { return Time(std::chrono::hours(1)) + milliseconds(ms); }

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
  // Returns the next orders, up to `count`: "1:0 1:1".
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
  // Runs the pending transfers of the spill.
  void Settle() {
    while (auto transfer = queue_->NextTransfer()) {
      transfer->Run();
      queue_->OnTransferEnd(*std::move(transfer));
    }
  }
  // Plays `count` games of the queue.
  void Play(int count, int64_t ms = 0) {
    for (int i = 0; i < count; ++i) {
      const auto order = queue_->Next();
      ASSERT_TRUE(order.has_value());
      Finish(order->token, order->index, ms);
    }
  }
  // Returns the report that is due: "1: 0 1 2", followed by "last" if it is the last one; "-" if
  // none is due.
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
  void Reply(ReportOutcome outcome, int64_t ms, bool is_cancelled = false, int64_t retry_ms = 0) {
    queue_->OnReply({.outcome = outcome,
                     .why = "",
                     .is_cancelled = is_cancelled,
                     .retry = milliseconds(retry_ms)},
                    At(ms));
  }
  // Sends the next five reports, or fewer if there are no more, and returns their numbers of games:
  // "2 4 8". Each is recorded after `took_ms`. A heartbeat is sent `beat_ms` after each report and
  // answered just after it.
  std::string SendAll(int64_t took_ms, int64_t beat_ms) {
    std::string sizes;
    for (int i = 0; i < 5; ++i) {
      const triarch::Report* const report = queue_->NextReport(At(clock_ms_));
      if (report == nullptr) break;
      sizes += absl::StrFormat("%s%d", i == 0 ? "" : " ", report->games.size());
      queue_->MakeHeartbeat(At(clock_ms_ + beat_ms));
      clock_ms_ += took_ms;
      Reply(ReportOutcome::kRecorded, clock_ms_);
      queue_->OnHeartbeatEnd(At(clock_ms_));
    }
    return sizes;
  }
  std::string Counts() const {
    return absl::StrFormat("open %d held %d recorded %d lost %d", queue_->games_open(),
                           queue_->games_held(), queue_->games_recorded(), queue_->games_lost());
  }

  Disk disk_;
  bool settles_ = true;         // runs transfers immediately
  int64_t clock_ms_ = 100'000;  // the time in SendAll
  std::unique_ptr<LeaseQueue> queue_;
  std::vector<LeaseQueue::Order> orders_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SESSION_LEASE_QUEUE_FIXTURE_H_
