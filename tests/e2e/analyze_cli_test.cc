// Tests `triarch analyze` on recorded games.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kJudge = "paranoid:nodes=300:net=none";

Ran Analyze(Arguments arguments) {
  arguments.insert(arguments.begin(), {"analyze", "--bot", std::string(kJudge)});
  return Triarch(arguments);
}

Json AnalyzeJson(Arguments arguments) {
  arguments.emplace_back("--json");
  const Ran ran = Analyze(arguments);
  EXPECT_EQ(ran.exit_code, 0) << Shown(arguments) << ": " << ran.err;
  return Json::parse(ran.out, nullptr, false);
}

// Returns the movetext without comments, glyphs and variations, and without line breaks.
std::string MovesOf(const std::string& tpgn) {
  std::string moves;
  char closing = 0;
  for (const char c : tpgn.substr(tpgn.find("\n\n") + 2)) {
    if (closing != 0) {
      if (c == closing) closing = 0;
    } else if (c == '{' || c == '(') {
      closing = c == '{' ? '}' : ')';
    } else {
      moves += c == '\n' ? ' ' : c;
    }
  }
  std::string words;
  size_t begin = 0;
  while ((begin = moves.find_first_not_of(' ', begin)) != std::string::npos) {
    const size_t end = std::min(moves.find(' ', begin), moves.size());
    const std::string word = moves.substr(begin, end - begin);
    // In a game of two, a comment before Black's move brings its number.
    if (word[0] != '$' && !word.ends_with("...")) words += word + " ";
    begin = end;
  }
  return words;
}

std::string PlayGames(const TemporaryFolder& folder, const std::string& game,
                      const std::string& bots, const std::string& games) {
  const std::string db = folder / (game + ".db");
  const Ran ran =
      Triarch({"run", "--game", game, "--bots", bots, "--games", games, "--seed", "5", "--db", db});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return db;
}

// The files hold games with eliminated seats, forfeits, resignations out of turn, claims, fallback
// moves and early ends, and an unfinished one.
TEST(AnalyzeCli, AnnotatesEveryKindOfGame) {
  const TemporaryFolder folder;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TRIARCH_TEST_DATA "/tpgn")) {
    const std::string path = entry.path().string();
    const std::string annotated = folder / "annotated.tpgn";
    const Ran ran = Analyze({"--tpgn-in", path, "--tpgn", annotated});
    ASSERT_EQ(ran.exit_code, 0) << path << ": " << ran.err;
    ExpectPrints({"verify", annotated}, "1 game verified\n");
    const std::string text = ReadWholeFile(annotated);
    EXPECT_EQ(MovesOf(text), MovesOf(ReadWholeFile(path))) << path;
    EXPECT_NE(text.find("[Annotator \"paranoid:nodes=300:net=none\"]\n"), std::string::npos);
    EXPECT_NE(text.find("{[%eval "), std::string::npos) << path;
    ++count;
  }
  EXPECT_GE(count, 9);
}

TEST(AnalyzeCli, KeepsFallbackMovesAndEvents) {
  const Ran fallback =
      Analyze({"--tpgn-in", TRIARCH_TEST_DATA "/tpgn/fallback_moves.tpgn", "--tpgn", "-"});
  EXPECT_NE(fallback.out.find("] fallback}"), std::string::npos) << fallback.out;
  const Ran forfeits =
      Analyze({"--tpgn-in", TRIARCH_TEST_DATA "/tpgn/illegal_move_and_crash.tpgn", "--tpgn", "-"});
  EXPECT_NE(forfeits.out.find("{Red forfeits: illegal_move}"), std::string::npos) << forfeits.out;
  EXPECT_NE(forfeits.out.find("{White forfeits: crash}"), std::string::npos) << forfeits.out;
}

