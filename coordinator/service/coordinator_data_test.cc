// Tests the recording and publishing of self-play shards.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/service/coordinator.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/dataset/run_claim.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/shard.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kGames = 20;

// A coordinator with a database that outlives it, and reports of made-up games.
class CoordinatorDataTest : public ::testing::Test {
 protected:
  CoordinatorDataTest() { Start(); }

  void Start() {
    Coordinator::Options options;
    options.session.is_local = true;
    options.session.leases.games_first = kGames / 2;
    std::unique_ptr<Store> store = OpenSqliteStore(folder_ / "games.db", OpenMode::kCreate).value();
    const uint64_t epoch = store->TryLead().value().value();
    coordinator_ = Coordinator::Start(options, epoch, std::move(store), nullptr, &metrics_).value();
  }
  void Restart() {
    coordinator_.reset();
    Start();
  }

  TournamentSpec Spec(const std::string& data) const {
    TournamentSpec spec = SampleSpec();
    spec.games = kGames;
    spec.data = data;
    spec.selfplay = std::make_shared<const SelfplaySpec>();
    return spec;
  }
  void Submit() { id_ = coordinator_->Submit(Spec(data_), "").value(); }

  // Leases half of the open games to the worker with that name.
  Lease RequestLease(const std::string& name) {
    WorkerInfo worker{.id = {.name = name, .instance = 1},
                      .slots = 1,
                      .games = {"triumvirate"},
                      .bots = {},
                      .build = "1"};
    for (const BotSpec& bot : SampleSpec().bots) {
      worker.bots.push_back({.type = bot.bot, .digest = "", .abi = 0});
    }
    EXPECT_TRUE(coordinator_->Register(worker).ok());
    const LeaseReply reply = coordinator_->RequestLease(worker.id).value();
    EXPECT_TRUE(reply.lease.has_value());
    return reply.lease.value_or(Lease());
  }

  ReportReply Report(const std::string& name, uint64_t token, int64_t first, int64_t last,
                     const std::optional<ShardEntry>& shard) {
    triarch::Report report{.worker = {.name = name, .instance = 1},
                           .token = token,
                           .games = SampleRecords(first, last),
                           .shard = shard,
                           .is_last = false};
    ReportReply answer;
    std::latch done(1);
    coordinator_->Report(std::move(report), [&](const absl::StatusOr<ReportReply>& reply) {
      EXPECT_TRUE(reply.ok()) << reply.status();
      if (reply.ok()) answer = *reply;
      done.count_down();
    });
    done.wait();
    return answer;
  }

  // Returns a file of the run that is in no manifest.
  std::string Stray() const { return data_ + "/" + ShardPrefix(Status().spec.run) + "stray.npz"; }
  TournamentStatus Status() const { return coordinator_->Tournament(id_).value(); }
  std::vector<ShardEntry> Stored() {
    std::vector<ShardEntry> shards;
    coordinator_->Read([&](Store& store) { shards = store.Shards(id_).value(); });
    return shards;
  }
  std::vector<ShardEntry> Manifest() const {
    std::ifstream file(data_ + "/manifest.jsonl", std::ios::binary);
    EXPECT_TRUE(file.is_open());
    return ParseManifest(std::string(std::istreambuf_iterator<char>(file), {}), "manifest").value();
  }

  const TemporaryFolder folder_;
  const std::string data_ = folder_ / "data";
  CoordinatorMetrics metrics_;
  std::unique_ptr<Coordinator> coordinator_;
  int64_t id_ = 0;
};

TEST_F(CoordinatorDataTest, AShardIsRecordedWithItsGames) {
  Submit();
  const Lease lease = RequestLease("w");
  ASSERT_GE(lease.games.size(), 5);
  const int64_t first = lease.games.first;
  ShardEntry shard = SampleShard("a", first, first + 5);
  shard.game = "what a worker";
  shard.spec = "may not say";
  EXPECT_EQ(Report("w", lease.token, first, first + 5, shard).outcome, ReportOutcome::kRecorded);
  shard.game = "triumvirate";
  shard.spec = SpecDigest(Spec(data_));
  EXPECT_THAT(Stored(), ElementsAre(shard));
  EXPECT_EQ(Status().done, 5);
  EXPECT_EQ(Status().shards, 1);
  EXPECT_EQ(Status().samples, shard.samples);
  EXPECT_EQ(Status().sample_bytes, shard.bytes);
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_EQ(Manifest(), Stored());
}

