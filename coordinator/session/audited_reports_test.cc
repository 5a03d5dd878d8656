#include "coordinator/session/audited_reports.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/session/coordinator_session.h"
#include "core/schedule/test_pairing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

using Next = ReportStep::Next;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kAudited = 7;
constexpr int64_t kGames = 4;

CoordinatorSession::Time TimeAt(double seconds) {
  return CoordinatorSession::Time(std::chrono::hours(10)) +
         std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::duration<double>(seconds));
}

// A tournament of four games, the operator's own worker "own" and workers of strangers.
class AuditedReportsTest : public testing::Test {
 protected:
  AuditedReportsTest() { Start({}); }

  static CoordinatorSession::Options Options() {
    CoordinatorSession::Options options;
    options.build = "build 1";
    options.audit_secret = "secret";
    options.replay_bytes_max = 1;  // one report at a time
    return options;
  }
  void Start(const std::vector<StoredReport>& held) {
    session_.emplace(Options(), ++epoch_);
    StoredTournament stored;
    stored.id = kAudited;
    stored.spec = SampleSpec();
    stored.spec.games = kGames;
    session_->AddTournament(std::move(stored), RangeSet(), {});
    session_->RestoreAudits(held, {});
    Register("own", {.name = "operator"});
  }
  void Register(const std::string& name, const WorkerOwner& owner) {
    WorkerInfo worker{
        .id = {name, 1}, .slots = 4, .games = {"triumvirate"}, .bots = {}, .build = "1"};
    for (const BotSpec& bot : SampleSpec().bots) {
      worker.bots.push_back({.type = bot.bot, .digest = "build 1"});
    }
    ASSERT_TRUE(session_->Register(worker, Now(), owner).ok());
  }
  CoordinatorSession::Time Now() { return TimeAt(++seconds_); }
  std::optional<Lease> RequestLease(const std::string& name) {
    return session_->RequestLease({name, 1}, Now())->lease;
  }
  // Takes a report until the store has it. Returns what the store holds.
  StoredReport Hold(const std::string& name, const Lease& lease) {
    PendingReport pending;
    pending.report = {.worker = {name, 1},
                      .token = lease.token,
                      .games = SampleRecords(lease.games.first, lease.games.last)};
    EXPECT_EQ(session_->Accept(pending, Now()).next, Next::kReplay);
    EXPECT_EQ(session_->OnReplayed(pending, absl::OkStatus(), Now()).next, Next::kRecord);
    EXPECT_TRUE(pending.held.has_value());
    const ReportStep step =
        session_->OnRecorded(pending, absl::OkStatus(), pending.report.games, Now());
    EXPECT_EQ(step.answer->outcome, ReportOutcome::kRecorded);
    return pending.held.value_or(StoredReport());
  }
  // Plays all audits that the worker gets. Returns how many.
  int64_t Audit(const std::string& name, const std::string& played) {
    int64_t audits = 0;
    for (int i = 0; i < 50; ++i) {
      session_->Tick(Now());
      const std::optional<Lease> lease = RequestLease(name);
      if (!lease || session_->book().Leases().at(lease->token).audit == 0) continue;
      PendingReport pending;
      pending.report = {.worker = {name, 1},
                        .token = lease->token,
                        .games = SampleRecords(lease->games.first, lease->games.last)};
      EXPECT_EQ(session_->Accept(pending, Now()).next, Next::kReplay);
      EXPECT_EQ(session_->OnReplayed(pending, absl::OkStatus(), Now()).next, Next::kCompare);
      EXPECT_NE(pending.audited, 0);
      session_->OnCompared(pending, absl::OkStatus(), "as reported", played, Now());
      ++audits;
    }
    return audits;
  }
  // Records the reports whose games count. Returns their ids.
  std::vector<int64_t> Confirm() {
    session_->Tick(Now());
    const std::vector<int64_t> ids = session_->TakeConfirmed();
    for (const int64_t id : ids) {
      PendingReport pending;
      pending.confirms = id;
      pending.report.games = SampleRecords(0, kGames);
      EXPECT_EQ(session_->AcceptConfirmed(pending).next, Next::kReplay);
      EXPECT_EQ(session_->OnReplayed(pending, absl::OkStatus(), Now()).next, Next::kRecord);
      EXPECT_FALSE(pending.held.has_value());
      checks_.clear();
      for (const GameRecord& game : pending.report.games) checks_.push_back(game.check);
      session_->OnRecorded(pending, absl::OkStatus(), pending.report.games, Now());
    }
    return ids;
  }
  // Returns "open/leased/held/done".
  std::string Counts() const {
    const TournamentCounts counts = session_->Counts().at(0);
    return absl::StrFormat("%d/%d/%d/%d", counts.open, counts.leased, counts.held, counts.done);
  }