TEST(AnalyzeCli, AnalyzesOneGameOfEachKind) {
  const TemporaryFolder folder;
  for (const auto& [game, bots] : {std::pair("triumvirate", "random,greedy,smart:resign=25"),
                                   std::pair("three-way", "random,greedy,smart:resign=25"),
                                   std::pair("tri-d", "random,smart:resign=20")}) {
    const std::string db = PlayGames(folder, game, bots, "6");
    const Json json = AnalyzeJson({"--db", db, "--id", "1.1"});
    const Json played = Json::parse(Triarch({"games", "--db", db, "--id", "1.1", "--json"}).out);
    ASSERT_EQ(json["events"].size(), played["events"].size());
    const size_t seats = json["seats"].size();
    for (size_t i = 0; i < json["events"].size(); ++i) {
      const Json& event = json["events"][i];
      EXPECT_EQ(event["seat"], played["events"][i]["seat"]);
      EXPECT_EQ(event.value("move", ""), played["events"][i].value("move", ""));
      double sum = 0;
      for (const double points : event["after"]) sum += points;
      EXPECT_NEAR(sum, seats == 2 ? 1 : 1.5, 1e-3) << event;
      EXPECT_GE(event["loss"], 0);
      EXPECT_EQ(event["blunder"], event["loss"] >= 0.2);
      EXPECT_EQ(event["line"][0], event["best"]) << event;
    }
    EXPECT_EQ(AnalyzeJson({"--db", db, "--id", "1.1", "--slots", "3"}), json)
        << "the slots change nothing";
    const Ran table = Analyze({"--db", db, "--id", "1.1"});
    EXPECT_NE(table.out.find("judged by paranoid:nodes=300:net=none\n"), std::string::npos)
        << table.out;
    EXPECT_NE(table.out.find("given by the opening"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("per move  Blunders  Faults\n"), std::string::npos) << table.out;
  }
}

const Json& RowOf(const Json& json, const std::string& group, const std::string& name) {
  for (const Json& row : json["rows"]) {
    if (row["group"] == group && row["name"] == name) return row;
  }
  static const Json kNone;
  ADD_FAILURE() << "no row " << group << " " << name;
  return kNone;
}

double SumOf(const Json& json, const std::string& group) {
  double sum = 0;
  for (const Json& row : json["rows"]) sum += row["group"] == group ? row["loss"].get<double>() : 0;
  return sum;
}

TEST(AnalyzeCli, ShowsWhereABotLosesItsPoints) {
  const TemporaryFolder folder;
  for (const auto& [game, bots] :
       {std::pair("triumvirate", "random,greedy,smart"),
        std::pair("three-way", "random,greedy,smart"), std::pair("tri-d", "random,smart")}) {
    const std::string db = PlayGames(folder, game, bots, "6");
    const Json random = AnalyzeJson({"--db", db, "--of", "random"});
    const Json smart = AnalyzeJson({"--db", db, "--of", "smart"});
    EXPECT_EQ(random["games"], 6);
    EXPECT_GT(RowOf(random, "", "all games")["loss_per_move"],
              RowOf(smart, "", "all games")["loss_per_move"])
        << game;
    const double total = RowOf(random, "", "all games")["loss"];
    for (const std::string group : {"phase", "seat", "by"}) {
      EXPECT_NEAR(SumOf(random, group), total, 1e-9) << game << " " << group;
    }
    EXPECT_NEAR(RowOf(random, "against", "smart")["loss"], total, 1e-9) << "it plays in all games";
    const Json& worst = random["worst"][0];
    EXPECT_GE(worst["loss"], random["worst"][9]["loss"]);
    const Json one = AnalyzeJson({"--db", db, "--id", worst["id"]});
    bool is_found = false;
    for (const Json& event : one["events"]) {
      is_found |= event["loss"] == worst["loss"] && event["ply"] == worst["ply"] &&
                  event["seat"] == worst["seat"];
    }
    EXPECT_TRUE(is_found) << worst;
  }
}

// In each game, the bot gives its queen away in its last move, for a pawn at most.
TEST(AnalyzeCli, AttributesAPlantedBlunder) {
  struct Planted {
    std::string tags;
    std::string moves;
    std::string seat;
    Json opponents;
  };
  const TemporaryFolder folder;
  const std::vector<Planted> planted = {
      {"[Variant \"Triumvirate\"]\n[White \"a\"]\n[Black \"giver\"]\n[Red \"b\"]\n",
       "1. G2-G3 C7-C5 J11-J10 2. B1-A3 K8-J6 G12-F10 3. A3-C4 B8-C6 F10-E4 4. G1-F3 D8-A5 *",
       "Black",
       {"a", "b"}},
      {"[Variant \"Three-Way\"]\n[White \"giver\"]\n[Gray \"a\"]\n[Black \"a\"]\n",
       "1. d5-d6 l6-j6 e12-f11 2. k2-k4 j8-i8+ d11-e9 3. g4xd10+ *",
       "White",
       {"a"}},
      {"[Variant \"Tri-D\"]\n[White \"a\"]\n[Black \"giver\"]\n",
       "1. d3W-d4N c7B-a6N 2. e0KL1-d0KL1 b7B-d6N 3. c3W-c5N b6B-c5N 4. d0KL1-e0KL1 c5N-d4N "
       "5. c1W-d0KL1 b8B-b3N *",
       "Black",
       {"a"}}};
  for (const Planted& game : planted) {
    const std::string path = folder / "planted.tpgn";
    // Before the blunder, a game in which the bot errs less.
    const size_t cut = game.moves.find(" 3. ");
    WriteWholeFile(path, "[Round \"1.1\"]\n" + game.tags + "\n" + game.moves.substr(0, cut) +
                             " *\n\n[Round \"1.2\"]\n" + game.tags + "\n" + game.moves + "\n");
    const Json json = AnalyzeJson({"--tpgn-in", path, "--of", "giver"});
    EXPECT_EQ(json["games"], 2);
    const Json& worst = json["worst"][0];
    EXPECT_EQ(worst["id"], "1.2");
    EXPECT_EQ(worst["seat"], game.seat);
    EXPECT_EQ(worst["phase"], "opening");
    EXPECT_EQ(worst["opponents"], game.opponents);
    EXPECT_NE(game.moves.find(" " + worst["played"].get<std::string>()), std::string::npos);
    EXPECT_GE(worst["loss"], 0.2);
    EXPECT_GE(RowOf(json, "phase", "opening")["loss"], worst["loss"]);
    EXPECT_GE(RowOf(json, "seat", game.seat)["blunders"], 1);
    EXPECT_GE(RowOf(json, "against", "a")["blunders"], 1);
  }
}

TEST(AnalyzeCli, SpreadsASampleOverTheGames) {
  const TemporaryFolder folder;
  const std::string db = PlayGames(folder, "triumvirate", "random,greedy,smart", "18");
  const Json some = AnalyzeJson({"--db", db, "--of", "random", "--games", "6"});
  EXPECT_EQ(some["games"], 6);
  EXPECT_EQ(some["games_there"], 18);
  std::set<std::string> seats;
  for (const Json& row : some["rows"]) {
    if (row["group"] == "seat" && row["games"] > 0) seats.insert(row["name"]);
  }
  EXPECT_GT(seats.size(), 1u);
}

// Plays its first legal moves. In Triumvirate, it expects half of the points and the others a
// quarter each.
constexpr std::string_view kJudgingBot = R"(moves=0
while read -r line; do
  case $line in
    uci)
      echo "option name UCI_Variant type combo default triumvirate var triumvirate"
      echo "option name LegalMoves type check default false"
      echo uciok ;;
    isready) echo readyok ;;
    ucinewgame) moves=0 ;;
    "position "*"moves "*) position=${line#*moves }; set -- $position; ply=$# ;;
    "position "*) ply=0 ;;
    "go "*)
      moves=$((moves + 1))
      [ $moves = CRASH ] && exit 3
      line=${line#*legal }
      case $((ply % 3)) in
        0) echo "info score shares 0.5 0.25 0.25" ;;
        1) echo "info score shares 0.25 0.5 0.25" ;;
        2) echo "info score shares 0.25 0.25 0.5" ;;
      esac
      echo "bestmove ${line%% *}" ;;
    quit) exit 0 ;;
  esac
