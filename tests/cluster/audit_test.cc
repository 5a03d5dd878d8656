// Tests audits by recomputation with real workers of several owners.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"
#include "tests/cluster/forger.h"
#include "tests/e2e/binary_runner.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

// Starts a worker with a token of its own.
std::unique_ptr<StartedProgram> WorkFor(const Cluster& cluster, const std::string& owner) {
  const std::string file = cluster.folder() / ("token-" + owner);
  WriteWholeFile(file, "worker " + owner + "-0123456789abcdef\n");
  return StartTriarch({"work", "--coordinator", cluster.addresses(), "--name", owner + "-1",
                       "--slots", "1", "--token-file", file});
}

// The games of strangers count only after audits, and then the results are those of a local run,
// even if the coordinator dies in between.
TEST(Audit, StrangersPlayATournament) {
  const Tournament tournament = SlowTournament();
  Cluster cluster({}, {}, Cluster::Open::kToAll);
  WriteWholeFile(cluster.folder() / "tokens",
                 "operator operator-0123456789\n"
                 "worker own-0123456789abcdef own\n"
                 "worker alice-0123456789abcdef alice audits=5\n"
                 "worker bob-0123456789abcdef bob audits=5\n");
  cluster.Lead();
  const int64_t id = cluster.Submit(tournament);
  const auto alice = WorkFor(cluster, "alice");
  const auto bob = WorkFor(cluster, "bob");
  ASSERT_TRUE(WaitUntil([&] {
    const auto now = cluster.Get(id);
    return now.ok() && now->held() + now->done() > 20;
  }));
  cluster.Kill();
  cluster.Lead();
  cluster.ExpectUndisturbed(id, tournament);
  EXPECT_TRUE(WaitUntil([&] {
    return cluster.postgres().Ask(cluster.database(), "SELECT count(*) FROM held_reports") == "0";
  }));
  EXPECT_EQ(cluster.postgres().Ask(cluster.database(),
                                   "SELECT count(*) FROM audits WHERE outcome <> 'passed'"),
            "0");
  const Json listed = Json::parse(cluster.Operate({"list", "--json"}).out)["tournaments"][0];
  EXPECT_EQ(listed["held"], 0) << listed;
  EXPECT_GE(listed["audits_passed"], 5) << listed;
  const Json audits =
      Json::parse(cluster.Operate({"standings", std::to_string(id), "--json"}).out)["audits"];
  EXPECT_EQ(audits["trusted"], 0) << audits;
  EXPECT_EQ(audits["unaudited"], 0) << audits;
  EXPECT_GE(audits["audited"], 5) << audits;
  EXPECT_EQ(audits["audited"].get<int64_t>() + audits["confirmed"].get<int64_t>(),
            tournament.games);
  EXPECT_THAT(cluster.Operate({"standings", std::to_string(id)}).out,
              HasSubstr("confirmed by audits of other games"));
}

// TRIARCH_CHAOS_GAMES makes the tournament longer.
Tournament ChaosTournament() {
  const char* const given = std::getenv("TRIARCH_CHAOS_GAMES");
  Tournament tournament = SlowTournament();
  if (given == nullptr) return tournament;
  const std::string games = "games: " + std::to_string(tournament.games);
  tournament.games = ParseInt64(given).value_or(tournament.games);
  tournament.yaml =
      absl::StrReplaceAll(tournament.yaml, {{games, "games: " + std::to_string(tournament.games)}});
  return tournament;
}

