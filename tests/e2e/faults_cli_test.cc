// Tests how an author finds the faults of a bot: fault files, `games --faults`, `replay` and logs.

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

// A bot with a fault of each kind, selected by an option.
constexpr std::string_view kFaultyBot = R"(import sys, time
import triarch_bot

kept = []

def choose(turn):
    fault = turn.options["Fault"]
    plies = len(turn.moves)
    if fault == "crash" and turn.seat == 'b' and plies > 6:
        print("thinking \x1b[2J", file=sys.stderr)
        raise ValueError("no piece on \x1b[31mE2")
    if fault == "promotion" and plies > 6:
        return "A7-A8=K"
    if fault == "late" and plies > 12:
        time.sleep(30)
    if fault == "flood" and plies > 6:
        for _ in range(100000):
            print("x" * 100, file=sys.stderr)
    if fault == "leak":
        kept.append(bytearray(b"x") * (200 << 20))
    return turn.legal[0]

faults = ["none", "crash", "promotion", "late", "flood", "leak"]
triarch_bot.run(choose, name="faulty 1.0", options={"Fault": triarch_bot.Combo(faults)})
)";

class FaultsCli : public ::testing::Test {
 protected:
  FaultsCli() {
    std::filesystem::create_directory(folder_ / "mine");
    WriteWholeFile(folder_ / "mine/bot.py", kFaultyBot);
    std::filesystem::copy(TRIARCH_SOURCE_DIR "/bots/sdk/python/triarch_bot.py", folder_ / "mine");
  }

  // Plays six games of the bot with that fault against two others, with a time limit for "late".
  Ran Run(const std::string& fault, const Arguments& more) {
    WriteWholeFile(folder_ / "mine.yaml",
                   "game: triumvirate\nbots:\n"
                   "  - {name: mine, command: [python3, bot.py], dir: ./mine, Fault: " +
                       fault +
                       "}\n  - random\n  - {name: other, bot: random}\ngames: 6\nseed: 3\n"
                       "adjudication: {plies_max: 30}\n"
                       "time_control: {movetime_ms: 2000, margin_ms: 1000}\n");
    Arguments arguments = {"run", folder_ / "mine.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Triarch(arguments);
  }
  // Returns the only fault file, or one of several.
  std::string AnyFaultFile() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "faults")) {
      return ReadWholeFile(entry.path());
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(FaultsCli, EachFaultLeavesAFile) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"crash", "what +it exited: exit code 1\nexit status +exit code 1\n"},
      {"promotion", "what +.*\nanswer +A7-A8=K\n"},
      {"late",
       "what +it did not answer in time: no answer after [0-9.]+ s; it had 2.000 s and a margin of "
       "1.000 s\n"},
      {"flood", "what +it wrote more than 1 MiB to its standard error\n"},
      {"leak", "what +it exited: "},
  };
  for (const auto& [fault, expected] : rows) {
    const Ran ran = Run(fault, {"--faults", folder_ / "faults"});
    ASSERT_EQ(ran.exit_code, 0) << fault << ran.err;
    const std::string text = AnyFaultFile();
    EXPECT_THAT(text, ContainsRegex(expected)) << fault;
    EXPECT_THAT(text, AllOf(ContainsRegex("^# mine: [a-z_]+ in game [12]\\.[1-6], "),
                            ContainsRegex("\nlimits +movetime_ms=2000\n"),
                            ContainsRegex("\nseed +[0-9]+ "), ContainsRegex("\nposition +[^ ]+ "),
                            ContainsRegex("\n[0-9]+\\.[0-9]{6} > go seat [wbr] movetime 2000 "),
                            HasSubstr("\n[Round \"")))
        << fault;
    std::filesystem::remove_all(folder_ / "faults");
  }
}

TEST_F(FaultsCli, ShowsTheWholeTracebackWithoutControlCharacters) {
  ASSERT_EQ(Run("crash", {"--faults", folder_ / "faults"}).exit_code, 0);
  const std::string text = AnyFaultFile();
  EXPECT_THAT(text, AllOf(HasSubstr("Traceback (most recent call last):"), HasSubstr("in choose"),
                          HasSubstr("ValueError: no piece on \\x1b[31mE2"),
                          HasSubstr("thinking \\x1b[2J"), Not(HasSubstr("\x1b"))));
}

