// Kills, stops and cuts off parts of a cluster at random moments.

#include <signal.h>

#include <chrono>
#include <string>
#include <thread>

#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"
#include "tests/cluster/tcp_proxy.h"

// Every game must be recorded once and equal the game of an undisturbed machine. The seed
// determines the moments, but not the cluster's progress by then: repeat a seed to reproduce a
// failure.
namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Arguments kShortLeases = {"--lease-seconds", "1"};
constexpr seconds kLongerThanALease{2};

class ChaosTest : public ::testing::Test {
 protected:
  ChaosTest() : trace_(__FILE__, __LINE__, "TRIARCH_FAULT_SEED=" + std::to_string(FaultSeed())) {}

  void Sleep(uint32_t at_least_ms, uint32_t more_ms) {
    std::this_thread::sleep_for(milliseconds(at_least_ms + random_.Below(more_ms)));
  }
  // Starts two workers that know both coordinators, and the tournament.
  void Begin(const Arguments& flags = {}) {
    cluster_.Work("anna", flags);
    cluster_.Work("bert", flags);
    id_ = cluster_.Submit(tournament_);
    ASSERT_TRUE(cluster_.WaitForGames(id_, 1 + random_.Below(20)));
  }
  bool IsOver() const { return cluster_.GamesDone(id_) == tournament_.games; }
  void ExpectUndisturbed() const { cluster_.ExpectUndisturbed(id_, tournament_); }

  ::testing::ScopedTrace trace_;
  Random random_{FaultSeed()};
  const Tournament tournament_ = SlowTournament();
  Cluster cluster_{kShortLeases};
  int64_t id_ = 0;
};

TEST_F(ChaosTest, WorkersAreKilledAndReplaced) {
  cluster_.Lead();
  Begin();
  for (int kills = 0; kills < 8; ++kills) {
    Sleep(100, 500);
    if (IsOver()) break;
    const std::string name = random_.Below(2) == 0 ? "anna" : "bert";
    cluster_.KillWorker(name);
    // Uses the old name, which is free once the old lease has expired, or a new one.
    cluster_.Work(random_.Below(2) == 0 ? name : name + std::to_string(kills));
  }
  ExpectUndisturbed();
}

TEST_F(ChaosTest, TheCoordinatorIsKilledAndRestarted) {
  cluster_.Lead();
  Begin();
  for (int kills = 0; kills < 4 && !IsOver(); ++kills) {
    cluster_.Kill();
    Sleep(0, 300);
    cluster_.Serve();
    Sleep(200, 800);
  }
  ExpectUndisturbed();
}

TEST_F(ChaosTest, AStandbyTakesOver) {
  cluster_.Lead(0);
  cluster_.Serve(1);
  Begin({"--coordinator", cluster_.addresses()});
  for (int kills = 0; kills < 3; ++kills) {
    const int leader = kills % 2;
    ASSERT_TRUE(WaitUntil([&] { return cluster_.Leads(leader); }, seconds(20)));
    EXPECT_FALSE(cluster_.Leads(1 - leader));
    Sleep(100, 300);
    cluster_.Kill(leader);
    const auto killed = std::chrono::steady_clock::now();
    ASSERT_TRUE(WaitUntil([&] { return cluster_.Leads(1 - leader); }, seconds(20)));
    EXPECT_LT(std::chrono::steady_clock::now() - killed, seconds(10)) << "a slow standby";
    cluster_.Serve(leader);
  }
  ExpectUndisturbed();
}

TEST_F(ChaosTest, PostgresIsKilledAndRestarted) {
  cluster_.Lead();
  Begin();
  for (int kills = 0; kills < 2; ++kills) {
    cluster_.postgres().Kill();
    Sleep(0, 1500);
    cluster_.postgres().Start();
    Sleep(200, 800);
  }
  ExpectUndisturbed();
}

TEST_F(ChaosTest, PostgresAndTheCoordinatorAreKilledTogether) {
  cluster_.Lead();
  Begin();
  cluster_.postgres().Kill();
  Sleep(0, 500);
  cluster_.Kill();
  cluster_.Serve();
  Sleep(200, 800);
  cluster_.postgres().Start();
  ExpectUndisturbed();
}

