// Tests the operator's commands about workers, priorities and old tournaments on a cluster.

#include <signal.h>

#include <memory>
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

// ---- Old tournaments.

// A coordinator on a SQLite file.
class OnFile {
 public:
  OnFile() { Serve(); }
  void Serve() {
    coordinator_ = StartTriarch({"serve", "--store", folder_ / "a.db", "--listen", Loopback(port_),
                                 "--data-root", folder_ / ""});
    EXPECT_TRUE(WaitUntil([&] { return Operate({"list"}).exit_code == 0; }));
  }
  void Kill() {
    coordinator_->Signal(SIGKILL);
    coordinator_->Wait();
  }
  Ran Operate(const Arguments& command) const {
    return Triarch(command + Arguments{"--coordinator", Loopback(port_)});
  }
  void Play(const Tournament& tournament) {
    WriteWholeFile(folder_ / "t.yaml", tournament.yaml);
    const std::string id = Operate({"submit", folder_ / "t.yaml"}).out;
    const auto worker = StartTriarch(
        {"work", "--coordinator", Loopback(port_), "--slots", "2", "--data-root", folder_ / ""});
    EXPECT_EQ(Operate({"watch", id.substr(0, id.find('\n'))}).exit_code, 0);
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  const TemporaryFolder folder_;
  const int port_ = FreePort();
  std::unique_ptr<StartedProgram> coordinator_;
};

TEST(Manage, ArchivesAndDeletesATournamentInSqlite) {
  const Tournament tournament = SmallTournament();
  OnFile cluster;
  cluster.Play(tournament);
  cluster.Play(tournament);
  const std::string out = cluster.folder() / "t1";
  EXPECT_EQ(cluster.Operate({"archive", "1", "--out", out}).out,
            "24 games written to " + out + " and verified\n");
  EXPECT_TRUE(ReadWholeFile(out + "/games.tpgn") == Undisturbed(tournament).tpgn);
  EXPECT_EQ(ReadWholeFile(out + "/standings.txt"), cluster.Operate({"standings", "1"}).out);
  ExpectError(cluster.Operate({"archive", "1", "--out", out}), "exists");
  ExpectError(cluster.Operate({"delete", "1"}), "--yes", 2);
  EXPECT_EQ(cluster.Operate({"delete", "1", "--yes"}).out, "tournament 1 is deleted\n");
  ExpectError(cluster.Operate({"standings", "1"}), "there is no tournament 1");
  cluster.Kill();
  ExpectError(Triarch({"standings", "1", "--db", cluster.folder() / "a.db"}),
              "there is no tournament 1");
  cluster.Serve();
  EXPECT_EQ(Json::parse(cluster.Operate({"list", "--json"}).out)["tournaments"].size(), 1u);
  EXPECT_THAT(cluster.Operate({"standings", "2"}).out, HasSubstr("24 games"));
}

TEST(Manage, DeletesATournamentInPostgresThoughTheCoordinatorIsKilled) {
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  ASSERT_TRUE(cluster.WaitForGames(cluster.Submit(SlowTournament()), 240));
  ASSERT_TRUE(WaitUntil([&] { return cluster.Get(1)->state() == "done"; }));
  ASSERT_TRUE(cluster.WaitForGames(cluster.Submit(SmallTournament()), 24));
  EXPECT_EQ(cluster.Operate({"delete", "1", "--yes"}).exit_code, 0);
  cluster.Kill();
  ExpectError(Triarch({"standings", "1", "--db", cluster.postgres().Url(cluster.database())}),
              "there is no tournament 1");
  cluster.Lead();
  ExpectError(cluster.Operate({"games", "1"}), "there is no tournament 1");
  EXPECT_TRUE(WaitUntil([&] {
    return cluster.postgres().Ask(cluster.database(),
                                  "SELECT state FROM tournaments WHERE id = 1") == "deleted";
  }));
  for (const std::string table : {"games", "game_seats", "game_texts", "tallies", "ledger"}) {
    EXPECT_EQ(cluster.postgres().Ask(cluster.database(),
                                     "SELECT count(*) FROM " + table + " WHERE tournament = 1"),
              "0")
        << table;
  }
  EXPECT_TRUE(cluster.WaitForGames(2, 24));
  EXPECT_EQ(cluster.Submit(SmallTournament()), 3);
  ExpectError(cluster.Operate({"delete", "3", "--yes"}), "done or cancelled can be deleted");
}

TEST(Manage, DeletingSelfPlayLeavesItsData) {
  OnFile cluster;
  const std::string data = cluster.folder() / "data";
  cluster.Play(
      {"game: tri-d\nmode: selfplay\nbots: [greedy]\ngames: 20\nselfplay: "
       "{shard_samples: 100}\noutput: {data: " +
           data + "}\n",
       20});
  const auto verify = [&] { return Triarch({"data", "verify", data}); };
  ASSERT_TRUE(WaitUntil([&] { return verify().exit_code == 0; })) << verify().err;
  const std::string before = verify().out;
  EXPECT_EQ(cluster.Operate({"delete", "1", "--yes"}).out,
            "tournament 1 is deleted\nits data is still in " + data + "\n");
  cluster.Kill();
  cluster.Serve();
  EXPECT_EQ(verify().out, before);
}

TEST(Manage, PrunesOldRecords) {
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  ASSERT_TRUE(cluster.WaitForGames(cluster.Submit(SmallTournament()), 24));
  const auto leases = [&] {
    return cluster.postgres().Ask(cluster.database(),
                                  "SELECT count(*) FROM leases WHERE ended <> ''");
  };
  ASSERT_TRUE(WaitUntil([&] { return leases() != "0"; }));
  EXPECT_EQ(cluster.Operate({"prune", "--older-than", "1d", "--tournaments"}).out,
            "deleted 0 leases, 0 workers, 0 rating points, tournaments: none\n");
  ExpectError(cluster.Operate({"prune", "--older-than", "soon"}), "expected days", 2);
  cluster.postgres().Ask(cluster.database(),
                         "UPDATE leases SET ended_at = ended_at - interval '2 days'; "
                         "UPDATE tournaments SET ended = ended - interval '2 days' RETURNING 1");
  const Json would = Json::parse(
      cluster.Operate({"prune", "--older-than", "1d", "--tournaments", "--dry-run", "--json"}).out);
  EXPECT_EQ(would["leases"].dump(), leases());
  EXPECT_EQ(would["tournaments"], Json({1}));
  const Json pruned =
      Json::parse(cluster.Operate({"prune", "--older-than", "1d", "--tournaments", "--json"}).out);
  EXPECT_EQ(pruned["leases"], would["leases"]);
  EXPECT_EQ(pruned["tournaments"], Json({1}));
  EXPECT_EQ(leases(), "0");
  EXPECT_EQ(ListOf(cluster)["tournaments"].size(), 0u);
}

}  // namespace
}  // namespace triarch