TEST_F(CoordinatorDataTest, AFalseShardRejectsTheReport) {
  Submit();
  const auto report = [this](const std::string& name, std::optional<ShardEntry> shard) {
    const Lease lease = RequestLease(name);
    const int64_t first = lease.games.first;
    if (shard) shard->first = first, shard->last = first + 1;
    const ReportReply reply = Report(name, lease.token, first, first + 2, shard);
    EXPECT_EQ(reply.outcome, ReportOutcome::kRejected);
    EXPECT_TRUE(reply.is_cancelled);
    return reply.why;
  };
  EXPECT_EQ(report("a", std::nullopt), "self-play games without their shard");
  ShardEntry shard = SampleShard("a", 0, 2);
  shard.format = kShardFormat + 1;
  EXPECT_EQ(report("b", shard), "a shard of format 2; expected 1");
  EXPECT_EQ(Status().done, 0);
  EXPECT_EQ(Status().shards, 0);
  EXPECT_THAT(Stored(), IsEmpty());
  const Lease lease = RequestLease("c");
  EXPECT_EQ(Report("c", lease.token, 0, 0, std::nullopt).outcome, ReportOutcome::kRecorded)
      << "which has no games";
}

TEST_F(CoordinatorDataTest, AShardOutsideSelfplayIsRejected) {
  TournamentSpec spec = Spec("");
  spec.selfplay = nullptr;
  id_ = coordinator_->Submit(spec, "").value();
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  const ReportReply reply =
      Report("w", lease.token, first, first + 2, SampleShard("a", first, first + 2));
  EXPECT_EQ(reply.outcome, ReportOutcome::kRejected);
  EXPECT_EQ(reply.why, "a shard of a tournament that is not self-play");
  EXPECT_EQ(Status().done, 0);
  EXPECT_THAT(Stored(), IsEmpty());
}

// The answer to the first report was lost.
TEST_F(CoordinatorDataTest, ARepeatedReportChangesNothing) {
  Submit();
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  const ShardEntry shard = SampleShard("a", first, first + 4);
  for (int i = 0; i < 3; ++i) {
    const ReportReply reply = Report("w", lease.token, first, first + 4, shard);
    EXPECT_EQ(reply.outcome, ReportOutcome::kRecorded);
    EXPECT_FALSE(reply.is_cancelled);
    EXPECT_EQ(Status().done, 4);
    EXPECT_EQ(Status().shards, 1);
    EXPECT_EQ(Status().samples, shard.samples);
    EXPECT_EQ(Stored().size(), 1u);
    int64_t games = 0;
    for (const auto& bot : Status().leaderboard) games += bot.games;
    EXPECT_EQ(games, 3 * 4) << "seats in recorded games";
  }
  const int64_t end = lease.games.last;
  const ShardEntry rest = SampleShard("b", first + 4, end);
  EXPECT_EQ(Report("w", lease.token, first + 4, end, rest).outcome, ReportOutcome::kRecorded);
  EXPECT_EQ(Report("w", lease.token, first + 4, end, rest).outcome, ReportOutcome::kStale)
      << "the lease is over";
  EXPECT_EQ(Status().done, end - first);
  EXPECT_EQ(Status().shards, 2);
}

TEST_F(CoordinatorDataTest, AShardWithGamesOfAnotherShardIsStale) {
  Submit();
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  EXPECT_EQ(Report("w", lease.token, first, first + 4, SampleShard("a", first, first + 4)).outcome,
            ReportOutcome::kRecorded);
  const ReportReply reply =
      Report("w", lease.token, first + 3, first + 6, SampleShard("b", first + 3, first + 6));
  EXPECT_EQ(reply.outcome, ReportOutcome::kStale);
  EXPECT_TRUE(reply.is_cancelled);
  EXPECT_EQ(Status().done, 4);
  EXPECT_EQ(Status().shards, 1);
  EXPECT_EQ(Stored().size(), 1u);
  EXPECT_TRUE(coordinator_->status().ok()) << "nothing is wrong with the store";
}