TEST_F(ChaosTest, AWorkerStopsForLongerThanALease) {
  cluster_.Lead();
  Begin();
  StartedProgram& carl = cluster_.Work("carl");
  Sleep(300, 300);
  for (int stops = 0; stops < 2; ++stops) {
    carl.Signal(SIGSTOP);
    std::this_thread::sleep_for(kLongerThanALease);
    carl.Signal(SIGCONT);
    Sleep(200, 300);
  }
  ExpectUndisturbed();
}

// A short stop is no reason to take over: all wait until the coordinator continues.
TEST_F(ChaosTest, TheCoordinatorStopsForLongerThanALease) {
  cluster_.Lead(0);
  cluster_.Serve(1);
  Begin({"--coordinator", cluster_.addresses()});
  cluster_.coordinator(0).Signal(SIGSTOP);
  std::this_thread::sleep_for(kLongerThanALease);
  EXPECT_FALSE(cluster_.Leads(1));
  cluster_.coordinator(0).Signal(SIGCONT);
  ExpectUndisturbed();
}

// A coordinator that stays stopped is replaced. When it continues, it must notice before it records
// anything.
TEST_F(ChaosTest, AStoppedCoordinatorIsReplacedAndComesBack) {
  cluster_.Lead(0);
  cluster_.Serve(1);
  Begin({"--coordinator", cluster_.addresses()});
  cluster_.coordinator(0).Signal(SIGSTOP);
  ASSERT_TRUE(WaitUntil([&] { return cluster_.Leads(1); }, seconds(60)));
  cluster_.coordinator(0).Signal(SIGCONT);
  EXPECT_TRUE(WaitUntil([&] { return !cluster_.Leads(0); }, seconds(20)));
  ExpectUndisturbed();
  EXPECT_TRUE(cluster_.Leads(1));
}