done
)";

// Writes the bot to mine/bot.sh. It crashes when asked for that move of a game.
void WriteProcessBot(const TemporaryFolder& folder, const std::string& crash) {
  std::filesystem::create_directories(folder / "mine");
  std::string script(kJudgingBot);
  script.replace(script.find("CRASH"), 5, crash);
  WriteWholeFile(folder / "mine/bot.sh", script);
}

TEST(AnalyzeCli, CountsTheFaultsOfAProcessBot) {
  const TemporaryFolder folder;
  WriteProcessBot(folder, "4");
  WriteWholeFile(folder / "mine.yaml",
                 "game: triumvirate\nbots:\n"
                 "  - {name: mine, command: [sh, bot.sh], dir: ./mine, sandbox: none}\n"
                 "  - greedy\n  - smart\ngames: 6\nseed: 2\n");
  const Ran ran = Triarch({"run", folder / "mine.yaml", "--db", folder / "mine.db"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json json = AnalyzeJson({"--db", folder / "mine.db", "--of", "mine"});
  EXPECT_GT(RowOf(json, "by", "forfeits")["loss"], 1.5) << "six crashes in even positions";
  EXPECT_EQ(json["worst"][0]["played"], "forfeits: crash");
  EXPECT_EQ(json["worst"][0]["phase"], "opening");
}

TEST(AnalyzeCli, LetsAProcessBotJudge) {
  const TemporaryFolder folder;
  WriteProcessBot(folder, "never");
  const std::string path = folder / "game.tpgn";
  WriteWholeFile(path, "[Variant \"Triumvirate\"]\n\n1. D2-D3 C7-C6 L11-L9 2. C2-C3 I7-I5 *\n");
  const std::string bot = "judge=" + (folder / "mine/bot.sh") + ":sandbox=none";
  const Ran ran = Triarch({"analyze", "--tpgn-in", path, "--bot", bot, "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json["analyst"], "judge");
  ASSERT_EQ(json["events"].size(), 5u);
  // The next player judges the positions after the best and the played move.
  EXPECT_EQ(json["events"][3]["before"], Json({0.375, 0.75, 0.375}));
  EXPECT_EQ(json["events"][3]["after"], Json({0.375, 0.75, 0.375}));
  WriteProcessBot(folder, "1");
  // Several copies fail at the same time; the error of any is shown.
  ExpectRefuses({"analyze", "--tpgn-in", path, "--bot", bot}, 1,
                ": bot judge cannot judge the position: it exited: exit code 3");
}

TEST(AnalyzeCli, RefusesWhatDoesNotFit) {
  const std::string game = TRIARCH_TEST_DATA "/tpgn/checkmate.tpgn";
  ExpectRefuses({"analyze"}, 2, "expected --db FILE, --coordinator HOST:PORT or --tpgn-in FILE");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--games", "3"}, 2, "--games needs --of NAME");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--of", "a", "--id", "1.1"}, 2, "expected no --id");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--of", "a", "--tpgn", "-"}, 2,
                "expected no --tpgn");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--tpgn", game}, 2, "holds the game");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--of", "nobody"}, 1, "there is no game of nobody");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--bot", "greedy"}, 1, "it gives no evaluation");
  ExpectRefuses({"analyze", "--tpgn-in", game, "--bot", "gredy"}, 1, "--bot: ");
}

}  // namespace
}  // namespace triarch
