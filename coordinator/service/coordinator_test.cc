#include "coordinator/service/coordinator.h"

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/temporary_folder.h"
#include "core/record/played_game.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A coordinator with a real database and a worker with made-up reports. Replaying rejects them,
// unless the coordinator trusts its worker.
class CoordinatorTest : public ::testing::Test {
 protected:
  void Start(bool is_local) {
    Coordinator::Options options;
    options.session.is_local = is_local;
    options.session.build = "build 1";
    options.session.leases.games_first = 10;
    options.session.leases.rejections_max = 1;
    options.live = &live_;
    coordinator_.reset();
    std::unique_ptr<Store> store = OpenSqliteStore(path_, OpenMode::kCreate).value();
    epoch_ = store->TryLead().value().value();
    coordinator_ = Coordinator::Start(
                       options, epoch_, std::move(store),
                       [this] { return OpenSqliteStore(path_, OpenMode::kReadOnly); }, &metrics_)
                       .value();
  }
  void Submit(int64_t games) {
    TournamentSpec spec = SampleSpec();
    spec.games = games;
    id_ = coordinator_->Submit(spec, "the file").value();
  }
  absl::Status Register(const std::string& build = "1") {
    WorkerInfo worker{.id = worker_, .slots = 1, .games = {"triumvirate"}, .bots = {}, .build = ""};
    for (const BotSpec& bot : SampleSpec().bots) {
      worker.bots.push_back({.type = bot.bot, .digest = "build " + build});
    }
    return coordinator_->Register(worker);
  }
  std::optional<Lease> RequestLease() {
    const absl::StatusOr<LeaseReply> reply = coordinator_->RequestLease(worker_);
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? reply->lease : std::nullopt;
  }
  std::future<absl::StatusOr<ReportReply>> Send(uint64_t token, int64_t first, int64_t last) {
    auto promise = std::make_shared<std::promise<absl::StatusOr<ReportReply>>>();
    coordinator_->Report(
        {.worker = worker_, .token = token, .games = SampleRecords(first, last)},
        [promise](const absl::StatusOr<ReportReply>& reply) { promise->set_value(reply); });
    return promise->get_future();
  }
  ReportReply Report(uint64_t token, int64_t first, int64_t last) {
    return Send(token, first, last).get().value();
  }
  TournamentStatus Status() const { return coordinator_->Tournament(id_).value(); }
  std::vector<Range> Recorded() {
    std::vector<Range> recorded;
    coordinator_->Read([&](Store& store) { recorded = store.Recorded(id_).value(); });
    return recorded;
  }
  // Waits for data that is saved asynchronously.
  void WaitFor(const std::function<bool(Store&)>& is_so) {
    for (bool is_there = false; !is_there;) {
      coordinator_->Read([&](Store& store) { is_there = is_so(store); });
    }
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "games.db";
  CoordinatorMetrics metrics_;
  LiveGames live_;
  std::unique_ptr<Coordinator> coordinator_;
  uint64_t epoch_ = 0;
  WorkerId worker_{.name = "w", .instance = 1};
  int64_t id_ = 0;
};

TEST_F(CoordinatorTest, RecordsReportedGames) {
  Start(true);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const Lease lease = RequestLease().value();
  ASSERT_EQ(lease.games, (Range{0, 10}));
  EXPECT_EQ(Report(lease.token, 0, 6).outcome, ReportOutcome::kRecorded);
  EXPECT_EQ(Report(lease.token, 4, 8).outcome, ReportOutcome::kRecorded)
      << "some of the games again";
  EXPECT_THAT(Recorded(), ElementsAre(Range{0, 8}));
  const TournamentStatus status = Status();
  EXPECT_EQ(status.state, TournamentState::kActive);
  EXPECT_EQ(status.open, 10);
  EXPECT_EQ(status.leased, 2);
  EXPECT_EQ(status.done, 8);
  double points = 0;
  for (const Leaderboard::Row& row : status.leaderboard) points += row.points;
  EXPECT_EQ(points, 8 * 1.5);
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_reports_total{outcome=\"recorded\"} 2\n"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_duplicate_games_total 2\n"));
}

// ---- Games in progress.

// Reports a game with so many legal moves, waits until it is replayed, and returns whether the
// worker is to go on.
class LiveCoordinatorTest : public CoordinatorTest {
 protected:
  HeartbeatReply Beat(uint64_t token, int64_t index, int plies, const std::string& last = "") {
    const GameSpec spec = Schedule::Make(SampleSpec()).value().Game(index);
    PlayedGame game = PlayedGame::Begin(spec).value();
    EXPECT_TRUE(game.PlayOpening(spec.opening).ok());
    for (int i = 0; i < plies; ++i) game.Play(game.state().LegalMoves(), 0, std::nullopt);
    LiveReport report{.token = token, .game = {}};
    report.game.index = index;
    report.game.events = game.record().events;
    if (!last.empty()) report.game.events.back().move = last;
    HeartbeatRequest request{.worker = worker_, .leases = {{.token = token}}, .live = {}};
    request.live.push_back(std::move(report));
    HeartbeatReply reply = coordinator_->Heartbeat(request).value();
    std::promise<void> done;
    coordinator_->PostView([&] { done.set_value(); });
    done.get_future().wait();
    return reply;
  }
  std::vector<int64_t> Shown() {
    std::vector<int64_t> indices;
    for (const auto& game : live_.Watch(std::chrono::steady_clock::now())) {
      indices.push_back(game->record.index);
    }
    return indices;
  }
  // Waits for the coordinator's clock.
  void ExpectNone() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(4);
    while (!Shown().empty() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_THAT(Shown(), IsEmpty()) << "long before they are silent";
  }
};

TEST_F(LiveCoordinatorTest, ShowsGamesOnlyWhileSomeoneWatches) {
  Start(false);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const uint64_t token = RequestLease().value().token;
  HeartbeatReply reply = Beat(token, 3, 5);
  EXPECT_FALSE(reply.is_watched);
  EXPECT_EQ(reply.next, coordinator_->rules().heartbeat);
  EXPECT_THAT(Shown(), IsEmpty()) << "it was sent unasked; but from now on someone watches";
  reply = Beat(token, 3, 5);
  EXPECT_TRUE(reply.is_watched);
  EXPECT_EQ(reply.next, LiveGames::kInterval);
  EXPECT_THAT(Shown(), ElementsAre(3));
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_live_reports_total{result=\"ok\"} 1\n"));
}

TEST_F(LiveCoordinatorTest, IgnoresGamesThatTheWorkerMayNotPlay) {
  Start(false);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const Lease lease = RequestLease().value();
  Shown();
  Beat(lease.token, lease.games.last, 5);
  Beat(lease.token + 1, 3, 5);
  EXPECT_THAT(Shown(), IsEmpty());
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_live_reports_total{result=\"error\"} 0\n"));
  Beat(lease.token, 3, 5, "A1-A9");
  EXPECT_THAT(Shown(), IsEmpty());
  EXPECT_THAT(metrics_.Text(), HasSubstr("triarch_live_reports_total{result=\"error\"} 1\n"));
}