TEST_F(ChaosTest, TheLinkIsCutAndHeld) {
  TcpProxy link(cluster_.port());
  cluster_.Lead();
  Begin({"--coordinator", Loopback(link.port())});
  for (int times = 0; times < 3; ++times) {
    link.Set(random_.Below(2) == 0 ? TcpProxy::Mode::kCut : TcpProxy::Mode::kHold);
    Sleep(500, 2'000);
    link.Set(TcpProxy::Mode::kPass);
    Sleep(100, 500);
  }
  ExpectUndisturbed();
}

TEST_F(ChaosTest, TheLinkIsSlow) {
  TcpProxy link(cluster_.port());
  link.Slow(milliseconds(100), 500'000);
  cluster_.Lead();
  Begin({"--coordinator", Loopback(link.port())});
  ExpectUndisturbed();
}

// Only results in the order of the games count, so who meets, and when a tournament ends, does not
// depend on who played when.
class DecisionTest : public ChaosTest {
 protected:
  // Plays the tournament alone and on a cluster where workers and coordinators are killed.
  void Play(const std::string& yaml) {
    const std::string file = cluster_.folder() / "t.yaml";
    WriteWholeFile(file, yaml);
    alone_ = Triarch({"run", file, "--db", db_});
    cluster_.Lead(0);
    cluster_.Serve(1);
    cluster_.Work("anna", {"--coordinator", cluster_.addresses()});
    cluster_.Work("bert", {"--coordinator", cluster_.addresses()});
    id_ = cluster_.Submit({yaml, 200'000});
    ASSERT_TRUE(cluster_.WaitForGames(id_, 1));
    for (int kills = 0; kills < 4 && !IsDone(); ++kills) {
      Sleep(100, 400);
      if (random_.Below(2) == 0) {
        cluster_.KillWorker("anna");
        cluster_.Work("anna", {"--coordinator", cluster_.addresses()});
      } else {
        RestartLeader();
      }
    }
  }
  void RestartLeader() {
    const int leader = cluster_.Leads(1) ? 1 : 0;
    cluster_.Kill(leader);
    cluster_.Serve(leader);
  }
  bool IsDone() const {
    const auto now = cluster_.Get(id_);
    return now.ok() && now->state() == "done";
  }
  // The connection to a restarted coordinator takes a moment.
  bool BecomesDone() const {
    return WaitUntil([this] { return IsDone(); }, seconds(20));
  }
  // Expects tournament `id` of the cluster to be the `local`th of the run alone.
  void ExpectSame(int64_t id, const std::string& local) const {
    const Ran games = cluster_.Operate({"games", std::to_string(id), "--tpgn", "-"});
    EXPECT_EQ(games.out, Triarch({"games", local, "--db", db_, "--tpgn", "-"}).out);
    const Ran standings = cluster_.Operate({"standings", std::to_string(id), "--json"});
    EXPECT_EQ(WithoutTimes(standings.out),
              WithoutTimes(Triarch({"standings", local, "--db", db_, "--json"}).out));
  }

  const std::string db_ = cluster_.folder() / "t.db";
  Ran alone_;
};

TEST_F(DecisionTest, ATest) {
  Play(
      "game: triumvirate\n"
      "mode: test\n"
      "bots: [smart, {name: old, bot: smart, risk: 0.2}]\n"
      "test: {elo: [0, 20]}\n"
      "seed: 4\n");
  const Ran watched = cluster_.Operate({"watch", std::to_string(id_)});
  EXPECT_EQ(watched.exit_code, alone_.exit_code) << watched.err;
  EXPECT_TRUE(BecomesDone());
  EXPECT_EQ(cluster_.Operate({"standings", std::to_string(id_), "--json"}).out,
            Triarch({"standings", "--db", db_, "--json"}).out);
  // A new leader derives the verdict from the games.
  RestartLeader();
  EXPECT_TRUE(BecomesDone());
  EXPECT_EQ(cluster_.Operate({"watch", std::to_string(id_)}).exit_code, alone_.exit_code);
}

TEST_F(DecisionTest, BestOf) {
  Play(
      "game: triumvirate\n"
      "mode: best-of\n"
      "bots: [{name: base, bot: smart, risk: 0.2}, smart, {name: half, bot: smart, risk: 0.5}]\n"
      "best_of: {elo: [0, 30]}\n"
      "seed: 5\n");
  const Ran watched = cluster_.Operate({"watch", std::to_string(id_)});
  EXPECT_EQ(watched.exit_code, alone_.exit_code) << watched.err;
  EXPECT_TRUE(BecomesDone());
  EXPECT_EQ(cluster_.Operate({"standings", std::to_string(id_), "--json"}).out,
            Triarch({"standings", "--db", db_, "--json"}).out);
}

TEST_F(DecisionTest, ATuningAndItsConfirmingTest) {
  Play(
      "game: triumvirate\n"
      "mode: tune\n"
      "bots: [{bot: smart, risk: 0.2}]\n"
      "tune: {options: {risk: {min: 0, max: 1, step: 0.2}}, rate: 0.05, elo: [0, 50]}\n"
      "games: 1200\n");
  EXPECT_EQ(cluster_.Operate({"watch", std::to_string(id_)}).exit_code, 0);
  ExpectSame(id_, "1");
  // The coordinator submits the test.
  EXPECT_TRUE(WaitUntil([&] { return cluster_.Get(id_ + 1).ok(); }, seconds(20)));
  const Ran watched = cluster_.Operate({"watch", std::to_string(id_ + 1)});
  EXPECT_EQ(watched.exit_code, alone_.exit_code) << watched.err;
  EXPECT_EQ(cluster_.Operate({"standings", std::to_string(id_ + 1), "--json"}).out,
            Triarch({"standings", "2", "--db", db_, "--json"}).out);
  EXPECT_EQ(cluster_.Operate({"standings", std::to_string(id_ + 2)}).exit_code, 1);
}

TEST_F(DecisionTest, AFormat) {
  const std::vector<std::string> formats = {"swiss\nswiss: {rounds: 8}", "knockout",
                                            "adaptive\ngames: 600", "league\ncycles: 10"};
  const std::string& format = formats[random_.Below(static_cast<uint32_t>(formats.size()))];
  const ::testing::ScopedTrace trace(__FILE__, __LINE__, format);
  Play(
      "game: tri-d\n"
      "format: " +
      format +
      "\n"
      "bots: [smart, {name: a, bot: smart, risk: 0.2}, {name: b, bot: smart, risk: 0.5}, greedy,\n"
      "       {name: c, bot: smart, tactics: 0.5}, {name: d, bot: greedy}, random]\n");
  EXPECT_EQ(cluster_.Operate({"watch", std::to_string(id_)}).exit_code, 0);
  EXPECT_TRUE(BecomesDone());
  ExpectSame(id_, "1");
}

}  // namespace
}  // namespace triarch