// Everything is killed again and again while audited workers play.
TEST(Audit, SurvivesChaos) {
  const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                     "TRIARCH_FAULT_SEED=" + std::to_string(FaultSeed()));
  Random random(FaultSeed());
  const Tournament tournament = ChaosTournament();
  Undisturbed(tournament);
  Cluster cluster({"--lease-seconds", "2"}, {}, Cluster::Open::kToAll);
  WriteWholeFile(cluster.folder() / "tokens",
                 "operator operator-0123456789\n"
                 "worker own-0123456789abcdef own\n"
                 "worker alice-0123456789abcdef alice audits=5\n"
                 "worker bob-0123456789abcdef bob audits=5\n");
  cluster.Lead(0);
  cluster.Serve(1);
  const int64_t id = cluster.Submit(tournament);
  std::map<std::string, std::unique_ptr<StartedProgram>> workers;
  for (const char* owner : {"alice", "bob", "own"}) workers[owner] = WorkFor(cluster, owner);
  std::map<std::string, int> kills;
  const auto kill = [&] {
    const uint32_t what = random.Below(6);
    if (what < 3) {
      const std::string owner = std::next(workers.begin(), what)->first;
      workers[owner].reset();
      workers[owner] = WorkFor(cluster, owner);
      ++kills["worker"];
    } else if (what < 5) {
      const int number = static_cast<int>(what - 3);
      cluster.Kill(number);
      cluster.Serve(number);
      ++kills["coordinator"];
    } else {
      cluster.postgres().Kill();
      std::this_thread::sleep_for(milliseconds(random.Below(1'000)));
      cluster.postgres().Start();
      ++kills["PostgreSQL"];
    }
  };
  for (int64_t left = 4 + tournament.games / 60; left > 0; --left) {
    std::this_thread::sleep_for(milliseconds(300 + random.Below(1'200)));
    if (cluster.GamesDone(id) == tournament.games) break;
    kill();
  }
  for (const auto& [what, times] : kills) std::printf("killed %s %d times\n", what.c_str(), times);
  ASSERT_TRUE(WaitUntil([&] { return cluster.GamesDone(id) == tournament.games; },
                        seconds(60 + tournament.games / 10)));
  cluster.ExpectUndisturbed(id, tournament);
  EXPECT_EQ(cluster.postgres().Ask(cluster.database(),
                                   "SELECT count(*) FROM audits WHERE outcome <> 'passed'"),
            "0");
}

std::map<int64_t, GameRecord> TrueGames(const Tournament& tournament) {
  const std::string& tpgn = Undisturbed(tournament).tpgn;
  TpgnReader reader(tpgn);
  std::map<int64_t, GameRecord> games;
  while (const auto game = reader.Next()) {
    const auto index = static_cast<int64_t>(games.size());
    games[index] = *ReplayTpgn(**game);
  }
  return games;
}

// Returns the worker's entry in `triarch list --json`.
Json ListedWorker(const Cluster& cluster, const std::string& name) {
  const Json listed = Json::parse(cluster.Operate({"list", "--json"}).out);
  for (const Json& worker : listed["workers"]) {
    if (worker["name"] == name) return worker;
  }
  return {};
}

// Forfeits that did not happen, false numbers of nodes and games that nobody played never count.
TEST(Audit, ForgersAreFound) {
  const Tournament tournament = SlowTournament();
  const std::map<int64_t, GameRecord> truth = TrueGames(tournament);
  ASSERT_EQ(std::ssize(truth), tournament.games);
  Cluster cluster({}, {}, Cluster::Open::kToAll);
  std::string tokens =
      "operator operator-0123456789\nworker own-0123456789abcdef own\n"
      "worker alice-0123456789abcdef alice audits=5\n";
  for (const char* name : {"forfeits", "nodes", "games"}) {
    tokens += absl::StrFormat("worker %s-0123456789abcdef %s audits=5\n", name, name);
  }
  WriteWholeFile(cluster.folder() / "tokens", tokens);
  cluster.Lead();
  const auto alice = WorkFor(cluster, "alice");
  ASSERT_TRUE(WaitUntil([&] { return ListedWorker(cluster, "alice-1").is_object(); }));
  const std::string build = ListedWorker(cluster, "alice-1")["build"];
  const int64_t id = cluster.Submit(tournament);
  std::map<std::string, std::unique_ptr<Forger>> forgers;
  const auto forge = [&](const std::string& name, Forger::Forgery forgery) {
    forgers[name] = std::make_unique<Forger>(
        forgery, Forger::Options{.address = cluster.address(),
                                 .token = name + "-0123456789abcdef",
                                 .name = name,
                                 .digest = build.substr(build.find('+') + 1),
                                 .truth = &truth});
  };
  forge("forfeits", Forger::Forgery::kForfeits);
  forge("nodes", Forger::Forgery::kNodes);
  forge("games", Forger::Forgery::kGames);
  for (const auto& [name, forger] : forgers) {
    EXPECT_TRUE(WaitUntil([&forger = forger] { return forger->reported() > 0; })) << name;
  }
  const auto own = WorkFor(cluster, "own");
  for (const auto& [name, forger] : forgers) {
    EXPECT_TRUE(WaitUntil([&forger = forger] { return forger->is_refused(); })) << name;
    EXPECT_THAT(ListedWorker(cluster, name).dump(), HasSubstr("differs from what others play"));
  }
  cluster.ExpectUndisturbed(id, tournament);
  EXPECT_EQ(ListedWorker(cluster, "alice-1")["state"], "alive");
}

}  // namespace
}  // namespace triarch
