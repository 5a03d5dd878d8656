#include "worker/work_loop.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/temporary_folder.h"
#include "gtest/gtest.h"
#include "spec/spec_json.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

// A coordinator with one lease whose tournament needs a bundle that arrives byte by byte. The
// heartbeat after the third byte cancels the lease.
class SlowBundleClient : public CoordinatorClient {
 public:
  void Register(const WorkerInfo&, Done<milliseconds> done) override {
    Later([done] { done(milliseconds(10)); });
  }
  void RequestLease(const WorkerId&, const std::vector<int64_t>&,
                    Done<ArrivedLease> done) override {
    ArrivedLease arrived;
    if (!is_given_.exchange(true)) {
      TournamentSpec spec;
      spec.game = "tri-d";
      spec.games = 2;
      spec.bots = {
          {.name = "random", .bot = "random"},
          {.name = "a 1 (aa)", .bot = "process", .bundle = "a@1", .digest = std::string(64, 'a')}};
      arrived.spec_json = SpecToJson(spec);
      arrived.reply.lease =
          Lease{.tournament = 1, .games = {0, 2}, .token = 7, .ttl = milliseconds(30'000)};
    }
    arrived.reply.retry = milliseconds(10);
    Later([done, arrived] { done(arrived); });
  }
  void Heartbeat(const HeartbeatRequest& heartbeat, Done<HeartbeatReply> done) override {
    HeartbeatReply reply{.cancelled = {}, .next = milliseconds(10)};
    for (const LeaseProgress& lease : heartbeat.leases) {
      if (bytes_ >= 3) reply.cancelled.push_back(lease.token);
    }
    if (!reply.cancelled.empty()) bytes_at_cancel_ = bytes_.load();
    Later([done, reply] { done(reply); });
  }
  void Fetch(const WorkerId&, const std::string&, int64_t offset, Done<BundlePart> done) override {
    bytes_ = offset + 1;
    Later([done] { done(BundlePart{.size = 1'000'000, .bytes = "x"}); });
  }
  void Send(const Report&, Done<ReportReply>) override { ADD_FAILURE() << "nothing is played"; }
  void Refuse(const WorkerId&, uint64_t, const std::string& why,
              std::function<void(absl::Status)> done) override {
    ADD_FAILURE() << why;
    Later([done] { done(absl::OkStatus()); });
  }
  void Leave(const WorkerId&, std::function<void(absl::Status)> done) override {
    Later([done] { done(absl::OkStatus()); });
  }
  void Cancel() override {}

  int64_t bytes() const { return bytes_; }
  int64_t bytes_at_cancel() const { return bytes_at_cancel_; }

 private:
  void Later(std::function<void()> answer) {
    std::thread([answer = std::move(answer)] {
      std::this_thread::sleep_for(milliseconds(2));
      answer();
    }).detach();
  }

  std::atomic<bool> is_given_ = false;
  std::atomic<int64_t> bytes_ = 0;            // requested
  std::atomic<int64_t> bytes_at_cancel_ = 0;  // when the lease was cancelled
};

// A coordinator with one long lease that cannot record anything.
class BusyClient : public CoordinatorClient {
 public:
  void Register(const WorkerInfo&, Done<milliseconds> done) override {
    Later([done] { done(milliseconds(10)); });
  }
  void RequestLease(const WorkerId&, const std::vector<int64_t>&,
                    Done<ArrivedLease> done) override {
    ArrivedLease arrived;
    if (!is_given_.exchange(true)) {
      TournamentSpec spec;
      spec.game = "tri-d";
      spec.games = 1'000'000;
      spec.bots = {{.name = "a", .bot = "random"}, {.name = "b", .bot = "random"}};
      arrived.spec_json = SpecToJson(spec);
      arrived.reply.lease =
          Lease{.tournament = 1, .games = {0, 1'000'000}, .token = 7, .ttl = milliseconds(30'000)};
    }
    arrived.reply.retry = milliseconds(1'000);
    Later([done, arrived] { done(arrived); });
  }
  void Heartbeat(const HeartbeatRequest&, Done<HeartbeatReply> done) override {
    ++beats_;
    Later([done] { done(HeartbeatReply{.cancelled = {}, .next = milliseconds(10)}); });
  }
  void Fetch(const WorkerId&, const std::string&, int64_t, Done<BundlePart>) override {
    ADD_FAILURE() << "there are no bundles";
  }
  void Send(const Report&, Done<ReportReply> done) override {
    ReportReply reply;
    reply.outcome = ReportOutcome::kRetry;
    Later([done, reply] { done(reply); });
  }
  void Refuse(const WorkerId&, uint64_t, const std::string& why,
              std::function<void(absl::Status)> done) override {
    ADD_FAILURE() << why;
    Later([done] { done(absl::OkStatus()); });
  }
  void Leave(const WorkerId&, std::function<void(absl::Status)> done) override {
    Later([done] { done(absl::OkStatus()); });
  }
  void Cancel() override {}

  int64_t beats() const { return beats_; }

 private:
  void Later(std::function<void()> answer) {
    std::thread([answer = std::move(answer)] {
      std::this_thread::sleep_for(milliseconds(2));
      answer();
    }).detach();
  }

  std::atomic<bool> is_given_ = false;
  std::atomic<int64_t> beats_ = 0;
};

struct SlowDisk {
  std::atomic<bool> is_held = true;
  std::atomic<int> puts = 0;  // started
};

class SlowSpill : public Spill {
 public:
  explicit SlowSpill(SlowDisk* disk) : disk_(*disk) {}
  absl::StatusOr<int64_t> Put(const std::vector<GameRecord>&) override {
    ++disk_.puts;
    while (disk_.is_held) std::this_thread::sleep_for(milliseconds(1));
    return ++last_;
  }
  absl::StatusOr<std::vector<GameRecord>> Take(int64_t) override {
    return absl::DataLossError("nothing is kept");
  }
  void Drop(int64_t) override {}

 private:
  SlowDisk& disk_;
  int64_t last_ = 0;
};

TEST(WorkLoopTest, HeartbeatsDoNotWaitForTheSpill) {
  SlowDisk disk;
  BusyClient client;
  WorkerMetrics metrics;
  WorkLoop::Options options;
  options.worker = {.id = {"w", 1}, .slots = 2, .games = {"tri-d"}, .bots = {}, .build = ""};
  options.queue.report_plies = 1'000;
  options.queue.memory_plies_max = 5'000;
  WorkLoop loop(
      options, std::make_unique<SlowSpill>(&disk), {&client},
      [](const GameInfo&, const BotSpec&) -> absl::StatusOr<Player> {
        return std::make_unique<RandomPlayer>();
      },
      &metrics);
  const auto wait_for = [](const std::function<bool()>& is_so) {
    for (int i = 0; i < 1'000 && !is_so(); ++i) std::this_thread::sleep_for(milliseconds(10));
    return is_so();
  };
  EXPECT_TRUE(wait_for([&] { return disk.puts == 1; }));
  const int64_t beats = client.beats();
  EXPECT_TRUE(wait_for([&] { return client.beats() >= beats + 5; }));
  EXPECT_EQ(disk.puts, 1);
  disk.is_held = false;
  EXPECT_TRUE(wait_for([&] { return disk.puts > 1; })) << "and play goes on";
}

TEST(WorkLoopTest, StopsFetchingABundleOfACancelledLease) {
  const TemporaryFolder folder;
  const auto bundles = BundleCache::Open(folder / "bundles", 1 << 30);
  ASSERT_TRUE(bundles.ok()) << bundles.status();
  SlowBundleClient client;
  WorkerMetrics metrics;
  WorkLoop::Options options;
  options.worker = {.id = {"w", 1}, .slots = 1, .games = {"tri-d"}, .bots = {}, .build = ""};
  options.bundles = bundles->get();
  WorkLoop loop(
      options, nullptr, {&client},
      [](const GameInfo&, const BotSpec&) -> absl::StatusOr<Player> {
        return absl::InternalError("nothing is played");
      },
      &metrics);
  for (int i = 0; i < 3'000 && client.bytes_at_cancel() == 0; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  ASSERT_GE(client.bytes_at_cancel(), 3);
  std::this_thread::sleep_for(milliseconds(200));  // wait for pending answers
  const int64_t bytes = client.bytes();
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(client.bytes(), bytes);
}

}  // namespace
}  // namespace triarch