TEST_F(FaultsCli, ACrashInOneSeatIsFoundInOneCommand) {
  const Ran ran = Run("crash", {"--db", folder_ / "mine.db"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string command =
      "triarch games --db " + (folder_ / "mine.db") + " --faults --bot mine";
  EXPECT_THAT(ran.out, HasSubstr(command));
  EXPECT_THAT(Triarch({"standings", "--db", folder_ / "mine.db"}).out, HasSubstr(command));
  const Ran list = Triarch({"games", "--db", folder_ / "mine.db", "--faults", "--bot", "mine"});
  EXPECT_THAT(list.out, HasSubstr("mine, Black, ply "));
  EXPECT_THAT(list.out, HasSubstr("it exited: exit code 1 (File \""));
  EXPECT_THAT(list.out, HasSubstr("bot.py\", line 11, in choose: ValueError: no piece on"));
  EXPECT_THAT(list.out, Not(HasSubstr("mine, White, ply "))) << "it crashes only as Black";

  const Json games = Json::parse(
      Triarch({"games", "--db", folder_ / "mine.db", "--faults", "--json"}).out, nullptr, false);
  ASSERT_FALSE(games.empty());
  const Json& fault = games[0]["faults"][0];
  EXPECT_EQ(fault["seat"], "Black");
  EXPECT_EQ(fault["kind"], "crash");
  EXPECT_THAT(fault["errors"].get<std::string>(), HasSubstr("Traceback"));
  const Ran game =
      Triarch({"games", "--db", folder_ / "mine.db", "--id", games[0]["id"].get<std::string>()});
  EXPECT_THAT(game.out, AllOf(HasSubstr("Traceback"), HasSubstr(" > go seat b ")));
}

TEST_F(FaultsCli, ReplayRepeatsTheFaultUntilItIsFixed) {
  ASSERT_EQ(Run("crash", {"--db", folder_ / "mine.db"}).exit_code, 0);
  const Json games = Json::parse(
      Triarch({"games", "--db", folder_ / "mine.db", "--faults", "--json"}).out, nullptr, false);
  const Arguments replay = {"replay", "--db", folder_ / "mine.db", "--id",
                            games[0]["id"].get<std::string>()};
  const Ran again = Triarch(replay);
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out,
              AllOf(HasSubstr("mine as Black, seed "), HasSubstr(" 0 of them not as recorded"),
                    HasSubstr("crash: it exited: exit code 1"), HasSubstr("Traceback")));

  std::string fixed = ReadWholeFile(folder_ / "mine/bot.py");
  fixed.replace(fixed.find("turn.seat == 'b'"), 16, "turn.seat == 'x'");
  WriteWholeFile(folder_ / "mine/bot.py", fixed);
  const Ran repaired = Triarch(replay);
  EXPECT_EQ(repaired.exit_code, 0) << repaired.out << repaired.err;
  EXPECT_THAT(repaired.out, AllOf(HasSubstr("; in the record it forfeited here: crash\n"),
                                  HasSubstr(" 0 of them not as recorded\n")));
}

TEST_F(FaultsCli, ReplayComparesTheAnswersOfABotThatDidNotFail) {
  ASSERT_EQ(Run("none", {"--db", folder_ / "mine.db"}).exit_code, 0);
  const Arguments replay = {"replay", "--db", folder_ / "mine.db", "--id", "1.2", "--bot", "mine"};
  const Ran same = Triarch(replay);
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(same.out, ContainsRegex("\n[1-9][0-9]* answers?, 0 of them not as recorded\n"));
  std::string changed = ReadWholeFile(folder_ / "mine/bot.py");
  changed.replace(changed.find("turn.legal[0]"), 13, "turn.legal[-1]");
  WriteWholeFile(folder_ / "mine/bot.py", changed);
  const Ran other = Triarch(replay);
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("; the record has "));
  ExpectRefuses({"replay", "--db", folder_ / "mine.db", "--id", "1.2"}, 2, "name one of ");
  ExpectRefuses({"replay", "--db", folder_ / "mine.db", "--id", "1.2", "--bot", "nobody"}, 2,
                "--bot: nobody does not play this game");
}

TEST_F(FaultsCli, ReplayReadsTpgnIfTheBotIsGiven) {
  ASSERT_EQ(Run("crash", {"--tpgn", folder_ / "mine.tpgn"}).exit_code, 0);
  Arguments replay = {"replay", "--tpgn-in", folder_ / "mine.tpgn", "--id", "1.2", "--bot", "mine"};
  ExpectRefuses(replay, 2, "give the bot with --with");
  replay.insert(replay.end(), {"--with", "m=" + (folder_ / "mine/bot.py")});
  const Ran ran = Triarch(replay);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(" 0 of them not as recorded"));
}

