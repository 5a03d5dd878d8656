#include "worker/session/worker_session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using Time = WorkerSession::Time;

Time At(int64_t ms) { return Time(std::chrono::hours(1)) + milliseconds(ms); }

// Prints actions as text.
struct Printer {
  std::string operator()(const session::Register& one) const {
    return absl::StrCat("register@", one.address);
  }
  std::string operator()(const session::RequestLease& one) const {
    return absl::StrCat("lease@", one.address, "(", absl::StrJoin(one.known_tournaments, ","), ")");
  }
  std::string operator()(const session::SendHeartbeat& one) const {
    const auto token = [](std::string* out, const LeaseProgress& lease) {
      absl::StrAppend(out, lease.token);
    };
    return absl::StrCat("heartbeat@", one.address, "(",
                        absl::StrJoin(one.heartbeat.leases, ",", token), ")");
  }
  std::string operator()(const session::SendReport& one) const {
    return absl::StrCat("report@", one.address, "(", one.report->token, ":",
                        one.report->games.size(), one.report->shard ? "+shard" : "", ")");
  }
  std::string operator()(const session::FetchBundle& one) const {
    return absl::StrCat("fetch@", one.address, "(", one.digest, " from ", one.offset, ")");
  }
  std::string operator()(const session::RefuseLease& one) const {
    return absl::StrCat("refuse@", one.address, "(", one.token, ": ", one.why, ")");
  }
  std::string operator()(const session::Leave& one) const {
    return absl::StrCat("leave@", one.address);
  }
  std::string operator()(const session::CheckNeeds& one) const {
    const auto digest = [](std::string* out, const NeededBundle& bundle) { *out += bundle.digest; };
    return absl::StrCat("check(", absl::StrJoin(one.bundles, ",", digest), one.data, ")");
  }
  std::string operator()(const session::StoreBundle& one) const {
    return absl::StrCat("store(", one.digest, "=", one.tar, " keep ", absl::StrJoin(one.keep, ","),
                        ")");
  }
  std::string operator()(const session::MakeShard& one) const {
    return absl::StrCat("shard(", one.tournament, ":", one.report->games.size(), ")");
  }
  std::string operator()(const session::AbandonGames& one) const {
    return one.token ? absl::StrCat("abandon(", *one.token, ")") : "abandon(all)";
  }
  std::string operator()(const session::Log& one) const {
    std::string text(one.entry.message);
    for (const LogField& field : one.entry.fields) {
      if (field.name == "why") absl::StrAppend(&text, " ", std::get<std::string>(field.value));
    }
    return absl::StrCat("\"", text, "\"");
  }
};

class WorkerSessionTest : public testing::Test {
 protected:
  WorkerSessionTest() {
    options_.worker = {.id = {"w", 1}, .slots = 2, .games = {"g"}, .bots = {}, .build = ""};
    Make();
  }
  void Make() { session_ = std::make_unique<WorkerSession>(options_, nullptr); }