  uint64_t epoch_ = 0;
  double seconds_ = 0;
  std::vector<GameCheck> checks_;  // of the games confirmed last
  std::optional<CoordinatorSession> session_;
};

TEST_F(AuditedReportsTest, GamesCountWhenAuditsConfirmThem) {
  Register("w", {.name = "alice", .audits = 3});
  const StoredReport held = Hold("w", *RequestLease("w"));
  EXPECT_THAT(held.games, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(Counts(), "0/0/4/0");
  EXPECT_EQ(session_->Status(kAudited, Now())->leaderboard.size(), SampleSpec().bots.size());
  EXPECT_THAT(Confirm(), IsEmpty());
  EXPECT_GE(Audit("own", "as reported"), 3);
  EXPECT_THAT(Confirm(), ElementsAre(held.id));
  EXPECT_EQ(Counts(), "0/0/0/4");
  EXPECT_EQ(session_->Status(kAudited, Now())->state, TournamentState::kDone);
  const AuditNotes notes = session_->TakeAuditNotes();
  EXPECT_EQ(std::count(checks_.begin(), checks_.end(), GameCheck::kAudited),
            std::ssize(notes.audits));
  EXPECT_EQ(std::count(checks_.begin(), checks_.end(), GameCheck::kConfirmed),
            kGames - std::ssize(notes.audits));
  EXPECT_THAT(notes.dropped, ElementsAre(held.id));
  ASSERT_GE(notes.audits.size(), 3u);
  EXPECT_EQ(notes.audits[0].worker, "w");
  EXPECT_EQ(notes.audits[0].owner, "alice");
  EXPECT_EQ(notes.audits[0].auditor, "own");
  EXPECT_EQ(notes.audits[0].outcome, "passed");
}

TEST_F(AuditedReportsTest, ConfirmedReportsWaitLikeOthers) {
  Register("w", {.name = "alice", .audits = 3});
  const StoredReport held = Hold("w", *RequestLease("w"));
  EXPECT_GE(Audit("own", "as reported"), 3);
  session_->Tick(Now());
  EXPECT_THAT(session_->TakeConfirmed(), ElementsAre(held.id));
  EXPECT_FALSE(session_->Postpone(held.id));
  PendingReport pending;
  pending.confirms = held.id;
  pending.report.games = SampleRecords(0, kGames);
  EXPECT_EQ(session_->AcceptConfirmed(pending).next, Next::kReplay);
  EXPECT_TRUE(session_->Postpone(held.id)) << "one report is being replayed";
  EXPECT_THAT(session_->TakeConfirmed(), ElementsAre(held.id));
}

TEST_F(AuditedReportsTest, AForgerLosesItsGamesAndItsPlace) {
  Register("forger", {.name = "mallory", .audits = 3});
  const StoredReport held = Hold("forger", *RequestLease("forger"));
  EXPECT_GE(Audit("own", "something else"), 1);
  EXPECT_THAT(Confirm(), IsEmpty());
  EXPECT_TRUE(absl::IsPermissionDenied(session_->RequestLease({"forger", 1}, Now()).status()));
  EXPECT_EQ(Counts(), "0/0/4/0") << "until the store has dropped the report";
  AuditNotes notes = session_->TakeAuditNotes();
  EXPECT_THAT(notes.dropped, ElementsAre(held.id));
  EXPECT_EQ(notes.audits.back().outcome, "lied");
  session_->OnAuditNotesSaved(std::move(notes), absl::OkStatus());
  EXPECT_EQ(Counts(), "4/0/0/0");
  const StoreNotes stored = session_->TakeNotes(Now());
  ASSERT_FALSE(stored.workers.empty());
  EXPECT_THAT(stored.workers.back().quarantine, HasSubstr("differs from what others play"));
}

TEST_F(AuditedReportsTest, AuditsDrawnForAQuarantinedWorkerAreDrawnAgainAtOnce) {
  session_->Release({"own", 1}, {}, "", /*leaves=*/true, Now());
  Register("w", {.name = "alice", .audits = 3});
  Hold("w", *RequestLease("w"));
  Register("forger", {.name = "mallory", .audits = 3});
  RequestLease("forger");
  session_->Tick(Now());
  ASSERT_TRUE(session_->Evict("forger", "a liar", Now()).ok());
  session_->Tick(Now());
  Register("own", {.name = "operator"});
  RequestLease("own");
  session_->Tick(Now());
  const std::optional<Lease> lease = RequestLease("own");
  ASSERT_TRUE(lease.has_value());
  EXPECT_NE(session_->book().Leases().at(lease->token).audit, 0);
}

TEST_F(AuditedReportsTest, OwnWorkersAndTimeLimitsAreNotAudited) {
  const Lease lease = *RequestLease("own");
  PendingReport pending;
  pending.report = {.worker = {"own", 1},
                    .token = lease.token,
                    .games = SampleRecords(lease.games.first, lease.games.last)};
  EXPECT_EQ(session_->Accept(pending, Now()).next, Next::kReplay);
  EXPECT_EQ(session_->OnReplayed(pending, absl::OkStatus(), Now()).next, Next::kRecord);
  EXPECT_FALSE(pending.held.has_value());
}

TEST_F(AuditedReportsTest, ANewCoordinatorTakesOverWhatIsHeld) {
  Register("w", {.name = "alice", .audits = 3});
  const StoredReport held = Hold("w", *RequestLease("w"));
  Start({held});
  EXPECT_EQ(Counts(), "0/0/4/0");
  EXPECT_GE(Audit("own", "as reported"), 3);
  EXPECT_THAT(Confirm(), ElementsAre(held.id));
  EXPECT_EQ(Counts(), "0/0/0/4");
}

TEST_F(AuditedReportsTest, CancellingDropsWhatIsHeld) {
  Register("w", {.name = "alice", .audits = 3});
  const StoredReport held = Hold("w", *RequestLease("w"));
  ASSERT_TRUE(session_->SetState(kAudited, TournamentState::kCancelled, Now()).ok());
  EXPECT_EQ(Audit("own", "as reported"), 0);
  EXPECT_THAT(session_->TakeAuditNotes().dropped, ElementsAre(held.id));
  EXPECT_EQ(session_->Counts().at(0).held, 0);
}

TEST_F(AuditedReportsTest, AWorkerThatHasNotRegisteredAgainReportsLater) {
  Register("w", {.name = "alice", .audits = 3});
  const Lease lease = *RequestLease("w");
  const StoredLease stored{.worker = {"w", 1}, .lease = lease, .ended = ""};
  StoredTournament tournament;
  tournament.id = kAudited;
  tournament.spec = SampleSpec();
  session_.emplace(Options(), 9);
  session_->AddTournament(std::move(tournament), RangeSet({{50, 51}}), {});
  session_->Restore({stored}, {}, Now());
  PendingReport pending;
  pending.report = {.worker = {"w", 1}, .token = lease.token, .games = SampleRecords(0, 2)};
  const ReportStep step = session_->Accept(pending, Now());
  EXPECT_EQ(step.answer->outcome, ReportOutcome::kRetry);
}

}  // namespace
}  // namespace triarch
