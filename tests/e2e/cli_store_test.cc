// Tests verify, games and standings on a recorded tournament.

#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;

constexpr const char* kGolden = TRIARCH_TEST_DATA "/tpgn/";

size_t LinesOf(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Plays one small tournament of four bots for all tests of the suite.
class CliStore : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const Ran ran = Triarch({"run", "--bots", "random,greedy,paranoid:depth=1,maxn:depth=1",
                             "--games", "24", "--seed", "5", "--db", Db(), "--tpgn", Tpgn()});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static std::string Db() { return *folder_ / "some.db"; }
  static std::string Tpgn() { return *folder_ / "some.tpgn"; }

  static TemporaryFolder* folder_;
};

TemporaryFolder* CliStore::folder_ = nullptr;

TEST_F(CliStore, ListsAllGames) {
  const Ran table = Triarch({"games", "--db", Db()});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(LinesOf(table.out), 25u) << table.out;
  EXPECT_EQ(Triarch({"games", "1", "--db", Db()}).out, table.out);
  Json games = Json::parse(Triarch({"games", "--db", Db(), "--json"}).out);
  ASSERT_EQ(games.size(), 24u);
  for (size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(games[i]["index"], i);
    EXPECT_EQ(games[i]["match"], i / 6);
    EXPECT_EQ(games[i]["seats"].size(), 3u);
  }
}

TEST_F(CliStore, ListsTheGamesOfOneBot) {
  Json all = Json::parse(Triarch({"games", "--db", Db(), "--json"}).out);
  Json some = Json::parse(Triarch({"games", "--db", Db(), "--json", "--bot", "greedy"}).out);
  Json expected = Json::array();
  for (const Json& game : all) {
    for (const Json& seat : game["seats"]) {
      if (seat["bot"] == "greedy") expected.push_back(game);
    }
  }
  EXPECT_EQ(some, expected);
  EXPECT_FALSE(some.empty());
  EXPECT_LT(some.size(), all.size());
  ExpectRefuses({"games", "--db", Db(), "--bot", "nobody"}, 1, "nobody");
}

TEST_F(CliStore, WritesTheSameTpgnAsTheRun) {
  const std::string path = *folder_ / "again.tpgn";
  ExpectPrints({"games", "--db", Db(), "--tpgn", path}, "");
  EXPECT_EQ(ReadWholeFile(path), ReadWholeFile(Tpgn()));
  ExpectPrints({"games", "--db", Db(), "--tpgn", "-"}, ReadWholeFile(Tpgn()));
  ExpectPrints({"verify", path}, "24 games verified\n");
  ExpectPrints({"verify", "-"}, "24 games verified\n", ReadWholeFile(path));
  ExpectRefuses({"games", "--db", Db(), "--tpgn", "-", "--json"}, 2, "--tpgn");
}

// A mistyped name must not cost the user a bot or a database.
TEST_F(CliStore, DoesNotReplaceAFileOfAnotherKind) {
  const std::string bot = *folder_ / "bot.py";
  WriteWholeFile(bot, "import triarch_bot\n");
  ExpectRefuses({"games", "--db", Db(), "--tpgn", bot}, 1, "bot.py is not a TPGN file");
  ExpectRefuses({"show", "--svg", bot}, 1, "bot.py is not an SVG file");
  const std::string db = *folder_ / "refused.db";
  ExpectRefuses({"run", "--bots", "random,greedy,smart", "--games", "6", "--db", db, "--tpgn", bot},
                1, "bot.py is not a TPGN file");
  EXPECT_FALSE(std::filesystem::exists(db));
  EXPECT_EQ(ReadWholeFile(bot), "import triarch_bot\n");
  const std::string empty = *folder_ / "empty.tpgn";
  WriteWholeFile(empty, "");
  ExpectPrints({"games", "--db", Db(), "--tpgn", empty}, "");
}

TEST_F(CliStore, PrintsStandings) {
  const Ran table = Triarch({"standings", "--db", Db()});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  for (const std::string bot : {"random", "greedy", "paranoid:depth=1", "maxn:depth=1"}) {
    EXPECT_NE(table.out.find(bot), std::string::npos) << table.out;
  }
  const Ran json = Triarch({"standings", "1", "--db", Db(), "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  EXPECT_TRUE(Json::accept(json.out)) << json.out;
}

TEST_F(CliStore, FailsOnWhatDoesNotExist) {
  const std::string missing = *folder_ / "missing.db";
  ExpectRefuses({"migrate", "--store", missing}, 1, "there is no database " + missing);
  EXPECT_FALSE(std::filesystem::exists(missing));
  ExpectRefuses({"games", "7", "--db", Db()}, 1, "7");
  ExpectRefuses({"standings", "7", "--db", Db()}, 1, "7");
  const std::string other = *folder_ / "other.db";
  WriteWholeFile(other,
                 "This is not a database, but it is long enough to look like one at first.\n");
  ExpectRefuses({"games", "--db", other}, 1, "other.db");
  ExpectRefuses({"standings", "--db", Tpgn()}, 1, "some.tpgn");
  ExpectRefuses({"standings", "--db", Db(), "--next-season", other}, 1,
                "--next-season: the tournament is not a league");
  struct stat about {};
  EXPECT_NE(stat((*folder_ / "missing.db").c_str(), &about), 0);
  ExpectRefuses({"games", "--db", *folder_ / "missing.db"}, 1, "missing.db");
  EXPECT_NE(stat((*folder_ / "missing.db").c_str(), &about), 0) << "reading created a database";
}

TEST(CliVerify, AcceptsGoldenGames) {
  for (const std::string name :
       {"abandoned", "adjudication_draw", "adjudication_win", "black_moves_first", "checkmate",
        "claimed_repetition", "illegal_move_and_crash", "resignation_off_turn_and_time_forfeit"}) {
    ExpectPrints({"verify", kGolden + name + ".tpgn"}, "1 game verified\n");
  }
  ExpectRefuses({"verify", "/dev/null"}, 1, "/dev/null: there are no games");
}

TEST(CliVerify, PrintsALineForEachFault) {
  const std::string good = ReadWholeFile(std::string(kGolden) + "checkmate.tpgn");
  std::string bad = good;
  const size_t move = bad.find("G2-G4");
  ASSERT_NE(move, std::string::npos);
  bad.replace(move, 5, "G2-G5");
  const Ran ran = Triarch({"verify", "-"}, good + bad + good + "[White \"x\"\n\n1. E2-E4 *\n");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(LinesOf(ran.out), 2u) << ran.out;
  EXPECT_TRUE(ran.out.starts_with("game 2: line ")) << ran.out;
  EXPECT_NE(ran.out.find("move 3, White: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\ngame 4: line "), std::string::npos) << ran.out;
  EXPECT_EQ(ran.err, "error: 2 of 4 games are wrong\n");
}

}  // namespace
}  // namespace triarch