TEST_F(LiveCoordinatorTest, DropsGamesWhoseLeaseEnds) {
  Start(false);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const uint64_t token = RequestLease().value().token;
  Shown();
  Beat(token, 3, 5);
  EXPECT_THAT(Shown(), ElementsAre(3));
  coordinator_->Release(worker_, {token}, "", false);
  ExpectNone();
}

TEST_F(LiveCoordinatorTest, DropsRecordedGames) {
  Start(true);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const uint64_t token = RequestLease().value().token;
  Shown();
  Beat(token, 3, 5);
  EXPECT_THAT(Shown(), ElementsAre(3));
  EXPECT_EQ(Report(token, 3, 4).outcome, ReportOutcome::kRecorded);
  ExpectNone();
  Beat(token, 4, 5);
  EXPECT_THAT(Shown(), ElementsAre(4)) << "the lease goes on";
  coordinator_->Stop();
  EXPECT_THAT(Shown(), IsEmpty());
}

TEST_F(CoordinatorTest, RefusesMoreBotsThanItCanRate) {
  Start(true);
  TournamentSpec spec = SampleSpec();
  while (spec.bots.size() <= 1000) {
    BotSpec& bot = spec.bots.emplace_back(spec.bots.front());
    bot.name = "copy " + std::to_string(spec.bots.size());
  }
  const absl::Status refused = coordinator_->Submit(spec, "the file").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("at most 1000 bots are rated"));
  EXPECT_THAT(coordinator_->Tournaments(), IsEmpty());
  spec.bots.pop_back();
  EXPECT_TRUE(coordinator_->Submit(spec, "the file").ok());
}

