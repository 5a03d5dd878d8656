// Tests the user's own bots on the command line: bots check, paths for --bots, and slips.

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kShellBot = TRIARCH_SOURCE_DIR "/bots/sdk/examples/shell/bot.sh";
const std::string kRandomBot = TRIARCH_EXAMPLE_BOTS "/random_bot.so";
const std::string kOddBot = TRIARCH_EXAMPLE_BOTS "/odd_bot.so";

// A folder with the shell example as bot.sh.
class BotsCli : public ::testing::Test {
 protected:
  BotsCli() {
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::create_directory(folder_ / "mine");
    fs::copy_file(kShellBot, folder_ / "mine/bot.sh");
  }
  void WriteManifest(const std::string& more = "") {
    std::ofstream(folder_ / "mine/bot.yaml")
        << "{name: mine, version: 1, type: process, command: [sh, bot.sh], games: [tri-d]" << more
        << "}";
  }
  std::string Program() const { return folder_ / "mine/bot.sh"; }

  const TemporaryFolder folder_;
};

TEST_F(BotsCli, ChecksAProgramACommandAndAFolder) {
  WriteManifest();
  for (const std::string& bot :
       {Program(), "'sh " + Program() + "'", "sh " + Program(), folder_ / "mine"}) {
    const Ran ran = Triarch({"bots", "check", bot, "--game", "tri-d", "--games", "1", "--json"});
    EXPECT_EQ(ran.exit_code, 0) << bot << ": " << ran.out << ran.err;
    const Json json = Json::parse(ran.out);
    EXPECT_EQ(json["is_fit"], true);
    EXPECT_EQ(json["type"], "process");
    EXPECT_EQ(json["reports"][0]["game"], "tri-d");
    EXPECT_GT(json["reports"][0]["plies"], 10);
  }
}

TEST_F(BotsCli, ChecksAPlugin) {
  const Ran fit = Triarch({"bots", "check", kRandomBot, "--games", "1"});
  EXPECT_EQ(fit.exit_code, 0) << fit.out << fit.err;
  EXPECT_TRUE(fit.out.ends_with("fit to play\n")) << fit.out << fit.err;
  const Ran crash = Triarch({"bots", "check", kOddBot + ":does=crash"});
  EXPECT_EQ(crash.exit_code, 1) << crash.err;
  EXPECT_THAT(crash.out, HasSubstr("three-way    5 games")) << crash.err;
  EXPECT_THAT(crash.out, HasSubstr("fault: it crashed with signal 11 (segmentation fault) in "
                                   "choose_move (2 times, first game 2, ply 7, White)"))
      << crash.err;
  EXPECT_TRUE(crash.out.ends_with("not fit to play\n"));
}

TEST_F(BotsCli, RefusesWhatCannotBeChecked) {
  ExpectRefuses({"bots", "check", folder_ / "mine"}, 1, "bot.yaml; expected one");
  ExpectRefuses({"bots", "check", "greedy"}, 1, "has no code of its own");
  ExpectRefuses({"bots", "check", folder_ / "none"}, 1, "no such file or folder");
  ExpectRefuses({"bots", "check", kRandomBot, "--game", "tri-b"}, 1, "tri-b");
}

