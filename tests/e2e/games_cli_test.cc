// Tests which games `triarch games` lists, in which order, and how it shows one.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

// Plays its first legal moves, and exits when asked for the fifth.
constexpr std::string_view kCrashingBot = R"(moves=0
while read -r line; do
  case $line in
    uci)
      echo "option name UCI_Variant type combo default tri-d var triumvirate"
      echo "option name LegalMoves type check default false"
      echo uciok ;;
    isready) echo readyok ;;
    ucinewgame) moves=0 ;;
    "go "*)
      moves=$((moves + 1))
      [ $moves = 5 ] && exit 3
      line=${line#*legal }
      echo "bestmove ${line%% *}" ;;
    quit) exit 0 ;;
  esac
done
)";

// Plays a tournament of three bots, one of which crashes, and one of two for all tests.
class GamesCli : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    std::filesystem::create_directory(*folder_ / "mine");
    WriteWholeFile(*folder_ / "mine/bot.sh", kCrashingBot);
    WriteWholeFile(
        *folder_ / "mine.yaml",
        "game: triumvirate\nbots:\n"
        "  - {name: mine, command: [sh, bot.sh], dir: ./mine, sandbox: none}\n"
        "  - random\n  - {name: deep, bot: paranoid, net: none, depth: 1}\ngames: 12\nseed: 2\n");
    const Ran ran =
        Triarch({"run", *folder_ / "mine.yaml", "--db", Db(), "--tpgn", *folder_ / "mine.tpgn"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static std::string Db() { return *folder_ / "mine.db"; }
  static Ran Games(const Arguments& more) {
    Arguments arguments = {"games", "--db", Db()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Triarch(arguments);
  }
  static Json List(Arguments more) {
    more.emplace_back("--json");
    const Ran ran = Games(more);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
  // Returns the games that meet a condition, in the order of their numbers.
  template <class Condition>
  static Json Where(Condition condition) {
    Json some = Json::array();
    for (const Json& game : List({})) {
      if (condition(game)) some.push_back(game);
    }
    EXPECT_FALSE(some.empty());
    EXPECT_LT(some.size(), 12u);
    return some;
  }
  static const Json& SeatOf(const Json& game, const std::string& bot) {
    const Json& seats = game["seats"];
    return *std::find_if(seats.begin(), seats.end(),
                         [&](const Json& seat) { return seat["bot"] == bot; });
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* GamesCli::folder_ = nullptr;

TEST_F(GamesCli, SaysThatABotForfeited) {
  const Ran table = Games({});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("checkmate; mine crash\n"), std::string::npos) << table.out;
}

TEST_F(GamesCli, ListsFaults) {
  EXPECT_EQ(List({"--faults", "--bot", "mine"}).size(), 12u) << "it crashes in every game";
  Json listed = List({"--faults"});
  for (Json& game : listed) EXPECT_EQ(game.erase("faults"), 1u) << "a report";
  EXPECT_EQ(listed, List({}));
  EXPECT_EQ(List({"--faults", "--bot", "deep"}), Json::array());
  EXPECT_EQ(Games({"--faults", "--bot", "deep"}).out,
            "The selected games have no faults of deep.\n");
  EXPECT_EQ(Games({"--round", "9"}).out, "There are no such games.\n");
}

// A ply is a move, and all commands number it from 1.
TEST_F(GamesCli, EveryCommandFindsAFaultAtTheSamePly) {
  const Json game = List({"--id", "1.1"});
  const int64_t ply = game["faults"][0]["ply"];
  const auto is_forfeit = [](const Json& event) { return event.contains("event"); };
  const Json& events = game["events"];
  const auto forfeit = std::find_if(events.begin(), events.end(), is_forfeit);
  ASSERT_NE(forfeit, events.end());
  EXPECT_EQ(forfeit - events.begin() + 1, ply) << "nothing but moves before it";
  EXPECT_EQ((*forfeit)["ply"], ply);
  EXPECT_EQ(events[0]["ply"], 1);
  const std::string number = std::to_string(ply);
  EXPECT_THAT(Games({"--faults", "--round", "1"}).out, HasSubstr(", ply " + number + ": "));
  EXPECT_THAT(Games({"--id", "1.1"}).out, HasSubstr(", ply " + number + "\n"));
  EXPECT_THAT(Triarch({"replay", "--db", Db(), "--id", "1.1"}).out,
              HasSubstr("\nply " + number + ": crash: "));
  // The bot saw the position after the ply before; after its forfeit, the next one moved.
  const std::string before = std::to_string(ply - 1);
  EXPECT_THAT(Triarch({"view", "--db", Db(), "--id", "1.1", "--ply", before}).out,
              HasSubstr("\nply " + before + "/"));
  EXPECT_THAT(Triarch({"view", "--db", Db(), "--id", "1.1", "--ply", number}).out,
              HasSubstr("\nply " + number + "/"));
  const Ran analysis =
      Triarch({"analyze", "--db", Db(), "--id", "1.1", "--bot", "paranoid:depth=1", "--json"});
  const Json analyzed = Json::parse(analysis.out, nullptr, false);
  EXPECT_EQ(analyzed["events"][static_cast<size_t>(ply) - 1]["ply"], ply);
}

TEST_F(GamesCli, ListsTheSeatsOfABot) {
  const Json black = Where([](const Json& game) { return game["seats"][1]["bot"] == "mine"; });
  EXPECT_EQ(List({"--bot", "mine", "--seat", "Black"}), black);
  EXPECT_EQ(List({"--bot", "mine", "--seat", "b"}), black);
  ExpectRefuses({"games", "--db", Db(), "--seat", "b"}, 2, "--seat needs --bot NAME");
  ExpectRefuses({"games", "--db", Db(), "--bot", "mine", "--seat", "Gray"}, 1,
                "expected one of White (w), Black (b), Red (r)");
}

TEST_F(GamesCli, ListsTerminations) {
  EXPECT_EQ(List({"--termination", "crash"}).size(), 12u) << "how one bot ended";
  EXPECT_EQ(List({"--termination", "crash", "--bot", "random"}), Json(Json::array()))
      << "no game ends so, and random does not crash";
  const Json mated = Where([](const Json& game) {
    return game["termination"] == "checkmate" || SeatOf(game, "deep")["ending"] == "checkmate";
  });
  EXPECT_EQ(List({"--termination", "checkmate", "--bot", "deep"}), mated);
  ExpectRefuses({"games", "--db", Db(), "--termination", "boredom"}, 2, "--termination");
}

TEST_F(GamesCli, ListsARoundAndSortsByPlies) {
  const Json second = Where([](const Json& game) { return game["match"] == 1; });
  EXPECT_EQ(List({"--round", "2"}), second);
  std::vector<int64_t> plies;
  std::set<std::string> ids;
  for (const Json& game : List({"--sort", "plies"})) {
    plies.push_back(game["plies"]);
    ids.insert(game["id"]);
  }
  EXPECT_TRUE(std::is_sorted(plies.rbegin(), plies.rend()));
  EXPECT_EQ(ids.size(), 12u);
}

TEST_F(GamesCli, WritesTheSelectedGamesInOrder) {
  const Ran ran = Games({"--round", "2", "--sort", "plies", "--tpgn", "-"});
  std::vector<std::string> expected;
  for (const Json& game : List({"--round", "2", "--sort", "plies"})) {
    expected.push_back("[Round \"" + std::string(game["id"]) + "\"]");
  }
  size_t at = 0;
  for (const std::string& tag : expected) {
    at = ran.out.find(tag, at);
    EXPECT_NE(at, std::string::npos) << tag;
  }
}

TEST_F(GamesCli, ShowsOneGame) {
  const Ran ran = Games({"--id", "2.8"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("game 2.8 of ")) << ran.out;
  EXPECT_NE(ran.out.find("forfeits: crash"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Fallbacks"), std::string::npos) << ran.out;
  const Json game = List({"--id", "2.8"});
  const Json listed = List({})[7];
  for (const auto& [key, value] : listed.items()) EXPECT_EQ(game[key], value) << key;
  EXPECT_EQ(std::count_if(game["events"].begin(), game["events"].end(),
                          [](const Json& event) { return event.contains("move"); }),
            game["plies"]);
  EXPECT_TRUE(Games({"--id", "2.8", "--tpgn", "-"}).out.find("[Round \"2.8\"]") !=
              std::string::npos);
}

TEST_F(GamesCli, ShowsAGameOfATpgnFile) {
  const std::string path = *folder_ / "mine.tpgn";
  const Ran ran = Triarch({"games", "--tpgn-in", path, "--id", "2.8"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("game 2.8 of ")) << ran.out;
  EXPECT_NE(ran.out.find("forfeits: crash"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("nodes"), std::string::npos) << ran.out;
  const Ran as_json = Triarch({"games", "--tpgn-in", path, "--id", "2.8", "--json"});
  const Json game = Json::parse(as_json.out, nullptr, false);
  Json stored = List({"--id", "2.8"});
  stored.erase("faults");
  for (Json& seat : stored["seats"]) {
    for (const char* cost : {"moves", "nodes", "time_us", "cpu_us"}) seat[cost] = nullptr;
  }
  EXPECT_EQ(game, stored) << "all but the costs and the reports";
  const Ran copied = Triarch({"games", "--tpgn-in", path, "--id", "2.8", "--tpgn", "-"});
  EXPECT_EQ(copied.out, Games({"--id", "2.8", "--tpgn", "-"}).out);
  ExpectRefuses({"games", "--tpgn-in", path}, 1, "12 games, from 1.1 to 2.12; name one with --id");
  ExpectRefuses({"games", "--tpgn-in", path, "--id", "2.8", "--bot", "mine"}, 2, "--tpgn-in shows");
  ExpectRefuses({"games", "--tpgn-in", path, "--tpgn", path}, 2, "is the input");
  ExpectRefuses({"games", "--tpgn-in", path, "--db", Db()}, 2, "not several");
}

TEST_F(GamesCli, WritesStrictFromToMoves) {
  const std::string path = *folder_ / "strict.tpgn";
  EXPECT_EQ(Games({"--tpgn", path, "--strict"}).exit_code, 0);
  const std::string strict = ReadWholeFile(path);
  EXPECT_EQ(strict.find_first_of("+#x", strict.find("\n\n1. ")), std::string::npos) << strict;
  ExpectPrints({"verify", path}, "12 games verified\n");
  const std::string one = Games({"--id", "2.8", "--tpgn", "-", "--strict"}).out;
  EXPECT_THAT(strict, HasSubstr(one));
  EXPECT_NE(one, Games({"--id", "2.8", "--tpgn", "-"}).out);
  ExpectPrints({"games", "--tpgn-in", path, "--id", "2.8", "--tpgn", "-", "--strict"}, one);
  ExpectRefuses({"games", "--db", Db(), "--strict"}, 2, "--strict requires --tpgn");
}

TEST_F(GamesCli, ShowsAnUnfinishedGame) {
  const std::string path = *folder_ / "open.tpgn";
  WriteWholeFile(path, "1. E2-E4 D7-D6 *\n");
  const Ran ran = Triarch({"games", "--tpgn-in", path});
  EXPECT_TRUE(ran.out.starts_with("game 1.1 of ?: unfinished, 2 plies\n")) << ran.out << ran.err;
  const Json game =
      Json::parse(Triarch({"games", "--tpgn-in", path, "--json"}).out, nullptr, false);
  EXPECT_EQ(game["result"], "*");
  EXPECT_TRUE(game["placement"].is_null() && game["seats"][0]["points"].is_null()) << game;
}

TEST_F(GamesCli, ShowsTheReportsOfOneBot) {
  const auto count = [](const Json& game) { return game.value("faults", Json::array()).size(); };
  EXPECT_EQ(count(List({"--id", "2.8", "--bot", "mine"})), 1u);
  EXPECT_EQ(count(List({"--id", "2.8", "--bot", "deep"})), 0u);
  ExpectRefuses({"games", "--db", Db(), "--id", "2.8", "--bot", "nobody"}, 1, "nobody");
}

// The store keeps 20 reports for each bot and kind of fault.
TEST_F(GamesCli, SaysHowManyForfeitsHaveNoReport) {
  const std::string hint = "Use --id to see the full report on a game.\n";
  const Ran all = Games({"--faults"});
  EXPECT_TRUE(all.out.ends_with("\n\n" + hint)) << all.out;
  const std::string db = *folder_ / "many.db";
  ASSERT_EQ(Triarch({"run", *folder_ / "mine.yaml", "--games", "24", "--db", db}).exit_code, 0);
  const Ran many = Triarch({"games", "--db", db, "--faults", "--bot", "mine"});
  EXPECT_TRUE(many.out.ends_with("\n\n" + hint +
                                 "4 forfeits have no report: the first 20 for each bot and kind of "
                                 "fault are kept.\n"))
      << many.out;
}

TEST_F(GamesCli, SaysWhichGamesExist) {
  const std::string there = "12 games, from 1.1 to 2.12";
  ExpectRefuses({"games", "--db", Db(), "--id", "1.99"}, 1, "there is no game 1.99; ");
  ExpectRefuses({"games", "--db", Db(), "--id", "1.99"}, 1, there);
  ExpectRefuses({"games", "--db", Db(), "--id", "1.8"}, 1, there);
  for (const std::string id : {"1", "0.1", "a.b", "1.1.1", ""}) {
    ExpectRefuses({"games", "--db", Db(), "--id", id}, 2, "--id: expected MATCH.GAME");
  }
  ExpectRefuses({"games", "--db", Db(), "--id", "1.1", "--faults"}, 2, "--id names one game");
}

}  // namespace
}  // namespace triarch