TEST_F(CoordinatorDataTest, TwoShardsWithOneNameAreRejected) {
  Submit();
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  EXPECT_EQ(Report("w", lease.token, first, first + 2, SampleShard("a", first, first + 2)).outcome,
            ReportOutcome::kRecorded);
  const ReportReply reply =
      Report("w", lease.token, first + 2, first + 4, SampleShard("a", first + 2, first + 4));
  EXPECT_EQ(reply.outcome, ReportOutcome::kRejected);
  EXPECT_THAT(reply.why, HasSubstr("another shard has the name"));
  EXPECT_EQ(Status().done, 2);
  EXPECT_EQ(Status().shards, 1);
}

TEST_F(CoordinatorDataTest, ContinuesAfterARestart) {
  Submit();
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  Report("w", lease.token, first, first + 2, SampleShard("a", first, first + 2));
  Report("w", lease.token, first + 2, first + 5, SampleShard("b", first + 2, first + 5));
  const TournamentStatus before = Status();
  coordinator_.reset();
  EXPECT_EQ(Manifest().size(), 2u) << "recorded data is published in the end";
  fs::remove_all(data_);
  Start();
  EXPECT_EQ(Status().done, 5);
  EXPECT_EQ(Status().shards, before.shards);
  EXPECT_EQ(Status().samples, before.samples);
  EXPECT_EQ(Status().sample_bytes, before.sample_bytes);
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_EQ(Manifest(), Stored()) << "work left by an earlier coordinator";
}

TEST_F(CoordinatorDataTest, RemovesStraysWhenTheRunIsDone) {
  Submit();
  fs::create_directories(data_ + "/shards");
  const std::string orphan = Stray();
  std::ofstream(orphan) << "bytes";
  int shards = 0;
  while (Status().done < kGames) {
    EXPECT_TRUE(fs::exists(orphan));
    const Lease lease = RequestLease("w");
    const ShardEntry shard =
        SampleShard(std::to_string(++shards), lease.games.first, lease.games.last);
    ASSERT_EQ(Report("w", lease.token, lease.games.first, lease.games.last, shard).outcome,
              ReportOutcome::kRecorded);
    ASSERT_TRUE(coordinator_->PublishData().ok());
  }
  EXPECT_EQ(Status().state, TournamentState::kDone);
  EXPECT_FALSE(fs::exists(orphan));
  // Another orphan, from a worker that does not know of the cancellation.
  std::ofstream(orphan) << "bytes";
  const ShardEntry late = SampleShard(Status().spec.run + "-stray", 0, 1);
  EXPECT_EQ(Report("w", 12345, 0, 1, late).outcome, ReportOutcome::kStale);
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_FALSE(fs::exists(orphan));
}

TEST_F(CoordinatorDataTest, RemovesStraysWhenTheRunIsCancelled) {
  Submit();
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  ASSERT_EQ(Report("w", lease.token, first, first + 5, SampleShard("a", first, first + 5)).outcome,
            ReportOutcome::kRecorded);
  fs::create_directories(data_ + "/shards");
  const std::string half = Stray() + ".1234567890123456.tmp";
  for (const std::string& name : {Stray(), half}) std::ofstream(name) << "bytes";
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_TRUE(fs::exists(Stray())) << "it may still be reported";
  ASSERT_TRUE(coordinator_->SetState(id_, TournamentState::kCancelled).ok());
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_FALSE(fs::exists(Stray()));
  EXPECT_FALSE(fs::exists(half));
  EXPECT_EQ(Manifest(), Stored());
  // A later coordinator does it too.
  coordinator_.reset();
  std::ofstream(data_ + "/" + ShardPrefix(std::string(16, '0')) + "theirs.npz") << "bytes";
  Start();
  std::ofstream(Stray()) << "bytes";
  Restart();
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_FALSE(fs::exists(Stray()));
  EXPECT_TRUE(fs::exists(data_ + "/" + ShardPrefix(std::string(16, '0')) + "theirs.npz"));
}