TEST_F(CoordinatorTest, TheLastGameCompletesTheTournament) {
  Start(true);
  Submit(12);
  ASSERT_TRUE(Register().ok());
  while (const std::optional<Lease> lease = RequestLease()) {
    EXPECT_EQ(Report(lease->token, lease->games.first, lease->games.last).outcome,
              ReportOutcome::kRecorded);
  }
  EXPECT_EQ(Status().state, TournamentState::kDone);
  EXPECT_EQ(coordinator_->SetState(id_, TournamentState::kPaused).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CoordinatorTest, RejectsAFalseGameAndQuarantinesItsWorker) {
  Start(false);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const Lease lease = RequestLease().value();
  const ReportReply reply = Report(lease.token, 0, 6);
  EXPECT_EQ(reply.outcome, ReportOutcome::kRejected);
  EXPECT_TRUE(reply.is_cancelled);
  EXPECT_THAT(reply.why, HasSubstr("game 1: "));
  EXPECT_THAT(Recorded(), IsEmpty());
  EXPECT_EQ(Register().code(), absl::StatusCode::kPermissionDenied);
  WaitFor([](Store& store) {
    const std::vector<StoredWorker> workers = store.Workers().value();
    return !workers.empty() && !workers[0].quarantine.empty();
  });
  Start(false);
  EXPECT_EQ(Register().code(), absl::StatusCode::kPermissionDenied) << "the next one knows";
}

TEST_F(CoordinatorTest, ALeaseOfAnotherWorkerIsStale) {
  Start(true);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  const Lease lease = RequestLease().value();
  const ReportReply reply = Report(lease.token + 1, 0, 6);
  EXPECT_EQ(reply.outcome, ReportOutcome::kStale);
  EXPECT_TRUE(reply.is_cancelled);
  EXPECT_EQ(Send(lease.token, 8, 12).get().status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(CoordinatorTest, TheNextCoordinatorContinues) {
  Start(true);
  Submit(20);
  ASSERT_TRUE(Register("1").ok());
  EXPECT_EQ(Report(RequestLease().value().token, 0, 6).outcome, ReportOutcome::kRecorded);
  const uint64_t epoch = epoch_;
  const auto before = Status().leaderboard;
  Start(true);
  EXPECT_GT(epoch_, epoch);
  EXPECT_EQ(Status().done, 6);
  EXPECT_EQ(Status().open, 14);
  coordinator_->Read([](Store&) {});  // the earlier games are counted
  ASSERT_EQ(Status().leaderboard.size(), before.size());
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(Status().leaderboard[i].bot, before[i].bot);
    EXPECT_EQ(Status().leaderboard[i].points, before[i].points);
  }
  ASSERT_TRUE(Register("2").ok());
  EXPECT_FALSE(RequestLease().has_value()) << "its bots are another build";
}

TEST_F(CoordinatorTest, AWorkersLeaseOutlivesTheCoordinator) {
  Start(false);
  Submit(20);
  coordinator_.reset();
  {  // without a recorded game, the lease would end
    std::unique_ptr<Store> store = OpenSqliteStore(path_, OpenMode::kExisting).value();
    ASSERT_TRUE(store->Record(id_, SampleRecords(19, 20)).ok());
  }
  Start(false);
  ASSERT_TRUE(Register().ok());
  const Lease lease = RequestLease().value();
  WaitFor([](Store& store) { return !store.LiveLeases().value().empty(); });
  Start(false);
  ASSERT_TRUE(Register().ok());
  HeartbeatRequest heartbeat;
  heartbeat.worker = worker_;
  heartbeat.leases = {{.token = lease.token}, {.token = lease.token + 1}};
  EXPECT_THAT(coordinator_->Heartbeat(heartbeat).value().cancelled, ElementsAre(lease.token + 1));
}

TEST_F(CoordinatorTest, StoppingAnswersEveryReport) {
  Start(true);
  Submit(1'000);
  ASSERT_TRUE(Register().ok());
  const Lease lease = RequestLease().value();
  std::vector<std::future<absl::StatusOr<ReportReply>>> answers;
  for (int64_t i = 0; i < 10; ++i) answers.push_back(Send(lease.token, i, i + 1));
  coordinator_->Stop();
  int64_t recorded = 0;
  for (auto& answer : answers) {
    const absl::StatusOr<ReportReply> reply = answer.get();
    ASSERT_TRUE(reply.ok());
    EXPECT_THAT(reply->outcome, testing::AnyOf(ReportOutcome::kRecorded, ReportOutcome::kRetry));
    recorded += reply->outcome == ReportOutcome::kRecorded ? 1 : 0;
  }
  EXPECT_EQ(RangeSet(Recorded()).size(), recorded);
  EXPECT_EQ(Send(lease.token, 0, 1).get().status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(coordinator_->RequestLease(worker_).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(coordinator_->status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(CoordinatorTest, APausedTournamentLeasesNothing) {
  Start(true);
  Submit(20);
  ASSERT_TRUE(Register().ok());
  ASSERT_TRUE(coordinator_->SetState(id_, TournamentState::kPaused).ok());
  EXPECT_FALSE(RequestLease().has_value());
  ASSERT_TRUE(coordinator_->SetState(id_, TournamentState::kActive).ok());
  const Lease lease = RequestLease().value();
  ASSERT_TRUE(coordinator_->SetState(id_, TournamentState::kCancelled).ok());
  EXPECT_EQ(Report(lease.token, 0, 6).outcome, ReportOutcome::kStale);
  EXPECT_EQ(coordinator_->SetState(99, TournamentState::kPaused).code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(coordinator_->Tournament(99).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace triarch