TEST_F(FaultsCli, ReplayRepeatsBundledBotsExactly) {
  for (const std::string game : {"triumvirate", "three-way", "tri-d"}) {
    const std::string db = folder_ / (game + ".db");
    ASSERT_EQ(Triarch({"run", "--game", game, "--bots", "mcts:nodes=50,greedy,random", "--games",
                       "6", "--db", db})
                  .exit_code,
              0);
    const Ran ran = Triarch({"replay", "--db", db, "--id", "1.1", "--bot", "random"});
    const Ran other = Triarch({"replay", "--db", db, "--id", "1.1", "--bot", "mcts:nodes=50"});
    const bool is_in_game = ran.exit_code == 0;  // two of three bots play a game of Tri-D
    EXPECT_THAT((is_in_game ? ran : other).out, HasSubstr(" 0 of them not as recorded\n")) << game;
  }
}

TEST_F(FaultsCli, LogsTheWholeProtocolWithTimes) {
  const Ran ran = Run("crash", {"--log", folder_ / "all.log", "--debug"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string log = ReadWholeFile(folder_ / "all.log");
  EXPECT_THAT(log, AllOf(ContainsRegex("[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6} mine 1\\.1 > uci\n"),
                         ContainsRegex(" mine 1\\.[1-6] < bestmove [A-L]"),
                         ContainsRegex(" mine 1\\.[1-6] ! ValueError: no piece on .x1b"),
                         Not(HasSubstr("\x1b"))));
  EXPECT_THAT(ran.err, ContainsRegex(" mine 1\\.1 > ucinewgame\n"));
}

TEST_F(FaultsCli, ABundleIsCheckedWithItsOwnFilesOnly) {
  WriteWholeFile(folder_ / "mine/bot.yaml",
                 "name: mine\nversion: 1\ntype: process\ncommand: [python3, bot.py]\n"
                 "games: [tri-d]\nfiles: [bot.py]\n");
  const Ran check = Triarch({"bots", "check", folder_ / "mine"});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.err, HasSubstr("No module named 'triarch_bot'"));
  const Ran run =
      Triarch({"run", "--game", "tri-d", "--games", "2", "--bots", (folder_ / "mine") + ",random"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("a run copies only the bot's own files"));
}

TEST_F(FaultsCli, ChecksShowNoControlCharacters) {
  std::string bot = ReadWholeFile(folder_ / "mine/bot.py");
  bot.replace(bot.find("faulty 1.0"), 10, "faulty \\x1b[31m\\x9b");
  WriteWholeFile(folder_ / "mine/bot.py", bot);
  for (const bool is_json : {false, true}) {
    Arguments arguments = {"bots",    "check", folder_ / "mine/bot.py", "--game", "tri-d",
                           "--games", "1"};
    if (is_json) arguments.emplace_back("--json");
    const Ran check = Triarch(arguments);
    EXPECT_THAT(check.out,
                AllOf(HasSubstr("faulty "), Not(HasSubstr("\x1b")), Not(HasSubstr("\u009b"))));
  }
}

TEST_F(FaultsCli, RunPrintsItsStandingsAsJson) {
  const Ran ran = Run("crash", {"--json", "--faults", folder_ / "faults"});
  const Json json = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out;
  EXPECT_EQ(json["bots"].size(), 3u);
}

// Reports of two tournaments in one folder would look like those of one.
TEST_F(FaultsCli, AFaultFolderBelongsToOneTournament) {
  const Arguments own = {"--db", folder_ / "mine.db", "--faults", folder_ / "faults"};
  ASSERT_EQ(Run("crash", own).exit_code, 0);
  const std::string text = AnyFaultFile();
  ASSERT_NE(text, "");
  EXPECT_EQ(Run("crash", own).exit_code, 0) << "the same tournament";
  EXPECT_EQ(AnyFaultFile(), text);
  const Ran other = Run("promotion", own);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds files of something else, such as "));
  EXPECT_EQ(AnyFaultFile(), text);
}

TEST_F(FaultsCli, AFaultFolderMustBeAFolder) {
  WriteWholeFile(folder_ / "file", "x");
  const Ran ran = Run("crash", {"--faults", folder_ / "file"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--faults: cannot create the folder"));
  const Ran log = Run("crash", {"--log", folder_ / "none/log"});
  EXPECT_EQ(log.exit_code, 2);
  EXPECT_THAT(log.err, HasSubstr("--log: cannot write"));
  EXPECT_EQ(log.out, "");
}

}  // namespace
}  // namespace triarch