  // Returns all actions that the session requests now.
  std::string Act(int64_t ms) {
    std::vector<std::string> texts;
    while (const auto action = session_->Next(At(ms))) {
      texts.push_back(std::visit(Printer(), *action));
    }
    return absl::StrJoin(texts, " ");
  }
  // Returns when the session wants to be called again, in milliseconds.
  int64_t NextMs(int64_t ms) {
    return std::chrono::duration_cast<milliseconds>(session_->NextTime(At(ms)) - At(0)).count();
  }
  // Registers at time 0; the first heartbeat and lease request are pending.
  void Register() {
    ASSERT_EQ(Act(0), "register@0");
    session_->OnRegistered(absl::OkStatus(), At(0));
    ASSERT_EQ(Act(0), "\"A coordinator answers.\" heartbeat@0() lease@0()");
  }
  void Heartbeat(int64_t ms, std::vector<uint64_t> cancelled = {}, int64_t slow_ms = 0) {
    session_->OnHeartbeat(HeartbeatReply{.cancelled = std::move(cancelled),
                                         .next = milliseconds(5'000),
                                         .slow = milliseconds(slow_ms)},
                          At(ms));
  }
  static LeaseArrival Arrival(uint64_t token, int64_t games, PlayNeeds needs = {}) {
    LeaseArrival arrival;
    arrival.reply.lease =
        Lease{.tournament = 7, .games = {0, games}, .token = token, .ttl = milliseconds(30'000)};
    arrival.needs = std::move(needs);
    return arrival;
  }
  void GiveLease(uint64_t token, int64_t games, int64_t ms, PlayNeeds needs = {}) {
    session_->OnLease(Arrival(token, games, std::move(needs)), At(ms));
  }
  void Play(int64_t games, int64_t ms) {
    for (int64_t i = 0; i < games; ++i) {
      const auto game = session_->NextGame();
      ASSERT_TRUE(game.has_value());
      GameRecord record;
      record.index = game->index;
      record.plies = 84;
      session_->OnGameEnd(*game, std::move(record), At(ms));
    }
  }
  void Reply(ReportOutcome outcome, int64_t ms) {
    ReportReply reply;
    reply.outcome = outcome;
    session_->OnReport(reply, At(ms));
  }

  WorkerSession::Options options_;
  std::unique_ptr<WorkerSession> session_;
};

TEST_F(WorkerSessionTest, RegistersPlaysAndReports) {
  Register();
  EXPECT_TRUE(session_->is_connected());
  EXPECT_EQ(session_->NextTime(At(0)), Time::max()) << "everything is under way";
  GiveLease(9, 2, 10);
  Heartbeat(10);
  EXPECT_EQ(Act(10), "") << "two games are enough for two slots";
  EXPECT_EQ(NextMs(10), 5'010);
  Play(2, 100);
  EXPECT_EQ(Act(100), "lease@0(7) report@0(9:2)");
  Reply(ReportOutcome::kRecorded, 200);
  EXPECT_EQ(session_->queue().games_recorded(), 2);
  session_->OnLease(LeaseArrival{.reply = {.lease = {}, .retry = milliseconds(500)}, .needs = {}},
                    At(200));
  EXPECT_EQ(Act(200), "");
  EXPECT_EQ(NextMs(200), 700);
  EXPECT_EQ(Act(700), "lease@0(7)");
  EXPECT_EQ(Act(5'010), "heartbeat@0()");
}

// The effect of each error, by the call that returned it.
TEST_F(WorkerSessionTest, ReactsToEachError) {
  struct Row {
    absl::Status status;
    bool is_registered;
    size_t address;  // coordinator of the next call
    bool is_ok;
  };
  const std::vector<Row> rows = {
      {absl::UnavailableError("down"), true, 1, true},
      {absl::DeadlineExceededError("slow"), true, 1, true},
      {absl::NotFoundError("who?"), false, 0, true},
      {absl::ResourceExhaustedError("later"), true, 0, true},
      {absl::InternalError("bug"), true, 0, true},
      {absl::PermissionDeniedError("quarantined"), true, 0, false},
      {absl::UnauthenticatedError("token"), true, 0, false},
  };
  options_.addresses = 2;
  for (const Row& row : rows) {
    Make();
    Register();
    session_->OnHeartbeat(row.status, At(0));
    EXPECT_EQ(session_->is_registered(), row.is_registered) << row.status;
    EXPECT_FALSE(session_->is_connected()) << row.status;
    EXPECT_EQ(session_->status().ok(), row.is_ok) << row.status;
    const std::string log =
        absl::StrCat("\"Calls to a coordinator fail. ", std::string(row.status.message()), "\"");
    if (!row.is_ok) {
      EXPECT_EQ(Act(1'000), "") << "it makes no more calls";
    } else if (row.is_registered) {
      EXPECT_EQ(Act(1'000), absl::StrCat(log, " heartbeat@", row.address, "()"));
    } else {
      EXPECT_EQ(Act(1'000), log + " register@0");
    }
  }
}

TEST_F(WorkerSessionTest, AWorkerOfAnotherVersionFails) {
  ASSERT_EQ(Act(0), "register@0");
  session_->OnRegistered(absl::FailedPreconditionError("protocol 1"), At(0));
  EXPECT_TRUE(absl::IsFailedPrecondition(session_->status()));
}

TEST_F(WorkerSessionTest, ConcurrentFailuresSwitchTheAddressOnce) {
  options_.addresses = 3;
  Make();
  Register();
  session_->OnHeartbeat(absl::UnavailableError("down"), At(0));
  session_->OnLease(absl::UnavailableError("down"), At(0));
  EXPECT_EQ(Act(1'000), "\"Calls to a coordinator fail. down\" heartbeat@1() lease@1()");
  session_->OnHeartbeat(absl::UnavailableError("down"), At(1'000));
  session_->OnLease(absl::UnavailableError("down"), At(1'000));
  EXPECT_EQ(Act(2'000), "heartbeat@2() lease@2()");
  session_->OnHeartbeat(absl::NotFoundError("who?"), At(2'000));
  EXPECT_EQ(Act(3'000), "\"Calls to a coordinator fail. who?\" register@2");
  session_->OnRegistered(absl::OkStatus(), At(3'000));
  EXPECT_EQ(Act(3'000), "\"A coordinator answers.\" heartbeat@2()");
}

TEST_F(WorkerSessionTest, SaysOnceWhatIsWrongAtEachAddress) {
  options_.addresses = 2;
  Make();
  Register();
  session_->OnHeartbeat(absl::UnavailableError("a is down"), At(0));
  EXPECT_EQ(Act(10'000), "\"Calls to a coordinator fail. a is down\" heartbeat@1()");
  session_->OnHeartbeat(absl::UnavailableError("b is down"), At(10'000));
  EXPECT_EQ(Act(20'000), "\"Calls to a coordinator fail. b is down\" heartbeat@0()");
  session_->OnHeartbeat(absl::UnavailableError("a is down"), At(20'000));
  EXPECT_EQ(Act(30'000), "heartbeat@1()");
}

TEST_F(WorkerSessionTest, WaitsLongerWithEachFailure) {
  int64_t now = 0;
  for (int64_t most = 100; most < 20'000; most *= 2) {
    ASSERT_NE(Act(now), "");
    session_->OnRegistered(absl::UnavailableError("down"), At(now));
    Act(now);  // log lines
    const int64_t wait = NextMs(now) - now;
    EXPECT_GE(wait, std::min<int64_t>(most, 5'000) / 2);
    EXPECT_LE(wait, std::min<int64_t>(most, 5'000));
    EXPECT_EQ(Act(now + wait - 1), "");
    now += wait;
  }
}

TEST_F(WorkerSessionTest, IsConnectedAgainAfterAHeartbeat) {
  Register();
  session_->OnHeartbeat(absl::UnavailableError("down"), At(0));
  EXPECT_EQ(Act(1'000), "\"Calls to a coordinator fail. down\" heartbeat@0()");
  Heartbeat(1'000);
  EXPECT_EQ(Act(1'000), "\"A coordinator answers.\"");
  EXPECT_TRUE(session_->is_connected());
}

TEST_F(WorkerSessionTest, RequestsSpecsAgainAfterRegisteringAgain) {
  Register();
  GiveLease(9, 1, 0);
  EXPECT_EQ(Act(0), "lease@0(7)");
  session_->OnHeartbeat(absl::NotFoundError("who?"), At(0));
  EXPECT_EQ(Act(1'000), "\"Calls to a coordinator fail. who?\" register@0");
  session_->OnRegistered(absl::OkStatus(), At(1'000));
  session_->OnLease(LeaseArrival(), At(1'000));
  EXPECT_EQ(Act(1'000), "\"A coordinator answers.\" heartbeat@0(9) lease@0()");
}

TEST_F(WorkerSessionTest, CancelsLeasesNamedByAHeartbeat) {
  Register();
  GiveLease(9, 100, 0);
  const auto game = session_->NextGame();
  Heartbeat(10, {9});
  EXPECT_EQ(Act(10), "abandon(9) lease@0(7)");
  EXPECT_TRUE(session_->queue().IsOver(*game));
}

TEST_F(WorkerSessionTest, ReportsNoFasterThanTheCoordinatorAllows) {
  Register();
  GiveLease(9, 100, 0);
  Heartbeat(0, {}, 3'000);
  Play(2, 100);
  EXPECT_EQ(Act(2'999), "");
  EXPECT_EQ(NextMs(2'000), 3'000);
  EXPECT_EQ(Act(3'000), "report@0(9:2)");
}

TEST_F(WorkerSessionTest, AnInvalidReportEndsItsLease) {
  Register();
  GiveLease(9, 100, 0);
  Play(2, 0);
  EXPECT_EQ(Act(1'000), "report@0(9:2)");
  EXPECT_EQ(session_->OnReport(absl::InvalidArgumentError("no such game"), At(1'000)),
            ReportOutcome::kRejected);
  EXPECT_EQ(Act(1'000), "\"A report was rejected. no such game\" abandon(9) lease@0(7)");
}

// ---- Leases that the worker cannot play.

TEST_F(WorkerSessionTest, RefusesALeaseOnceIfTwoSlotsCannotPlayIt) {
  Register();
  GiveLease(9, 100, 0);
  const auto one = session_->NextGame();
  const auto two = session_->NextGame();
  session_->OnGameRefused(*one, absl::NotFoundError("no python3"));
  session_->OnGameRefused(*two, absl::NotFoundError("no python3"));
  EXPECT_EQ(Act(0),
            "abandon(9) \"A tournament cannot be played here. no python3\" refuse@0(9: no python3) "
            "lease@0(7)");
  session_->OnRefused(absl::UnavailableError("down"), At(0));
  EXPECT_EQ(Act(60'000), "\"Calls to a coordinator fail. down\"") << "the lease expires by itself";
  EXPECT_TRUE(session_->status().ok());
}

TEST_F(WorkerSessionTest, FailsInsteadOfRefusingIfConfigured) {
  options_.gives_back = false;
  Make();
  Register();
  GiveLease(9, 100, 0);
  session_->OnGameRefused(*session_->NextGame(), absl::NotFoundError("no python3"));
  EXPECT_EQ(session_->status(), absl::NotFoundError("game 1: no python3"));
  EXPECT_EQ(session_->NextGame(), std::nullopt);
  EXPECT_EQ(Act(0), "abandon(9)");
}

TEST_F(WorkerSessionTest, RefusesATournamentWithAnInvalidSpec) {
  Register();
  LeaseArrival arrival = Arrival(9, 10);
  arrival.needs = absl::InvalidArgumentError("unknown game");
  session_->OnLease(arrival, At(0));
  EXPECT_EQ(
      Act(0),
      "\"A tournament cannot be played here. unknown game\" refuse@0(9: unknown game) lease@0()");
}

// ---- Bundles.

class WorkerSessionBundleTest : public WorkerSessionTest {
 protected:
  const std::vector<NeededBundle> only_b_ = {{"b", "bb"}};
  const std::vector<NeededBundle> both_ = {{"a", "aa"}, {"b", "bb"}};

  // A lease that needs two bundles has arrived, and the cache has been asked.
  void Begin() {
    Register();
    GiveLease(9, 100, 0, {.bundles = both_});
    Heartbeat(0);
    ASSERT_EQ(Act(0), "check(aa,bb)") << "and no further lease";
    ASSERT_EQ(session_->NextGame(), std::nullopt);
  }
};

TEST_F(WorkerSessionBundleTest, FetchesMissingBundlesInParts) {
  Begin();
  session_->OnNeedsChecked(only_b_, At(0));
  EXPECT_EQ(Act(0), "fetch@0(bb from 0)");
  session_->OnBundlePart(BundlePart{.size = 5, .bytes = "abc"}, At(10));
  EXPECT_EQ(Act(5'000), "heartbeat@0(9) fetch@0(bb from 3)") << "heartbeats keep the lease";
  session_->OnBundlePart(absl::UnavailableError("cut"), At(5'000));
  EXPECT_EQ(Act(5'000), "\"Calls to a coordinator fail. cut\"");
  EXPECT_EQ(Act(6'000), "fetch@0(bb from 3)") << "it continues where it stopped";
  session_->OnBundlePart(BundlePart{.size = 5, .bytes = "de"}, At(6'000));
  EXPECT_EQ(Act(6'000), "store(bb=abcde keep aa,bb)");
  session_->OnBundleStored(absl::OkStatus(), At(6'000));
  EXPECT_EQ(Act(6'000), "");
  EXPECT_TRUE(session_->NextGame().has_value());
}

TEST_F(WorkerSessionBundleTest, FetchesNoCachedBundle) {
  Begin();
  session_->OnNeedsChecked(std::vector<NeededBundle>(), At(0));
  EXPECT_EQ(Act(0), "");
  EXPECT_TRUE(session_->NextGame().has_value());
}

TEST_F(WorkerSessionBundleTest, RefusesTheLeaseOfABadBundle) {
  for (const bool is_stored : {false, true}) {
    Make();
    Begin();
    session_->OnNeedsChecked(only_b_, At(0));
    ASSERT_EQ(Act(0), "fetch@0(bb from 0)");
    std::string why = "no such bundle";
    if (is_stored) {
      session_->OnBundlePart(BundlePart{.size = 1, .bytes = "x"}, At(0));
      ASSERT_EQ(Act(0), "store(bb=x keep aa,bb)");
      why = "another digest";
      session_->OnBundleStored(absl::InvalidArgumentError(why), At(0));
    } else {
      session_->OnBundlePart(absl::NotFoundError(why), At(0));
    }
    EXPECT_EQ(Act(0), absl::StrCat("\"A tournament cannot be played here. bot b: its bundle: ", why,
                                   "\" refuse@0(9: bot b: its bundle: ", why, ") lease@0(7)"));
    EXPECT_TRUE(session_->is_registered());
  }
}

TEST_F(WorkerSessionBundleTest, RefusesWithoutACache) {
  options_.can_fetch_bundles = false;
  Make();
  Begin();
  session_->OnNeedsChecked(both_, At(0));
  EXPECT_EQ(Act(0),
            "\"A tournament cannot be played here. bot a: this worker fetches no bundles\" "
            "refuse@0(9: bot a: this worker "
            "fetches no bundles) lease@0(7)");
}

TEST_F(WorkerSessionBundleTest, StopsFetchingForACancelledLease) {
  Begin();
  session_->OnNeedsChecked(only_b_, At(0));
  EXPECT_EQ(Act(5'000), "heartbeat@0(9) fetch@0(bb from 0)");
  Heartbeat(5'000, {9});
  EXPECT_EQ(Act(5'000), "abandon(9)");
  session_->OnBundlePart(BundlePart{.size = 5, .bytes = "abc"}, At(5'000));
  EXPECT_EQ(Act(5'000), "lease@0(7)") << "it is free for another lease";
}

// ---- Self-play.

class WorkerSessionShardTest : public WorkerSessionTest {
 protected:
  // Two self-play games are finished, and their shard is being made.
  void Begin() {
    Register();
    GiveLease(9, 2, 0, {.shard_samples = 1'000});
    Heartbeat(0);
    Play(2, 0);
    ASSERT_EQ(Act(0), "lease@0(7) shard(7:2)");
  }
};

TEST_F(WorkerSessionTest, RefusesALeaseWhoseDataItCannotStore) {
  for (const bool is_allowed : {true, false}) {
    Make();
    Register();
    GiveLease(9, 2, 0, {.shard_samples = 1'000, .data = "/data"});
    Heartbeat(0);
    ASSERT_EQ(Act(0), "check(/data)");
    EXPECT_EQ(session_->NextGame(), std::nullopt) << "nothing is played before the answer";
    if (is_allowed) {
      session_->OnNeedsChecked(std::vector<NeededBundle>(), At(0));
      EXPECT_TRUE(session_->NextGame().has_value());
    } else {
      session_->OnNeedsChecked(absl::PermissionDeniedError("no root"), At(0));
      EXPECT_EQ(Act(0),
                "\"A tournament cannot be played here. no root\" refuse@0(9: no root) lease@0(7)");
    }
  }
}

TEST_F(WorkerSessionShardTest, StoresAShardBeforeReportingItsGames) {
  Begin();
  session_->OnShard(ShardEntry{.shard = "s"}, At(100));
  EXPECT_EQ(NextMs(100), 100);
  EXPECT_EQ(Act(100), "report@0(9:2+shard)");
  Reply(ReportOutcome::kRetry, 200);
  EXPECT_EQ(Act(4'999), "report@0(9:2+shard)") << "the same shard";
  Reply(ReportOutcome::kRecorded, 4'999);
  EXPECT_TRUE(session_->queue().is_idle());
}

TEST_F(WorkerSessionShardTest, RetriesAShardThatCannotBeStored) {
  Begin();
  session_->OnShard(absl::UnavailableError("bucket"), At(100));
  EXPECT_EQ(Act(100), "\"Samples cannot be stored. bucket\"");
  EXPECT_EQ(Act(1'000), "shard(7:2)");
  session_->OnShard(absl::UnavailableError("bucket"), At(1'000));
  EXPECT_EQ(Act(1'000), "") << "it says the same thing once";
  EXPECT_EQ(Act(2'000), "shard(7:2)");
  session_->OnShard(ShardEntry{.shard = "s"}, At(2'000));
  EXPECT_EQ(Act(2'000), "\"Samples can be stored again.\" report@0(9:2+shard)");
}

TEST_F(WorkerSessionShardTest, RefusesALeaseWhoseShardItCanNeverStore) {
  Begin();
  session_->OnShard(absl::PermissionDeniedError("not mine"), At(100));
  EXPECT_EQ(Act(100),
            "abandon(9) \"A tournament cannot be played here. not mine\" refuse@0(9: not mine)");
  EXPECT_EQ(session_->queue().games_lost(), 2);
  EXPECT_TRUE(session_->status().ok());
}

// ---- Leaving.

TEST_F(WorkerSessionTest, LeavesWhenEverythingIsReported) {
  Register();
  GiveLease(9, 100, 0);
  Play(3, 0);
  const auto game = session_->NextGame();
  session_->Leave(At(10'000));
  EXPECT_EQ(Act(0), "abandon(all) report@0(9:3)");
  EXPECT_EQ(session_->NextGame(), std::nullopt);
  Reply(ReportOutcome::kRecorded, 100);
  EXPECT_EQ(Act(100), "") << "a game is still in play";
  session_->OnGameEnd(*game, std::nullopt, At(200));
  EXPECT_EQ(NextMs(200), 200);
  EXPECT_EQ(Act(200), "leave@0");
  EXPECT_FALSE(session_->HasLeft(At(200)));
  session_->OnLeft();
  EXPECT_TRUE(session_->HasLeft(At(200)));
  EXPECT_EQ(Act(99'999), "");
}

TEST_F(WorkerSessionTest, LeavesImmediatelyIfNoCoordinatorKnowsIt) {
  EXPECT_FALSE(session_->HasLeft(At(0)));
  session_->Leave(At(10'000));
  EXPECT_TRUE(session_->HasLeft(At(0)));
}

TEST_F(WorkerSessionTest, LeavesAtItsDeadline) {
  Register();
  GiveLease(9, 100, 0);
  Play(3, 0);
  session_->Leave(At(10'000));
  EXPECT_EQ(Act(0), "abandon(all) report@0(9:3)");
  EXPECT_FALSE(session_->HasLeft(At(9'999)));
  EXPECT_EQ(NextMs(0), 10'000);
  EXPECT_TRUE(session_->HasLeft(At(10'000)));
}

TEST_F(WorkerSessionTest, LeavesCleanlyAfterAFailure) {
  options_.gives_back = false;
  Make();
  Register();
  session_->OnPlayFailed(absl::InternalError("no threads"));
  EXPECT_EQ(Act(0), "");
  session_->Leave(At(10'000));
  EXPECT_EQ(Act(0), "abandon(all) leave@0");
}

TEST_F(WorkerSessionTest, LogsWhenThereIsNoRoom) {
  options_.queue.memory_plies_max = 200;
  Make();
  Register();
  GiveLease(9, 100, 0);
  Play(2, 0);
  EXPECT_EQ(session_->NextGame(), std::nullopt);
  EXPECT_EQ(
      Act(0),
      "\"There is no room for more finished games. No game is started until a coordinator takes "
      "some.\"");
  EXPECT_EQ(Act(1'000), "report@0(9:2)");
  Reply(ReportOutcome::kRecorded, 1'000);
  EXPECT_EQ(Act(1'000), "\"There is room for finished games again.\"");
}

}  // namespace
}  // namespace triarch