TEST_F(CoordinatorDataTest, ReportsWhyNothingIsPublished) {
  Submit();
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_EQ(Status().data_error, "");
  fs::remove_all(data_);
  std::ofstream(data_) << "no folder";
  const Lease lease = RequestLease("w");
  const int64_t first = lease.games.first;
  EXPECT_EQ(Report("w", lease.token, first, first + 2, SampleShard("a", first, first + 2)).outcome,
            ReportOutcome::kRecorded)
      << "the store decides";
  EXPECT_FALSE(coordinator_->PublishData().ok());
  EXPECT_THAT(Status().data_error, HasSubstr(data_));
  EXPECT_TRUE(coordinator_->status().ok());
  fs::remove(data_);
  EXPECT_TRUE(coordinator_->PublishData().ok());
  EXPECT_EQ(Status().data_error, "");
  EXPECT_EQ(Manifest(), Stored());
}

TEST_F(CoordinatorDataTest, TwoRunsCannotShareALocation) {
  Submit();
  for (const std::string& place : {data_, data_ + "/"}) {
    const absl::Status status = coordinator_->Submit(Spec(place), "").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(status.message(),
                HasSubstr("tournament " + std::to_string(id_) + " writes its data to "));
  }
  ASSERT_TRUE(coordinator_->SetState(id_, TournamentState::kCancelled).ok());
  EXPECT_FALSE(coordinator_->Submit(Spec(data_), "").ok()) << "its games may still be useful";
}

TEST_F(CoordinatorDataTest, LeavesTheDataOfAnotherDatabaseAlone) {
  fs::create_directories(data_);
  const std::string line = ManifestLine(SampleShard("theirs", 0, 5)) + "\n";
  std::ofstream(data_ + "/manifest.jsonl") << line;
  const absl::Status status = coordinator_->Submit(Spec(data_), "").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("holds the data of another run"), HasSubstr("output.data")));
  EXPECT_THAT(coordinator_->Tournaments(), IsEmpty());
  EXPECT_EQ(Manifest().size(), 1u);
}

// Two coordinators with separate databases, neither of which has a manifest yet.
TEST_F(CoordinatorDataTest, ALocationIsClaimedAtOnce) {
  Submit();
  const std::string claim = ClaimName(Status().spec.run);
  EXPECT_TRUE(fs::exists(data_ + "/" + claim));
  Coordinator::Options options;
  CoordinatorMetrics metrics;
  const auto other = Coordinator::Start(options, 1, MakeMemoryStore(), nullptr, &metrics).value();
  const absl::Status status = other->Submit(Spec(data_), "").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("claim file " + claim));
  EXPECT_THAT(other->Tournaments(), IsEmpty());
}

TEST_F(CoordinatorDataTest, MissingEnvironmentVariablesAreReportedAtOnce) {
  unsetenv("AWS_ACCESS_KEY_ID");
  unsetenv("AWS_SECRET_ACCESS_KEY");
  Coordinator::Options options;  // unlike `triarch run`, which uses the user's environment
  CoordinatorMetrics metrics;
  const auto served = Coordinator::Start(options, 1, MakeMemoryStore(), nullptr, &metrics).value();
  const absl::Status status = served->Submit(Spec("s3://bucket/x"), "").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(), HasSubstr("its data cannot be stored: S3 needs AWS_ACCESS_KEY_ID "
                                          "and AWS_SECRET_ACCESS_KEY in the environment of the "
                                          "coordinator"));
  EXPECT_THAT(served->Tournaments(), IsEmpty());
}

// By now the location may belong to another run.
TEST_F(CoordinatorDataTest, ARunCancelledBeforeItBeganIsLeftAlone) {
  Submit();
  ASSERT_TRUE(coordinator_->SetState(id_, TournamentState::kCancelled).ok());
  coordinator_.reset();
  fs::remove_all(data_);
  Start();
  ASSERT_TRUE(coordinator_->PublishData().ok());
  EXPECT_FALSE(fs::exists(data_));
}

}  // namespace
}  // namespace triarch
