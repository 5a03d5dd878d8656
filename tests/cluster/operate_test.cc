// Tests the operator's commands on a cluster.

#include <signal.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/service/coordinator.h"
#include "coordinator/service/coordinator_metrics.h"
#include "coordinator/service/server.h"
#include "coordinator/store/store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"
#include "tests/terminal.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
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

TEST(Operate, TwoWorkersPlayTheSameGamesAsOneMachine) {
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
  EXPECT_EQ(watched.out, cluster.Operate({"standings", "1"}).out);
  cluster.ExpectUndisturbed(1, tournament);
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

TEST(Operate, WhatBotsSayArrivesWithTheGames) {
  const Tournament tournament = {SmallTournament().yaml + "search_info: on\n", 24};
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  ASSERT_TRUE(cluster.WaitForGames(cluster.Submit(tournament), 24));
  cluster.ExpectUndisturbed(1, tournament);
  const Json game = Parsed(cluster.Operate({"games", "1", "--id", "1.1", "--json"}));
  int64_t lines = 0;
  for (const Json& event : game["events"]) {
    if (!event.contains("info")) continue;
    const Json& info = event["info"];
    EXPECT_GT(info["nodes"].get<int64_t>(), 0) << event;
    if (!info.contains("line")) continue;
    // A line begins with the move, whose text may also have an "x" or a "+".
    const auto move = event["move"].get<std::string>();
    const auto first = info["line"][0].get<std::string>();
    EXPECT_EQ(move.substr(0, first.find('-')), first.substr(0, first.find('-'))) << event;
    lines += static_cast<int64_t>(info["line"].size() > 1);
  }
  EXPECT_GT(lines, 0);
}

TEST(Operate, EveryJsonOutputParses) {
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
  EXPECT_EQ(Json::parse(last)["standings"], Parsed(cluster.Operate({"standings", "1", "--json"})));
  EXPECT_EQ(Parsed(cluster.Operate({"games", "1", "--json"})).size(), 24u);
  EXPECT_EQ(Parsed(cluster.Operate({"games", "1", "--id", "2.8", "--json"}))["id"], "2.8");
  const Ran analysis =
      cluster.Operate({"analyze", "1", "--id", "2.8", "--bot", "paranoid:depth=1", "--json"});
  EXPECT_EQ(Parsed(analysis)["id"], "2.8");
  EXPECT_EQ(Parsed(cluster.Operate({"standings", "1", "--json"}))["games"]["recorded"], 24);
  EXPECT_EQ(Parsed(cluster.Operate({"list", "--json"}))["workers"][0]["name"], "anna");
}

TEST(Operate, RatesTheStoreTogetherWithAFile) {
  Cluster cluster;
  cluster.Lead();
  cluster.Work("anna");
  const Tournament tournament = SmallTournament();
  ASSERT_TRUE(cluster.WaitForGames(cluster.Submit(tournament), 24));
  const std::string later = tournament.yaml + "openings: {random_plies: 2}\n";
  ASSERT_TRUE(cluster.WaitForGames(cluster.Submit({later, 24}), 24));
  // The file repeats the first tournament.
  const std::string db = cluster.folder() / "run.db";
  WriteWholeFile(cluster.folder() / "t.yaml", tournament.yaml);
  ASSERT_EQ(Triarch({"run", cluster.folder() / "t.yaml", "--db", db}).exit_code, 0);
  const std::string url = cluster.postgres().Url(cluster.database());
  const Json json = Parsed(Triarch({"ratings", url, db, "--json"}));
  ASSERT_EQ(json["tournaments"].size(), 3u);
  EXPECT_EQ(json["tournaments"][1]["id"], 2);
  EXPECT_EQ(json["tournaments"][2]["repeats"]["id"], 1);
  EXPECT_EQ(json["standings"]["games"]["recorded"], 48);
  EXPECT_EQ(json["standings"]["bots"].size(), 3u);
  EXPECT_EQ(Parsed(Triarch({"ratings", url, "--tournament", "2", "--json"}))["standings"]["bots"],
            Parsed(cluster.Operate({"standings", "2", "--json"}))["bots"]);
  EXPECT_EQ(Triarch({"standings", "2", "--db", url}).out, cluster.Operate({"standings", "2"}).out);
  EXPECT_THAT(Triarch({"standings", "--db", url}).err,
              HasSubstr("contains several tournaments; give an ID: 1 ("));
}

TEST(Operate, PausesResumesAndCancels) {
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
  // Earlier reports may still be on their way into the store.
  int64_t done = -1;
  while (WaitUntil([&] { return cluster.GamesDone(other) != done; }, std::chrono::seconds(1))) {
    done = cluster.GamesDone(other);
  }
  EXPECT_LT(done, 240);
  ExpectOneLine(cluster.Operate({"resume", std::to_string(other)}), 1, "cancelled");
  const Ran watched = cluster.Operate({"watch", std::to_string(other)});
  EXPECT_EQ(watched.exit_code, 1);
  EXPECT_EQ(watched.out, cluster.Operate({"standings", std::to_string(other)}).out);
  EXPECT_THAT(watched.err, HasSubstr("error: tournament 2 was cancelled: " + std::to_string(done) +
                                     " of 240 games were recorded\n"));
  EXPECT_EQ(cluster.GamesDone(other), done) << "games of a cancelled tournament were recorded";
}

// A pause persists when the next coordinator takes over, which continues from the store.
TEST(Operate, StatesSurviveTheCoordinator) {
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

TEST(Operate, ErrorsAreOneLineWithAnExitCode) {
  Cluster cluster;
  WriteWholeFile(cluster.folder() / "t.yaml", SmallTournament().yaml);
  WriteWholeFile(cluster.folder() / "bad.yaml", "game: chess\nbots: [random]\n");
  const std::string file = cluster.folder() / "t.yaml";
  for (const Arguments& command :
       std::vector<Arguments>{{"list"}, {"submit", file}, {"standings", "1"}}) {
    ExpectOneLine(cluster.Operate(command), 1, "no coordinator leads: " + cluster.address());
  }
  cluster.Lead();
  for (const std::string command : {"watch", "pause", "resume", "cancel", "standings", "games"}) {
    ExpectOneLine(cluster.Operate({command, "7"}), 1, "7");
    EXPECT_EQ(cluster.Operate({command, "seven"}).exit_code, 2) << command;
  }
  ExpectOneLine(cluster.Operate({"submit", cluster.folder() / "none.yaml"}), 1, "none.yaml");
  ExpectOneLine(cluster.Operate({"submit", cluster.folder() / "bad.yaml"}), 1, "chess");
  ExpectOneLine(Triarch({"list", "--coordinator", "nowhere"}), 2, "--coordinator");
  ExpectOneLine(Triarch({"work", "--coordinator", "127.0.0.1:99999"}), 2, "--coordinator");
  ExpectOneLine(Triarch({"serve", "--store", "x.db", "--listen", "0.0.0.0:0"}), 2, "--token-file");
  ExpectOneLine(Triarch({"serve", "--store", "x.db", "--listen", "here"}), 2, "--listen");
  EXPECT_EQ(Triarch({"serve"}).exit_code, 2);
  EXPECT_EQ(Triarch({"work"}).exit_code, 2);
  EXPECT_EQ(Triarch({"submit", file}).exit_code, 2);
  EXPECT_EQ(Triarch({"list", "--coordinator", cluster.address(), "--nonsense"}).exit_code, 2);
  // A second coordinator on the same port does not affect the first.
  const Ran second =
      Triarch({"serve", "--store", cluster.folder() / "other.db", "--listen", cluster.address()});
  EXPECT_EQ(second.exit_code, 1);  // gRPC prints a line about it too
  EXPECT_THAT(second.err, HasSubstr("cannot listen at"));
  EXPECT_EQ(cluster.Operate({"list"}).exit_code, 0);
}

int Count(const std::string& text, const std::string& what) {
  int count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// Waits until the terminal shows the text, or no longer does.
void ExpectShown(const Terminal& terminal, const std::string& what, bool is_shown = true) {
  const bool is_so =
      WaitUntil([&] { return (terminal.Screen().find(what) != std::string::npos) == is_shown; });
  EXPECT_TRUE(is_so) << (is_shown ? "not shown: " : "still shown: ") << what << "\n"
                     << terminal.Screen();
}

TEST(Operate, WatchUpdatesInPlaceOnATerminal) {
  const Tournament tournament{
      "game: triumvirate\n"
      "bots: [random, greedy, 'mcts:nodes=400', 'paranoid:nodes=2000']\n"
      "games: 240\n"
      "seed: 5\n",
      240};  // about 15 s on one core
  Cluster cluster({"--lease-seconds", "2"});
  cluster.Lead();
  cluster.Submit(tournament);
  const Arguments watch = {"watch", "1", "--coordinator", cluster.addresses()};
  Terminal terminal(watch, 110, 50);
  const auto plain = StartTriarch(watch);
  ExpectShown(terminal,
              "]  0/240 games  0%\nactive  no workers\n\nTriumvirate tournament: 0 of 240");
  cluster.Work("anna");
  ExpectShown(terminal, "1 worker, ");
  ASSERT_TRUE(cluster.WaitForGames(1, 4));
  cluster.KillWorker("anna");
  EXPECT_EQ(cluster.Operate({"pause", "1"}).exit_code, 0);
  ExpectShown(terminal, "\npaused (triarch resume 1)");
  EXPECT_TRUE(plain->WaitForError("paused (triarch resume 1)\n"));
  ExpectShown(terminal, "±95%");
  ExpectShown(terminal, "ahead of");  // heading of the cross table

  terminal.Resize(60, 12);
  ExpectShown(terminal, " more lines\n");
  for (const std::string once : {"]  ", "±95%", "paused"}) {
    EXPECT_EQ(Count(terminal.Screen(), once), 1) << terminal.Screen();
  }

  cluster.Kill();
  ExpectShown(terminal, "\nno coordinator for 0:0");
  EXPECT_TRUE(plain->WaitForError("no coordinator leads: "));
  EXPECT_THAT(terminal.Screen(), HasSubstr("±95%")) << "the last standings stay visible";
  cluster.Lead(1);  // the standby
  ExpectShown(terminal, "no coordinator", false);
  EXPECT_TRUE(plain->WaitForError("the coordinator answers again"));
  terminal.Resize(110, 50);
  cluster.Work("bert", {"--coordinator", cluster.address(1)});
  EXPECT_EQ(cluster.Operate({"resume", "1"}).exit_code, 0);

  EXPECT_EQ(terminal.Wait(), 0) << terminal.Screen();
  const Ran watched = plain->Wait();
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  const std::string standings = cluster.Operate({"standings", "1"}).out;
  EXPECT_EQ(watched.out, standings);
  EXPECT_THAT(terminal.Screen(),
              AllOf(HasSubstr("]  240/240 games  100%\ndone  "), EndsWith("\n\n" + standings)));
  EXPECT_EQ(Count(terminal.Screen(), "]  "), 1) << terminal.Screen();
}

TEST(Operate, CtrlCEndsWatchingButNotTheTournament) {
  Cluster cluster;
  cluster.Lead();
  cluster.Submit(SmallTournament());
  Terminal terminal({"watch", "1", "--coordinator", cluster.address()}, 80, 24);
  ExpectShown(terminal, "active  no workers");
  terminal.Type("\x03");
  EXPECT_EQ(terminal.Wait(), 1);
  EXPECT_THAT(terminal.Screen(),
              EndsWith("\nerror: interrupted: 0 of 24 games were recorded; tournament 1 is "
                       "unchanged\n"));
  EXPECT_EQ(cluster.Get(1)->state(), "active");

  // Also while no coordinator answers: a stopped one accepts calls but does not respond.
  Terminal other({"watch", "1", "--coordinator", cluster.address()}, 80, 24);
  ExpectShown(other, "active  no workers");
  cluster.coordinator().Signal(SIGSTOP);
  ExpectShown(other, "no coordinator for 0:0");
  other.Type("\x03");
  EXPECT_EQ(other.Wait(), 1);
}

TEST(Operate, WatchRetriesUntilACoordinatorAnswers) {
  Cluster cluster;
  cluster.Lead();
  EXPECT_EQ(cluster.Submit(SmallTournament()), 1);
  cluster.Kill();
  const Arguments watch = {"watch", "1", "--coordinator", cluster.addresses()};
  Terminal terminal(watch, 110, 50);
  const auto plain = StartTriarch(watch);
  const auto json = StartTriarch(watch + Arguments{"--json"});
  const auto interrupted = StartTriarch(watch);
  for (StartedProgram* const one : {plain.get(), json.get(), interrupted.get()}) {
    EXPECT_TRUE(one->WaitForError("Connection refused; retrying\n"));
  }
  ExpectShown(terminal, "no coordinator for 0:0");
  EXPECT_EQ(Count(terminal.Screen(), "games"), 0) << terminal.Screen();
  interrupted->Signal(SIGINT);
  const Ran ran = interrupted->Wait();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, EndsWith("error: interrupted before a coordinator answered; tournament 1 is "
                                "unchanged\n"));

  cluster.Lead(1);
  ExpectShown(terminal, "]  0/24 games  0%\nactive  no workers");
  EXPECT_TRUE(plain->WaitForError("the coordinator answers again"));
  cluster.Work("anna", {"--coordinator", cluster.address(1)});
  EXPECT_EQ(terminal.Wait(), 0) << terminal.Screen();
  const std::string standings = cluster.Operate({"standings", "1"}).out;
  EXPECT_THAT(terminal.Screen(), EndsWith("\n\n" + standings));
  EXPECT_EQ(plain->Wait().out, standings);
  EXPECT_EQ(json->Wait().exit_code, 0);
}

TEST(Operate, WithoutPostgresWatchContinuesAndOthersFail) {
  Cluster cluster;
  cluster.Lead();
  EXPECT_EQ(cluster.Submit(SmallTournament()), 1);
  cluster.postgres().Kill();
  Terminal terminal({"watch", "1", "--coordinator", cluster.addresses()}, 110, 50);
  ExpectShown(terminal, "]  0/24 games  0%\nactive  no workers");
  for (const Arguments& command : std::vector<Arguments>{
           {"standings", "1"}, {"pause", "1"}, {"submit", cluster.folder() / "tournament.yaml"}}) {
    const Ran ran = cluster.Operate(command);
    ExpectOneLine(ran, 1, "database ");
    EXPECT_EQ(Count(ran.err, "no coordinator"), 0) << ran.err;
    const bool is_submit = command[0] == "submit";
    EXPECT_EQ(Count(ran.err, "check with `triarch list`"), is_submit ? 1 : 0) << ran.err;
  }
  EXPECT_THAT(terminal.Screen(), HasSubstr("\nactive  no workers"));
  cluster.postgres().Start();
  ExpectShown(terminal, "tournament: 0 of 24");
  cluster.Work("anna");
  EXPECT_EQ(terminal.Wait(), 0) << terminal.Screen();
}

TEST(Operate, WatchEndsIfStandingsAreUnavailable) {
  Cluster cluster;
  cluster.Lead();
  EXPECT_EQ(cluster.Submit(SmallTournament()), 1);
  cluster.Work("anna");
  ASSERT_TRUE(WaitUntil([&] {
    const auto now = cluster.Get(1);
    return now.ok() && now->state() == "done";
  }));
  cluster.postgres().Ask(cluster.database(), "ALTER TABLE tallies RENAME TO lost");
  const auto json = StartTriarch({"watch", "1", "--coordinator", cluster.address(), "--json"});
  Terminal terminal({"watch", "1", "--coordinator", cluster.address()}, 110, 50);
  const Ran watched = cluster.Operate({"watch", "1"});
  EXPECT_EQ(watched.exit_code, 0);
  EXPECT_EQ(watched.out, "");
  EXPECT_THAT(watched.err, HasSubstr("no standings: database "));
  EXPECT_EQ(terminal.Wait(), 0);
  EXPECT_THAT(terminal.Screen(),
              AllOf(HasSubstr("]  24/24 games  100%\ndone  "), HasSubstr("\nno standings: ")));
  const Ran ran = json->Wait();
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(Count(ran.out, "\n"), 1) << ran.out;
  EXPECT_EQ(Json::parse(ran.out)["state"], "done");
  EXPECT_THAT(ran.err, HasSubstr("no standings: "));
}

TEST(Operate, FindsTheLeaderInAnyPosition) {
  Cluster cluster;
  cluster.Lead(1);
  cluster.Serve(0);
  ASSERT_TRUE(cluster.coordinator(0).WaitForError("Standing by"));
  const Tournament tournament = SmallTournament();
  EXPECT_EQ(cluster.Submit(tournament), 1);
  EXPECT_EQ(cluster.Operate({"pause", "1"}).out, "tournament 1 is paused\n");
  EXPECT_EQ(Parsed(cluster.Operate({"list", "--json"}))["tournaments"][0]["state"], "paused");
  EXPECT_EQ(cluster.Operate({"resume", "1"}).out, "tournament 1 is active\n");
  cluster.Work("anna", {"--coordinator", cluster.addresses()});
  EXPECT_EQ(cluster.Operate({"watch", "1"}).exit_code, 0);
  cluster.ExpectUndisturbed(1, tournament);  // requests standings and games
  ExpectOneLine(cluster.Operate({"cancel", "1"}), 1,
                "error: tournament 1 is done, which is final\n");

  cluster.Kill(0);
  cluster.Kill(1);
  const Ran list = cluster.Operate({"list"});
  EXPECT_EQ(list.exit_code, 1);
  EXPECT_EQ(list.err, "error: no coordinator leads: " + cluster.address(0) +
                          ": Connection refused; " + cluster.address(1) + ": Connection refused\n");
}

// A coordinator that was replaced but does not know it yet. A real one notices within two seconds.
TEST(Operate, SkipsAReplacedCoordinator) {
  Cluster cluster;
  const std::string url = cluster.postgres().TcpUrl(cluster.database());
  auto store = OpenPostgresStore(url, OpenMode::kCreate);
  ASSERT_TRUE(store.ok()) << store.status();
  const auto epoch = (*store)->TryLead();
  ASSERT_TRUE(epoch.ok() && *epoch) << epoch.status();
  CoordinatorMetrics metrics;
  const auto coordinator = Coordinator::Start({}, **epoch, *std::move(store), nullptr, &metrics);
  ASSERT_TRUE(coordinator.ok()) << coordinator.status();
  Server::Options options;
  options.address = cluster.address(0);
  const auto server = Server::Start(std::move(options), coordinator->get(), &metrics);
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_EQ(cluster.Submit(SmallTournament()), 1);

  cluster.Serve(1);
  ASSERT_TRUE(cluster.coordinator(1).WaitForError("Standing by"));
  ASSERT_TRUE(WaitUntil([&] {
    cluster.postgres().Ask(cluster.database(),
                           "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = "
                           "'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = "
                           "current_database())");
    return WaitUntil([&] { return cluster.Leads(1); }, std::chrono::seconds(2));
  }));
  EXPECT_EQ(cluster.Operate({"pause", "1"}).out, "tournament 1 is paused\n");
  EXPECT_EQ(cluster.Submit(SmallTournament()), 2);
  EXPECT_EQ(cluster.postgres().Ask(cluster.database(),
                                   "SELECT string_agg(state, ' ' ORDER BY id) FROM tournaments"),
            "paused active");
  cluster.Kill(1);
  ExpectOneLine(cluster.Operate({"resume", "1"}), 1, "another coordinator has taken over");
  (*coordinator)->Stop();
}

TEST(Operate, MigrateCreatesTheSchemaOnce) {
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
