// Tests a worker's self-play against a scripted coordinator.

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/shard.h"
#include "spec/spec_json.h"
#include "worker/match/scripted_player.h"
#include "worker/work_loop.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A coordinator that issues one lease and accepts every report.
class OneLeaseClient : public CoordinatorClient {
 public:
  OneLeaseClient(const TournamentSpec& spec, const Lease& lease) {
    lease_.emplace();
    lease_->reply.lease = lease;
    lease_->spec_json = SpecToJson(spec);
  }
  ~OneLeaseClient() override {
    {
      MutexLock lock(&mutex_);
      is_ending_ = true;
      changed_.NotifyAll();
    }
    thread_.join();
  }

  void Register(const WorkerInfo&, Done<milliseconds> done) override {
    Post([done] { done(milliseconds(20)); });
  }
  void RequestLease(const WorkerId&, const std::vector<int64_t>&,
                    Done<ArrivedLease> done) override {
    MutexLock lock(&mutex_);
    ArrivedLease arrived = lease_.value_or(ArrivedLease());
    if (!lease_) arrived.reply.retry = milliseconds(50);
    lease_.reset();
    PostLocked([done, arrived] { done(arrived); });
  }
  void Heartbeat(const HeartbeatRequest& heartbeat, Done<HeartbeatReply> done) override {
    MutexLock lock(&mutex_);
    beats_.push_back(heartbeat);
    HeartbeatReply reply;
    reply.next = milliseconds(20);
    PostLocked([done, reply] { done(reply); });
  }
  void Send(const Report& report, Done<ReportReply> done) override {
    MutexLock lock(&mutex_);
    reports_.push_back(report);
    ReportReply reply;
    reply.outcome = ReportOutcome::kRecorded;
    PostLocked([done, reply] { done(reply); });
  }
  void Fetch(const WorkerId&, const std::string&, int64_t, Done<BundlePart> done) override {
    Post([done] { done(absl::NotFoundError("no bundles")); });
  }
  void Refuse(const WorkerId&, uint64_t token, const std::string& why,
              std::function<void(absl::Status)> done) override {
    MutexLock lock(&mutex_);
    refusals_.push_back(std::to_string(token) + ": " + why);
    PostLocked([done] { done(absl::OkStatus()); });
  }
  void Leave(const WorkerId&, std::function<void(absl::Status)> done) override {
    Post([done] { done(absl::OkStatus()); });
  }
  void Cancel() override {}

  std::vector<Report> Reports() {
    MutexLock lock(&mutex_);
    return reports_;
  }
  std::vector<HeartbeatRequest> Heartbeats() {
    MutexLock lock(&mutex_);
    return beats_;
  }
  std::vector<std::string> Refusals() {
    MutexLock lock(&mutex_);
    return refusals_;
  }