TEST_F(BotsCli, ChecksATar) {
  WriteManifest();
  ASSERT_EQ(
      RunProgram("/usr/bin/tar", {"-C", folder_.path(), "-cf", folder_ / "mine.tar", "mine"}, "")
          .exit_code,
      0);
  fs::remove_all(folder_ / "mine");
  const Ran ran = Triarch({"bots", "check", folder_ / "mine.tar", "--games", "1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("tri-d        3 games"));
  EXPECT_THAT(ran.err, HasSubstr("playing tri-d: 1 game, the first one again, and one with a clock "
                                 "of 1+0.01\n"));
  WriteWholeFile(folder_ / "bad.tar", "no tar");
  ExpectRefuses({"bots", "check", folder_ / "bad.tar"}, 1, "bad.tar: not an uncompressed tar");
}

TEST_F(BotsCli, SaysWhatToDoWithAModel) {
  fs::create_directory(folder_ / "net");
  WriteWholeFile(folder_ / "net/m.pt", "");
  WriteWholeFile(folder_ / "net/bot.yaml",
                 "{name: net, version: 1, type: torch, model: m.pt, games: [tri-d]}");
  ExpectRefuses({"bots", "check", folder_ / "net"}, 1,
                "triarch run --game tri-d --bots " + (folder_ / "net") + ",random --games 6");
  ExpectRefuses({"bots", "check", folder_ / "net/m.pt"}, 1, "expected torch:model=");
}

TEST_F(BotsCli, AnInterruptPrintsTheFindingsSoFar) {
  const Ran ran = RunProgram("/usr/bin/timeout",
                             {"--preserve-status", "-k", "60", "-s", "INT", "5", TRIARCH_BINARY,
                              "bots", "check", Program(), "--games", "1000000"},
                             "");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(" plies/s\n"));
  EXPECT_TRUE(ran.out.ends_with("interrupted: these are the findings so far\n")) << ran.out;
}

TEST_F(BotsCli, NamesABotThatCannotStart) {
  WriteWholeFile(folder_ / "mine/bad.py", "x = = 1\n");
  const std::string bad = folder_ / "mine/bad.py";
  ExpectRefuses({"run", "--game", "tri-d", "--bots", "worse=" + bad + ",random"}, 2,
                "bot worse: it exited: exit code 1; its standard error: File \"" + bad +
                    "\", line 1: SyntaxError");
  ExpectRefuses({"bots", "check", bad}, 1, "bot " + bad + ": it exited: exit code 1");
  ExpectRefuses({"run", "--game", "tri-d", "--bots", "mine=" + Program() + ":Level=3,random"}, 2,
                "bot mine: it has no option \"Level\"");
}

// A run plays a copy of the bot's files, which the bot sees at their own path.
TEST_F(BotsCli, ABotFindsItsFilesByTheirOwnPath) {
  const std::string script = ReadWholeFile(Program());
  const std::string own = "test -r " + Program() + " || exit 7\n";
  WriteWholeFile(Program(), script.substr(0, script.find('\n') + 1) + own +
                                script.substr(script.find('\n') + 1));
  const std::string db = folder_ / "games.db";
  const Ran ran = Triarch({"run", "--game", "tri-d", "--bots", "mine=" + Program() + ",random",
                           "--games", "2", "--plies-max", "20", "--db", db});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("it exited")));
}

TEST_F(BotsCli, NamesAProgramThatIsNotCopied) {
  const std::string program = folder_ / "mine/bot.orig";
  fs::rename(Program(), program);
  fs::permissions(program, fs::perms(0755));
  constexpr const char* kWhy = "and ./bot.orig is not one of them";
  ExpectRefuses({"bots", "check", program}, 1, kWhy);
  ExpectRefuses({"run", "--game", "tri-d", "--bots", "mine=" + program + ",random"}, 1, kWhy);
  const Ran bare = Triarch({"bots", "check", program + ":sandbox=none", "--game", "tri-d"});
  EXPECT_EQ(bare.exit_code, 0) << bare.out << bare.err;
}

TEST_F(BotsCli, APluginThatCallsExitIsNamed) {
  const Ran ran =
      Triarch({"run", "--game", "tri-d", "--bots", "odd=" + kOddBot + ":does=exit_with_0,random",
               "--games", "8", "--slots", "1"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("error: bot odd ended this process: it called exit(0) in "
                                 "choose_move; games that were recorded are kept\n"));
}

TEST_F(BotsCli, PlaysPathsAndCommands) {
  WriteManifest();
  const std::string bots = "a=" + Program() + ",b='sh " + Program() + "'," + (folder_ / "mine") +
                           ",c=" + kRandomBot + ",d=random";
  // Authors work in the bot's folder, so the database is there. It is none of the bot's files.
  const std::string db = folder_ / "mine/games.db";
  const Ran ran = Triarch({"run", "--game", "tri-d", "--bots", bots, "--nodes", "10", "--games",
                           "20", "--plies-max", "20", "--db", db});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* name : {" a ", " b ", " mine ", " c ", " d "}) {
    EXPECT_THAT(ran.out, HasSubstr(name));
  }
  // A log file does not make it another bot.
  std::ofstream(folder_ / "mine/run.log") << "log";
  const Ran again = Triarch({"run", "--game", "tri-d", "--bots", bots, "--nodes", "10", "--games",
                             "20", "--plies-max", "20", "--db", db});
  EXPECT_THAT(again.out, HasSubstr("already complete"));
}

