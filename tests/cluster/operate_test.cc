#include <signal.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"

// What an operator does with a cluster, command by command.
namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Json = nlohmann::json;

void ExpectOneLine(const Ran& ran, int exit_code, const std::string& what) {
  EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, MatchesRegex("error: [^\n]+\n"));
  EXPECT_THAT(ran.err, HasSubstr(what));
}

Json Parsed(const Ran& ran) {
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  Json json = Json::parse(ran.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << ran.out;
  return json;
}

TEST(Operate, TwoWorkersPlayWhatOneMachinePlays) {
  const Tournament tournament = SlowTournament();
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  cluster.Work("bert");
  WriteWholeFile(cluster.folder() / "t.yaml", tournament.yaml);
  const Ran submitted = cluster.Operate({"submit", cluster.folder() / "t.yaml"});
  EXPECT_EQ(submitted.out, "1\n");
  EXPECT_EQ(submitted.err, "");
  const Ran watched = cluster.Operate({"watch", "1"});
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(WithoutTimes(watched.out), Undisturbed(tournament).standings);
  cluster.ExpectUndisturbed(1, tournament);
  const Ran standings = cluster.Operate({"standings", "1", "--json"});
  EXPECT_EQ(WithoutTimesJson(standings.out), Undisturbed(tournament).standings_json);
  const Ran list = cluster.Operate({"list"});
  EXPECT_THAT(list.out, HasSubstr("240/240"));
  EXPECT_THAT(list.out, HasSubstr("anna"));
  EXPECT_THAT(list.out, HasSubstr("bert"));
  const Json json = Parsed(cluster.Operate({"list", "--json"}));
  EXPECT_EQ(json["tournaments"][0]["state"], "done");
  EXPECT_EQ(json["tournaments"][0]["done"], 240);
  int64_t recorded = 0;
  for (const Json& worker : json["workers"]) {
    EXPECT_GT(worker["games_recorded"], 0) << worker;
    EXPECT_EQ(worker["state"], "alive") << worker;
    recorded += worker["games_recorded"].get<int64_t>();
  }
  EXPECT_EQ(recorded, 240);
}

TEST(Operate, EveryJsonFormParses) {
  const Tournament tournament = SmallTournament();
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  WriteWholeFile(cluster.folder() / "t.yaml", tournament.yaml);
  const Ran submitted = cluster.Operate({"submit", cluster.folder() / "t.yaml", "--json"});
  EXPECT_EQ(Parsed(submitted)["tournament"], 1);
  const Ran watched = cluster.Operate({"watch", "1", "--json"});
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  const std::string last = watched.out.substr(watched.out.rfind('\n', watched.out.size() - 2) + 1);
  EXPECT_EQ(Json::parse(last)["state"], "done");
  EXPECT_EQ(Json::parse(last)["leaderboard"].size(), 3u);
  EXPECT_EQ(Parsed(cluster.Operate({"games", "1", "--json"})).size(), 24u);
  EXPECT_EQ(Parsed(cluster.Operate({"standings", "1", "--json"}))["games"]["recorded"], 24);
  EXPECT_EQ(Parsed(cluster.Operate({"list", "--json"}))["workers"][0]["name"], "anna");
}

TEST(Operate, PausedResumedAndCancelled) {
  const Tournament tournament = SlowTournament();
  Cluster cluster({"--lease-seconds", "2"});
  cluster.Lead();
  const int64_t id = cluster.Submit(tournament);
  const std::string number = std::to_string(id);
  EXPECT_EQ(cluster.Operate({"pause", number}).out, "tournament 1 is paused\n");
  cluster.Work("anna");
  EXPECT_FALSE(WaitUntil([&] { return cluster.GamesDone(id) > 0; }, std::chrono::seconds(1)))
      << "games of a paused tournament were played";
  EXPECT_EQ(Parsed(cluster.Operate({"resume", number, "--json"}))["state"], "active");
  ASSERT_TRUE(cluster.WaitForGames(id, 4));
  EXPECT_EQ(cluster.Operate({"pause", number}).exit_code, 0);
  EXPECT_EQ(cluster.Get(id)->state(), "paused");
  EXPECT_EQ(cluster.Operate({"resume", number}).exit_code, 0);
  cluster.ExpectUndisturbed(id, tournament);
  ExpectOneLine(cluster.Operate({"pause", number}), 1, "done");

  const int64_t other = cluster.Submit(tournament);
  ASSERT_TRUE(cluster.WaitForGames(other, 1));
  EXPECT_EQ(cluster.Operate({"cancel", std::to_string(other)}).exit_code, 0);
  const int64_t done = cluster.GamesDone(other);
  EXPECT_LT(done, 240);
  ExpectOneLine(cluster.Operate({"resume", std::to_string(other)}), 1, "cancelled");
  EXPECT_EQ(cluster.Operate({"watch", std::to_string(other)}).exit_code, 0);
  EXPECT_EQ(cluster.GamesDone(other), done) << "games of a cancelled tournament were recorded";
}

// What was paused stays so for the next coordinator, which goes on where the store stands.
TEST(Operate, StatesOutliveTheCoordinator) {
  const Tournament tournament = SmallTournament();
  Cluster cluster;
  cluster.Lead();
  const int64_t id = cluster.Submit(tournament);
  EXPECT_EQ(cluster.Operate({"pause", std::to_string(id)}).exit_code, 0);
  cluster.coordinator().Signal(SIGTERM);
  EXPECT_EQ(cluster.coordinator().Wait().exit_code, 0);
  cluster.Lead();
  EXPECT_EQ(cluster.Get(id)->state(), "paused");
  EXPECT_EQ(cluster.Operate({"resume", std::to_string(id)}).exit_code, 0);
  cluster.Work("anna");
  cluster.ExpectUndisturbed(id, tournament);
}

TEST(Operate, ErrorsAreOneLineAndAnExitCode) {
  Cluster cluster;
  WriteWholeFile(cluster.folder() / "t.yaml", SmallTournament().yaml);
  WriteWholeFile(cluster.folder() / "bad.yaml", "game: chess\nbots: [random]\n");
  const std::string file = cluster.folder() / "t.yaml";
  for (const Arguments& command :
       std::vector<Arguments>{{"list"}, {"watch", "1"}, {"submit", file}, {"standings", "1"}}) {
    ExpectOneLine(cluster.Operate(command), 1, cluster.address());
  }
  cluster.Lead();
  for (const std::string command : {"watch", "pause", "resume", "cancel", "standings", "games"}) {
    ExpectOneLine(cluster.Operate({command, "7"}), 1, "7");
    EXPECT_EQ(cluster.Operate({command, "seven"}).exit_code, 2) << command;
  }
  ExpectOneLine(cluster.Operate({"submit", cluster.folder() / "none.yaml"}), 2, "none.yaml");
  ExpectOneLine(cluster.Operate({"submit", cluster.folder() / "bad.yaml"}), 2, "chess");
  ExpectOneLine(Triarch({"list", "--coordinator", "nowhere"}), 2, "--coordinator");
  ExpectOneLine(Triarch({"work", "--coordinator", "127.0.0.1:99999"}), 2, "--coordinator");
  ExpectOneLine(Triarch({"serve", "--store", "x.db", "--listen", "0.0.0.0:0"}), 2, "--token-file");
  ExpectOneLine(Triarch({"serve", "--store", "x.db", "--listen", "here"}), 2, "--listen");
  EXPECT_EQ(Triarch({"serve"}).exit_code, 2);
  EXPECT_EQ(Triarch({"work"}).exit_code, 2);
  EXPECT_EQ(Triarch({"submit", file}).exit_code, 2);
  EXPECT_EQ(Triarch({"list", "--coordinator", cluster.address(), "--nonsense"}).exit_code, 2);
  // A second coordinator on the same port does not harm the first.
  const Ran second =
      Triarch({"serve", "--store", cluster.folder() / "other.db", "--listen", cluster.address()});
  EXPECT_EQ(second.exit_code, 1);  // gRPC has a line of its own to say about it
  EXPECT_THAT(second.err, HasSubstr("error: cannot listen on " + cluster.address()));
  EXPECT_EQ(cluster.Operate({"list"}).exit_code, 0);
}

TEST(Operate, MigrateMakesTheSchemaOnce) {
  Cluster cluster;
  const std::string url = cluster.postgres().TcpUrl(cluster.database());
  for (int i = 0; i < 2; ++i) {
    const Ran ran = Triarch({"migrate", "--store", url});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "the schema is up to date\n");
  }
  EXPECT_EQ(cluster.postgres().Ask(cluster.database(), "SELECT count(*) FROM tournaments"), "0");
  const Ran away = Triarch({"migrate", "--store", "postgresql://nobody@127.0.0.1:1/none"});
  EXPECT_EQ(away.exit_code, 1);
  EXPECT_THAT(away.err, MatchesRegex("error: [^\n]+\n"));
}

}  // namespace
}  // namespace triarch