 private:
  void Post(std::function<void()> answer) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    PostLocked(std::move(answer));
  }
  void PostLocked(std::function<void()> answer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    answers_.push_back(std::move(answer));
    changed_.NotifyAll();
  }
  // Answers arrive later, on a thread of the client.
  void Run() {
    while (true) {
      std::function<void()> answer;
      {
        MutexLock lock(&mutex_);
        while (answers_.empty() && !is_ending_) changed_.Wait(&mutex_);
        if (answers_.empty()) return;
        answer = std::move(answers_.front());
        answers_.pop_front();
      }
      answer();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::optional<ArrivedLease> lease_ ABSL_GUARDED_BY(mutex_);
  std::vector<Report> reports_ ABSL_GUARDED_BY(mutex_);
  std::vector<HeartbeatRequest> beats_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> refusals_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> answers_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_{[this] { Run(); }};
};

class SelfplayLoopTest : public ::testing::Test {
 protected:
  SelfplayLoopTest() {
    spec_.name = "data";
    spec_.game = "triumvirate";
    spec_.bots = {{.name = "random", .bot = "random"}};
    spec_.games = 100;
    spec_.adjudication.plies_max = 40;
    spec_.data = folder_ / "data";
    SelfplaySpec selfplay;
    selfplay.shard_samples = 150;
    spec_.selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  }

  void Work() {
    client_.emplace(spec_,
                    Lease{.tournament = 3, .games = {10, 20}, .token = 9, .ttl = seconds(30)});
    WorkLoop::Options options;
    options.worker.id = {.name = "w", .instance = 1};
    options.worker.slots = 2;
    options.worker.games = {"triumvirate"};
    loop_.emplace(
        options, nullptr, std::vector<CoordinatorClient*>{&*client_},
        [](const GameInfo&, const BotSpec&) -> absl::StatusOr<Player> {
          return std::make_unique<RandomPlayer>();
        },
        &metrics_);
  }
  static bool WaitUntil(const std::function<bool()>& is_true) {
    for (int i = 0; i < 3000 && !is_true(); ++i) std::this_thread::sleep_for(milliseconds(10));
    return is_true();
  }
  int64_t GamesReported() {
    int64_t games = 0;
    for (const Report& report : client_->Reports()) {
      games += static_cast<int64_t>(report.games.size());
    }
    return games;
  }
  // Checks that each game is in exactly one report, with a shard that contains it.
  void ExpectWholeReports() {
    std::vector<int64_t> indices;
    for (const Report& report : client_->Reports()) {
      ASSERT_TRUE(report.shard.has_value());
      std::ifstream file(fs::path(spec_.data) / report.shard->shard, std::ios::binary);
      const auto shard = ReadShard(std::string(std::istreambuf_iterator<char>(file), {}));
      ASSERT_TRUE(shard.ok()) << shard.status();
      std::vector<int64_t> own;
      for (const GameRecord& game : report.games) {
        EXPECT_FALSE(game.samples.has_value());
        own.push_back(game.index);
      }
      std::sort(own.begin(), own.end());
      EXPECT_EQ(shard->game_index, own);
      indices.insert(indices.end(), own.begin(), own.end());
    }
    std::sort(indices.begin(), indices.end());
    EXPECT_THAT(indices, ::testing::ElementsAre(10, 11, 12, 13, 14, 15, 16, 17, 18, 19));
  }

  const TemporaryFolder folder_;
  TournamentSpec spec_;
  WorkerMetrics metrics_;
  std::optional<OneLeaseClient> client_;
  std::optional<WorkLoop> loop_;
};

TEST_F(SelfplayLoopTest, GamesAreReportedWithTheirShards) {
  Work();
  ASSERT_TRUE(WaitUntil([this] { return GamesReported() == 10; }));
  EXPECT_GE(client_->Reports().size(), 2u) << "400 samples";
  EXPECT_TRUE(client_->Reports().back().is_last);
  ExpectWholeReports();
  EXPECT_THAT(client_->Refusals(), IsEmpty());
}

TEST_F(SelfplayLoopTest, KeepsGamesWhileNothingCanBeStored) {
  std::ofstream(spec_.data) << "no folder";
  Work();
  // All games are played, and some attempts to store them have failed.
  const std::string none = "triarch_made_shards_total{outcome=\"failed\"} 0";
  ASSERT_THAT(metrics_.Text(), HasSubstr(none));
  ASSERT_TRUE(WaitUntil([&] {
    const std::vector<HeartbeatRequest> beats = client_->Heartbeats();
    return !beats.empty() && beats.back().games_held == 10 &&
           metrics_.Text().find(none) == std::string::npos;
  })) << metrics_.Text();
  EXPECT_THAT(client_->Reports(), IsEmpty());
  const HeartbeatRequest now = client_->Heartbeats().back();
  ASSERT_THAT(now.leases, SizeIs(1));
  EXPECT_EQ(now.leases[0].token, 9u) << "the lease is held";
  EXPECT_TRUE(loop_->status().ok());
  fs::remove(spec_.data);
  ASSERT_TRUE(WaitUntil([this] { return GamesReported() == 10; }));
  ExpectWholeReports();
}

TEST_F(SelfplayLoopTest, ReportsAPartialShardWhenLeaving) {
  SelfplaySpec selfplay = *spec_.selfplay;
  selfplay.shard_samples = 1'000'000;
  spec_.selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  Work();
  ASSERT_TRUE(WaitUntil([this] { return GamesReported() > 0 || !client_->Heartbeats().empty(); }));
  loop_->Leave(seconds(20));
  loop_.reset();
  for (const Report& report : client_->Reports()) EXPECT_TRUE(report.shard.has_value());
}

TEST_F(SelfplayLoopTest, EndsWhileNothingCanBeStored) {
  std::ofstream(spec_.data) << "no folder";
  Work();
  ASSERT_TRUE(WaitUntil([this] { return !client_->Heartbeats().empty(); }));
  loop_.reset();
  EXPECT_THAT(client_->Reports(), IsEmpty());
}

}  // namespace
}  // namespace triarch
