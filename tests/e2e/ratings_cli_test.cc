// Tests `triarch ratings` on databases of the real binary.

#include <sqlite3.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coordinator/store/store.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Plays 24 games of random, greedy and the other bots of a file's list, into a new database.
void Play(const std::string& db, const std::string& bots, const std::string& rest = "") {
  const std::string file = db + ".yaml";
  WriteWholeFile(file, "game: triumvirate\nbots:\n- random\n- greedy\n" + bots +
                           "games: 24\noutput: {db: " + db + "}\n" + rest);
  const Ran ran = Triarch({"run", file});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
}

// Makes the databases of all tests once.
class CliRatings : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    fs::copy(TRIARCH_EXAMPLE_BOTS "/random_bot.so", *folder_ / "old.so");
    fs::copy(TRIARCH_EXAMPLE_BOTS "/random_bot.so", *folder_ / "new.so");
    // Bytes after the end of a library do not change what it does, only its digest.
    WriteWholeFile(*folder_ / "new.so", ReadWholeFile(*folder_ / "old.so") + "new");
    Play(Db("old"), "- {name: mine, library: old.so}\n- {name: p, bot: paranoid, depth: 1}\n");
    Play(Db("new"), "- {name: mine, library: new.so}\n- {name: pa, bot: paranoid, depth: 1}\n",
         "seed: 2\n");
    Play(Db("option"), "- {name: pa, bot: paranoid, depth: 1, resign: 5}\n", "seed: 3\n");
    Play(Db("limits"), "- mcts\n", "time_control: {nodes: 20}\n");
    ASSERT_EQ(Triarch({"run", "--game", "tri-d", "--bots", "random,greedy", "--games", "6", "--db",
                       Db("tri-d")})
                  .exit_code,
              0);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static std::string Db(const std::string& name) { return *folder_ / name + ".db"; }
  static Ran Ratings(const std::vector<std::string>& names, const Arguments& flags = {}) {
    Arguments arguments = {"ratings"};
    for (const std::string& name : names) arguments.push_back(Db(name));
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    Ran ran = Triarch(arguments);
    EXPECT_EQ(ran.exit_code, 0) << Shown(arguments) << ran.err;
    return ran;
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* CliRatings::folder_ = nullptr;

// Returns the names of the rated bots, sorted, without the digits of their versions' digests.
std::vector<std::string> NamesOf(const Json& json) {
  std::vector<std::string> names;
  for (const Json& bot : json["standings"]["bots"]) {
    std::string name = bot["name"];
    if (name.starts_with("mine@")) name = "mine@…";
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(CliRatings, PoolsARenamedBotAndTellsBuildsOfAnotherApart) {
  const Json json = Json::parse(Ratings({"old", "new"}, {"--json"}).out);
  EXPECT_EQ(NamesOf(json),
            (std::vector<std::string>{"greedy", "mine@…", "mine@…", "pa", "random"}));
  EXPECT_EQ(json["standings"]["games"]["recorded"], 48);
  EXPECT_EQ(json["tournaments"][0]["bots"]["p"], "pa");
  ASSERT_EQ(json["histories"].size(), 1u);
  const Json& versions = json["histories"][0]["versions"];
  EXPECT_EQ(json["histories"][0]["name"], "mine");
  EXPECT_EQ(versions[0]["bot"], json["tournaments"][0]["bots"]["mine"]);
  EXPECT_EQ(versions[1]["bot"], json["tournaments"][1]["bots"]["mine"]);
  EXPECT_GT(versions[1]["change"]["error"], 0);

  const std::string text = Ratings({"old", "new"}, {"--anchor", "random"}).out;
  for (const std::string part : {"Pool of 2 tournaments in 2 databases", "pa was also p",
                                 "Triumvirate ratings: 48 games", "random is 0", "Change"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(CliRatings, ABotJoinsADatabase) {
  fs::copy(Db("old"), Db("pool"));
  const Ran added = Triarch({"run", "--bots", "maxn:depth=1,random,greedy", "--format", "gauntlet",
                             "--games", "6", "--db", Db("pool")});
  ASSERT_EQ(added.exit_code, 0) << added.err;
  const Json json = Json::parse(Ratings({"pool"}, {"--json"}).out);
  EXPECT_EQ(NamesOf(json),
            (std::vector<std::string>{"greedy", "maxn:depth=1", "mine", "p", "random"}));
  EXPECT_EQ(json["tournaments"][1]["id"], 2);
  EXPECT_EQ(json["standings"]["games"]["recorded"], 30);
  ExpectRefuses({"standings", "--db", Db("pool")}, 1,
                "several tournaments; give an ID: 1 (Triumvirate tournament), 2 (");
  const Json one = Json::parse(Triarch({"standings", "2", "--db", Db("pool"), "--json"}).out);
  EXPECT_EQ(
      one["bots"],
      Json::parse(Ratings({"pool"}, {"--json", "--tournament", "2"}).out)["standings"]["bots"]);
}

TEST_F(CliRatings, AChangedOptionIsAVersion) {
  const Json json = Json::parse(Ratings({"new", "option"}, {"--json"}).out);
  EXPECT_EQ(NamesOf(json),
            (std::vector<std::string>{"greedy", "mine", "pa@default", "pa@resign=5", "random"}));
}

TEST_F(CliRatings, OneDatabaseGetsItsStandings) {
  const Json json = Json::parse(Ratings({"old"}, {"--json", "--tournament", "1"}).out);
  const Json standings = Json::parse(Triarch({"standings", "--db", Db("old"), "--json"}).out);
  EXPECT_EQ(json["standings"]["bots"], standings["bots"]);
  EXPECT_EQ(json["standings"]["cross"], standings["cross"]);
  EXPECT_EQ(json["bots"][0]["build"].get<std::string>().size(), 12u) << "of the bundled bot";
  EXPECT_EQ(json["bots"][2]["digest"].get<std::string>().size(), 64u) << "of the plugin";
  EXPECT_EQ(json["bots"][2]["build"], nullptr);
}

TEST_F(CliRatings, ACopiedDatabaseCountsOnce) {
  fs::copy(Db("old"), Db("copy"));
  const Json json = Json::parse(Ratings({"old", "copy"}, {"--json"}).out);
  EXPECT_EQ(json["standings"]["games"]["recorded"], 24);
  EXPECT_EQ(json["tournaments"][1]["repeats"]["database"], Db("old"));
  EXPECT_NE(Ratings({"old", "copy"}).out.find("as " + Db("old") + " 1"), std::string::npos);
}

TEST_F(CliRatings, RefusesDifferentGamesAndLimitsUnlessAskedFor) {
  ExpectRefuses({"ratings", Db("old"), Db("tri-d")}, 1, "choose one with --game");
  EXPECT_NE(Ratings({"old", "tri-d"}, {"--game", "tri-d"}).out.find("Tri-D ratings: 6 games"),
            std::string::npos);
  ExpectRefuses({"ratings", Db("old"), Db("limits")}, 1, "time_control.nodes is 20, not unset");
  const Json json = Json::parse(Ratings({"old", "limits"}, {"--mix-limits", "--json"}).out);
  EXPECT_EQ(json["mixed_limits"], true);
  // Limits on nodes do not matter to random and greedy, so they connect the databases.
  EXPECT_EQ(NamesOf(json), (std::vector<std::string>{"greedy", "mcts", "mine", "p", "random"}));
  for (const Json& bot : json["standings"]["bots"]) EXPECT_EQ(bot["connected"], true) << bot;
}

TEST_F(CliRatings, BundledBotsOfAnotherBuildAreOtherBotsUnlessAskedFor) {
  // Only another build could play this.
  fs::copy(Db("new"), Db("build"));
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(Db("build").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, "UPDATE bots SET digest = 'aaaabbbbcccc'", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(db);
  const std::vector<std::string> names =
      NamesOf(Json::parse(Ratings({"option", "build"}, {"--json"}).out));
  EXPECT_EQ(std::count(names.begin(), names.end(), "greedy@aaaabbbb"), 1);
  EXPECT_EQ(names.size(), 7u);
  EXPECT_NE(Ratings({"option", "build"}).out.find("Builds  bundled bots of 2 builds"),
            std::string::npos);
  EXPECT_EQ(NamesOf(Json::parse(Ratings({"option", "build"}, {"--json", "--any-build"}).out)),
            (std::vector<std::string>{"greedy", "mine", "pa@default", "pa@resign=5", "random"}));
}

TEST_F(CliRatings, RefusesWhatItCannotRead) {
  ExpectRefuses({"ratings"}, 2, "DB: expected at least one database");
  ExpectRefuses({"ratings", Db("old"), *folder_ / "./old.db"}, 2, "are the same database");
  ExpectRefuses({"ratings", Db("old"), Db("new"), "--tournament", "1"}, 2, "--tournament");
  ExpectRefuses({"ratings", Db("old"), "--game", "chess"}, 2, "--game: unknown game");
  ExpectRefuses({"ratings", Db("old"), "--tournament", "7"}, 1, "there is no tournament 7");
  ExpectRefuses({"ratings", Db("old"), "--anchor", "nobody"}, 1, "anchor \"nobody\"");
  ExpectRefuses({"ratings", Db("old"), Db("missing")}, 1, "there is no database");
  WriteWholeFile(Db("text"), "This is not a database, but it is long enough to look like one.\n");
  ExpectRefuses({"ratings", Db("text")}, 1, "text.db");
  { ASSERT_TRUE(OpenSqliteStore(Db("empty"), OpenMode::kCreate).ok()); }
  ExpectRefuses({"ratings", Db("empty")}, 1, "empty.db: there are no rated games");
  ExpectRefuses({"ratings", "postgresql://nobody:secret@127.0.0.1:1/none"}, 1,
                "postgresql://nobody@127.0.0.1:1/none");
}

}  // namespace
}  // namespace triarch
