// Tests the operator's commands about workers, priorities and old tournaments on a cluster.

#include <nlohmann/json.hpp>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Json = nlohmann::json;

Json ListOf(const Cluster& cluster) {
  return Json::parse(cluster.Operate({"list", "--json"}).out, nullptr, false);
}

void ExpectError(const Ran& ran, const std::string& what, int exit_code = 1) {
  EXPECT_EQ(ran.exit_code, exit_code) << ran.out;
  EXPECT_THAT(ran.err, MatchesRegex("error: [^\n]+\n"));
  EXPECT_THAT(ran.err, HasSubstr(what));
}

// ---- Workers.

TEST(Manage, AnEvictedWorkerComesBackAndAQuarantinedOneDoesNot) {
  const Tournament tournament = SlowTournament();
  Cluster cluster;
  cluster.Lead();
  const int64_t id = cluster.Submit(tournament);
  StartedProgram& worker = cluster.Work("anna");
  ASSERT_TRUE(cluster.WaitForGames(id, 1));
  EXPECT_THAT(cluster.Operate({"evict", "anna"}).out, MatchesRegex("worker anna is evicted: .*\n"));
  const int64_t done = cluster.GamesDone(id);
  ASSERT_TRUE(cluster.WaitForGames(id, done + 8)) << "it did not come back";

  const Json evicted = Json::parse(
      cluster.Operate({"evict", "anna", "--quarantine", "its clock is wrong", "--json"}).out);
  EXPECT_EQ(evicted["quarantine"], "its clock is wrong");
  EXPECT_EQ(worker.Wait().exit_code, 1);
  cluster.Kill();
  cluster.Lead();
  EXPECT_EQ(ListOf(cluster)["workers"][0]["why"], "its clock is wrong");
  EXPECT_EQ(cluster.Work("anna").Wait().exit_code, 1);
  EXPECT_EQ(cluster.Operate({"unquarantine", "anna"}).out,
            "worker anna is no longer quarantined\n");
  cluster.Kill();
  cluster.Lead();
  cluster.Work("anna");
  cluster.ExpectUndisturbed(id, tournament);
}

TEST(Manage, SaysWhatIsWrongWithAWorker) {
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  ASSERT_TRUE(WaitUntil([&] { return !ListOf(cluster)["workers"].empty(); }));
  ExpectError(cluster.Operate({"evict", "bert"}), "there is no worker \"bert\"");
  ExpectError(cluster.Operate({"unquarantine", "bert"}), "there is no worker \"bert\"");
  ExpectError(cluster.Operate({"unquarantine", "anna"}), "worker \"anna\" is not quarantined");
  ExpectError(cluster.Operate({"evict", "anna", "--quarantine", ""}), "expected a reason", 2);
  EXPECT_EQ(cluster.Operate({"evict", "anna"}).out, "worker anna is evicted: it had no leases\n");
}

// ---- Priorities.

TEST(Manage, PrioritiesAreSetListedAndKept) {
  Cluster cluster;
  cluster.Lead();
  WriteWholeFile(cluster.folder() / "t.yaml", SmallTournament().yaml);
  const std::string file = cluster.folder() / "t.yaml";
  EXPECT_EQ(cluster.Operate({"submit", file}).out, "1\n");
  EXPECT_EQ(cluster.Operate({"submit", file, "--priority", "-2", "--share", "3"}).out, "2\n");
  EXPECT_EQ(cluster.Operate({"set", "1", "--priority", "7"}).out,
            "tournament 1 has priority 7 and share 1\n");
  EXPECT_EQ(Json::parse(cluster.Operate({"set", "2", "--share", "5", "--json"}).out),
            Json({{"tournament", 2}, {"priority", -2}, {"share", 5}}));
  cluster.Kill();
  cluster.Lead();
  const Json list = ListOf(cluster)["tournaments"];
  EXPECT_EQ(list[0]["priority"], 7);
  EXPECT_EQ(list[1]["priority"], -2);
  EXPECT_EQ(list[1]["share"], 5);
  ExpectError(cluster.Operate({"set", "3", "--share", "5"}), "there is no tournament 3");
  ExpectError(cluster.Operate({"set", "1"}), "give --priority or --share", 2);
  EXPECT_EQ(cluster.Operate({"set", "1", "--share", "0"}).exit_code, 2);
}

TEST(Manage, TheHigherPriorityIsPlayedFirst) {
  const Tournament tournament = SmallTournament();
  Cluster cluster;
  cluster.Lead();
  const int64_t first = cluster.Submit(SlowTournament());
  const int64_t second = cluster.Submit(tournament);
  EXPECT_EQ(cluster.Operate({"set", std::to_string(second), "--priority", "1"}).exit_code, 0);
  cluster.Work("anna");
  ASSERT_TRUE(cluster.WaitForGames(first, 1));
  EXPECT_EQ(cluster.Get(second)->open(), 0);
  cluster.ExpectUndisturbed(second, tournament);
}

}  // namespace
}  // namespace triarch
