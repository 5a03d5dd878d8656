#include "coordinator/service/recorder.h"

#include <chrono>
#include <latch>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

// An in-memory store whose Record first returns the answers that the test sets.
class FailingStore : public Store {
 public:
  // The next `times` calls return `status`. With `is_recorded`, a call that returns Unavailable
  // records the games nevertheless, like a commit with an unknown outcome.
  void Fail(absl::Status status, int times, bool is_recorded = false) {
    MutexLock lock(&mutex_);
    status_ = std::move(status);
    times_ = times;
    is_recorded_ = is_recorded;
  }
  int64_t commits() const {
    MutexLock lock(&mutex_);
    return commits_;
  }

  absl::Status Record(int64_t tournament, std::span<const GameRecord> records) override {
    MutexLock lock(&mutex_);
    ++commits_;
    if (times_ > 0) {
      --times_;
      if (is_recorded_) (void)store_->Record(tournament, records);
      return status_;
    }
    return store_->Record(tournament, records);
  }

  absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                           const ShardEntry& shard) override {
    MutexLock lock(&mutex_);
    ++commits_;
    if (times_ > 0) {
      --times_;
      if (is_recorded_) (void)store_->RecordShard(tournament, records, shard);
      return status_;
    }
    return store_->RecordShard(tournament, records, shard);
  }
  absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) override {
    return store_->Shards(tournament);
  }

  absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) override {
    return store_->OpenTournament(spec);
  }
  absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                 const std::string& text) override {
    return store_->AddTournament(spec, text);
  }
  absl::Status SetState(int64_t id, TournamentState state) override {
    return store_->SetState(id, state);
  }
  absl::Status SetPrecedence(int64_t id, const Precedence& precedence) override {
    return store_->SetPrecedence(id, precedence);
  }
  absl::Status SetBotDigests(int64_t id, const std::vector<std::string>& digests) override {
    return store_->SetBotDigests(id, digests);
  }
  absl::StatusOr<std::vector<StoredTournament>> Tournaments() override {
    return store_->Tournaments();
  }
  absl::StatusOr<StoredTournament> Tournament(int64_t id) override {
    return store_->Tournament(id);
  }
  absl::StatusOr<std::vector<Range>> Recorded(int64_t id) override { return store_->Recorded(id); }
  absl::StatusOr<GameCosts> VisitResults(
      int64_t id, absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    return store_->VisitResults(id, visit);
  }
  absl::Status VisitGames(int64_t id, const GameFilter& filter,
                          absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    return store_->VisitGames(id, filter, visit);
  }
  absl::Status VisitTpgn(
      int64_t id, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view)> visit) override {
    return store_->VisitTpgn(id, filter, visit);
  }
  absl::Status VisitFaults(int64_t id, const GameFilter& filter,
                           absl::FunctionRef<absl::Status(const StoredFault&)> visit) override {
    return store_->VisitFaults(id, filter, visit);
  }
  absl::StatusOr<std::optional<uint64_t>> TryLead() override { return store_->TryLead(); }
  absl::Status SaveLeases(std::span<const StoredLease> leases) override {
    return store_->SaveLeases(leases);
  }
  absl::StatusOr<std::vector<StoredLease>> LiveLeases() override { return store_->LiveLeases(); }
  absl::Status SaveWorkers(std::span<const StoredWorker> workers) override {
    return store_->SaveWorkers(workers);
  }
  absl::StatusOr<std::vector<StoredWorker>> Workers() override { return store_->Workers(); }
  absl::Status AddMatches(int64_t id, std::span<const PlannedMatch> matches) override {
    return store_->AddMatches(id, matches);
  }
  absl::StatusOr<std::vector<PlannedMatch>> Matches(int64_t id) override {
    return store_->Matches(id);
  }
  absl::Status HoldReports(std::span<const StoredReport> reports) override {
    return store_->HoldReports(reports);
  }
  absl::StatusOr<std::vector<StoredReport>> HeldReports() override { return store_->HeldReports(); }
  absl::StatusOr<std::string> HeldReport(int64_t id) override { return store_->HeldReport(id); }
  absl::Status DropReports(std::span<const int64_t> ids) override {
    return store_->DropReports(ids);
  }
  absl::Status AddAudits(std::span<const StoredAudit> audits) override {
    return store_->AddAudits(audits);
  }
  absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts() override {
    return store_->AuditCounts();
  }
  absl::Status AddRatings(int64_t id, std::span<const RatingPoint> points) override {
    return store_->AddRatings(id, points);
  }
  absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t id) override {
    return store_->Ratings(id);
  }
  absl::Status BeginDelete(int64_t id) override { return store_->BeginDelete(id); }
  absl::StatusOr<std::vector<int64_t>> Deleting() override { return store_->Deleting(); }
  absl::StatusOr<bool> DeleteSome(int64_t id) override { return store_->DeleteSome(id); }
  absl::StatusOr<int64_t> Prune(History what, const std::string& before, bool is_dry_run) override {
    return store_->Prune(what, before, is_dry_run);
  }
  absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) override {
    return store_->AddBundle(bundle, tar);
  }
  absl::StatusOr<std::vector<StoredBundle>> Bundles() override { return store_->Bundles(); }
  absl::StatusOr<std::string> BundleTar(const std::string& digest) override {
    return store_->BundleTar(digest);
  }
  absl::Status RemoveBundle(const std::string& digest) override {
    return store_->RemoveBundle(digest);
  }

 private:
  const std::unique_ptr<Store> store_ = MakeMemoryStore();
  mutable Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  int times_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_recorded_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t commits_ ABSL_GUARDED_BY(mutex_) = 0;
};

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() : thread_(MakeStore()) {
    options_.retry = milliseconds(5);
    thread_.Run([this](Store& store) { id_ = store.OpenTournament(SampleSpec()).value(); });
  }

  // Adds games first to last and returns immediately; `answers` receives the results.
  void Add(Recorder& recorder, int64_t first, int64_t last,
           const std::optional<ShardEntry>& shard = std::nullopt) {
    recorder.Add(
        {.tournament = id_,
         .games = SampleRecords(first, last),
         .shard = shard,
         .bot_digests = {},
         .done = [this, first](const absl::Status& status, const std::vector<GameRecord>& games) {
           MutexLock lock(&mutex_);
           EXPECT_FALSE(games.empty());
           EXPECT_EQ(games.front().index, first);
           answers_.emplace_back(first, status.code());
           changed_.NotifyAll();
         }});
  }
  std::vector<std::pair<int64_t, absl::StatusCode>> Answers(size_t count) {
    MutexLock lock(&mutex_);
    while (answers_.size() < count) changed_.Wait(&mutex_);
    return answers_;
  }
  std::vector<ShardEntry> Shards() {
    std::vector<ShardEntry> shards;
    thread_.Run([&](Store& store) { shards = store.Shards(id_).value(); });
    return shards;
  }
  std::vector<Range> Recorded() {
    std::vector<Range> ranges;
    thread_.Run([&](Store& store) { ranges = store.Recorded(id_).value(); });
    return ranges;
  }

  std::unique_ptr<Store> MakeStore() {
    auto store = std::make_unique<FailingStore>();
    store_ = store.get();
    return store;
  }

  FailingStore* store_ = nullptr;
  Recorder::Options options_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::pair<int64_t, absl::StatusCode>> answers_ ABSL_GUARDED_BY(mutex_);
  StoreThread thread_;
  int64_t id_ = 0;
};