TEST_F(BotsCli, PlaysACommandWithAbsolutePaths) {
  std::ofstream(folder_ / "t.yaml")
      << "game: tri-d\nbots:\n  - {name: mine, dir: ./mine, command: [sh, " << Program()
      << "]}\n  - random\ngames: 2\nadjudication: {plies_max: 20}\ntime_control: {nodes: 10}\n";
  const Ran ran = Triarch({"run", folder_ / "t.yaml", "--db", folder_ / "games.db", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ran faults = Triarch({"games", "--db", folder_ / "games.db", "--faults"});
  EXPECT_THAT(faults.out + faults.err, Not(HasSubstr("crash"))) << ran.out;
}

TEST_F(BotsCli, RefusesAPluginThatEndsTheProcess) {
  for (const std::string does : {"exit_in_create", "throw_in_create"}) {
    const std::string bots = "odd=" + kOddBot + ":does=" + does + ",random";
    ExpectRefuses({"run", "--game", "tri-d", "--bots", bots, "--games", "2"}, 2, "create");
  }
}

TEST_F(BotsCli, OneInterruptEndsARunWithAPluginThatHangs) {
  const std::string db = folder_ / "games.db";
  const Ran ran =
      RunProgram("/usr/bin/timeout",
                 {"--preserve-status", "-k", "60", "-s", "INT", "5", TRIARCH_BINARY, "run",
                  "--game", "tri-d", "--bots", "odd=" + kOddBot + ":does=hang,random", "--slots",
                  "1", "--games", "8", "--db", db},
                 "");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("bot odd in game 2, ply "));
  EXPECT_THAT(ran.err, HasSubstr("it does not come back, so it is abandoned"));
  EXPECT_THAT(ran.err, HasSubstr("interrupted: 1 of 8 games were played"));
}

TEST_F(BotsCli, ExplainsSlips) {
  ExpectRefuses({"runn"}, 2, "did you mean run?");
  ExpectRefuses({"run", "--bot", "random,greedy"}, 2, "did you mean --bots?");
  ExpectRefuses({"run", "--bots", "random", "greedy"}, 1, "as in --bots random,greedy");
  ExpectRefuses({"run", "--bots", "random,greedy", "--game", "tri-d", "--games", "2", "--db",
                 folder_ / "no/x.db"},
                1, "there is no folder");
  ExpectRefuses({"run", "--game", "tri-d", "--bots", "random,random"}, 2, "as in other=random");
  ExpectRefuses({"test", "./mine", "random"}, 2, "no such file or folder");
  const auto error_of = [&](const std::string& bots) {
    std::ofstream(folder_ / "t.yaml") << "game: tri-d\nbots:\n" << bots;
    return Triarch({"run", folder_ / "t.yaml"}).err;
  };
  EXPECT_THAT(error_of("  - random\n - greedy\n"),
              HasSubstr("indented by 1 and the one above by 2"));
  EXPECT_THAT(error_of("- random\n  - greedy\n"), HasSubstr("is one entry"));
  EXPECT_THAT(error_of("  - random\n\t- greedy\n"), HasSubstr("expected spaces"));
  EXPECT_THAT(error_of("  - {name: m, command: [sh, bot.sh]}\n  - random\n"),
              HasSubstr("it has no dir, so it sees none of your files"));
  EXPECT_THAT(error_of("  - {name: m, bot: process}\n  - random\n"), HasSubstr("the key command"));
}

TEST_F(BotsCli, NotesGamesThatFillNoRound) {
  const Ran ran = Triarch({"run", "--bots", "random,greedy", "--game", "tri-d", "--games", "3"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, HasSubstr("note: 3 games leave a round of 2 incomplete"));
}

}  // namespace
}  // namespace triarch