TEST_F(RecorderTest, WaitingBatchesAreRecordedTogether) {
  Recorder recorder(options_, thread_);
  std::latch held(1);
  thread_.Post([&](Store&) { held.wait(); });
  for (int64_t i = 0; i < 5; ++i) Add(recorder, 2 * i, 2 * i + 2);
  held.count_down();
  EXPECT_EQ(Answers(5).size(), 5u);
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 10}));
  EXPECT_EQ(store_->commits(), 1);
}

TEST_F(RecorderTest, GamesWaitForAStoreThatIsAway) {
  store_->Fail(absl::UnavailableError("away"), 3);
  Recorder recorder(options_, thread_);
  Add(recorder, 0, 4);
  EXPECT_THAT(Answers(1), ElementsAre(std::pair(0, absl::StatusCode::kOk)));
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 4}));
  EXPECT_EQ(store_->commits(), 4);
  EXPECT_TRUE(recorder.status().ok());
}

TEST_F(RecorderTest, ACommitWithUnknownOutcomeIsRepeated) {
  store_->Fail(absl::UnavailableError("the outcome is not known"), 1, /*is_recorded=*/true);
  Recorder recorder(options_, thread_);
  Add(recorder, 0, 4);
  EXPECT_THAT(Answers(1), ElementsAre(std::pair(0, absl::StatusCode::kOk)));
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 4}));
}

TEST_F(RecorderTest, AShardIsATransactionOfItsOwn) {
  Recorder recorder(options_, thread_);
  std::latch held(1);
  thread_.Post([&](Store&) { held.wait(); });
  Add(recorder, 0, 2);
  Add(recorder, 2, 4, SampleShard("a", 2, 4));
  Add(recorder, 4, 6, SampleShard("b", 4, 6));
  Add(recorder, 6, 7);
  Add(recorder, 7, 8);
  held.count_down();
  EXPECT_EQ(Answers(5).size(), 5u);
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 8}));
  EXPECT_THAT(Shards(), ElementsAre(SampleShard("a", 2, 4), SampleShard("b", 4, 6)));
  EXPECT_EQ(store_->commits(), 4);
}

TEST_F(RecorderTest, AShardCommitWithUnknownOutcomeIsRepeated) {
  store_->Fail(absl::UnavailableError("the outcome is not known"), 2, /*is_recorded=*/true);
  Recorder recorder(options_, thread_);
  Add(recorder, 0, 4, SampleShard("a", 0, 4));
  EXPECT_THAT(Answers(1), ElementsAre(std::pair(0, absl::StatusCode::kOk)));
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 4}));
  EXPECT_THAT(Shards(), ElementsAre(SampleShard("a", 0, 4)));
}

TEST_F(RecorderTest, ALateShardIsNotAFaultOfTheStore) {
  Recorder recorder(options_, thread_);
  Add(recorder, 0, 4, SampleShard("a", 0, 4));
  Add(recorder, 2, 6, SampleShard("b", 2, 6));
  EXPECT_THAT(Answers(2), ElementsAre(std::pair(0, absl::StatusCode::kOk),
                                      std::pair(2, absl::StatusCode::kAlreadyExists)));
  EXPECT_TRUE(recorder.status().ok());
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 4}));
}

TEST_F(RecorderTest, ReportsGamesThatCanNeverBeRecorded) {
  store_->Fail(absl::InvalidArgumentError("not of this tournament"), 1);
  Recorder recorder(options_, thread_);
  Add(recorder, 0, 4);
  EXPECT_THAT(Answers(1), ElementsAre(std::pair(0, absl::StatusCode::kInvalidArgument)));
  EXPECT_TRUE(recorder.status().ok()) << "the store works";
  Add(recorder, 4, 6);
  EXPECT_EQ(Answers(2)[1].second, absl::StatusCode::kOk);
}

TEST_F(RecorderTest, ReportsWhyTheStoreIsAway) {
  store_->Fail(absl::UnavailableError("away"), 1'000'000);
  Recorder recorder(options_, thread_);
  EXPECT_TRUE(recorder.status().ok());
  Add(recorder, 0, 4);
  while (recorder.status().ok()) {
  }
  EXPECT_EQ(recorder.status().message(), "away");
  store_->Fail(absl::OkStatus(), 0);
  Answers(1);
  EXPECT_TRUE(recorder.status().ok());
}

TEST_F(RecorderTest, StoresDigestsBeforeTheGames) {
  store_->Fail(absl::UnavailableError("away"), 1);
  Recorder recorder(options_, thread_);
  const std::vector<std::string> digests = {"a", "", "c", "d"};
  std::latch done(1);
  recorder.Add({.tournament = id_,
                .games = SampleRecords(0, 1),
                .bot_digests = digests,
                .done = [&](const absl::Status& status, const std::vector<GameRecord>&) {
                  EXPECT_TRUE(status.ok());
                  done.count_down();
                }});
  done.wait();
  thread_.Run([&](Store& store) { EXPECT_EQ(store.Tournament(id_).value().bot_digests, digests); });
}

TEST_F(RecorderTest, EndingCancelsTheRest) {
  store_->Fail(absl::UnavailableError("away"), 1'000'000);
  Recorder recorder(options_, thread_);
  Add(recorder, 0, 4);
  recorder.End();
  EXPECT_THAT(Answers(1), ElementsAre(std::pair(0, absl::StatusCode::kCancelled)));
  Add(recorder, 4, 6);
  EXPECT_EQ(Answers(2)[1].second, absl::StatusCode::kCancelled);
  EXPECT_THAT(Recorded(), ElementsAre());
}

}  // namespace
}  // namespace triarch
