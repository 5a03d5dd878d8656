#include "worker/host/process_check.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A bot in a few lines of Python. `at_go` handles a request for a move.
class CheckedBot {
 public:
  explicit CheckedBot(const std::string& at_go, const std::string& options = "",
                      const std::string& at_quit = "sys.exit()") {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    std::ofstream(folder_ / "bot.py") << R"(
import random, sys, time
def say(text): print(text, flush=True)
turns = games = 0
seed = "0"
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        say("id name checked 1")
        say("option name UCI_Variant type combo default tri-d var tri-d var chess")
        say("option name Seed type string default 0")
        )" << (options.empty() ? "pass" : options)
                                      << R"(
        say("option name LegalMoves type check default false\nuciok")
    elif words[0] == "isready": say("readyok")
    elif words[:3] == ["setoption", "name", "Seed"]: seed = words[4]
    elif words[0] == "ucinewgame": games, turns, draw = games + 1, 0, random.Random(seed)
    elif words[0] == "quit": )" << at_quit
                                      << R"(
    elif words[0] == "go":
        legal = words[words.index("legal") + 1:]
        turns += 1
        )" << at_go << "\n";
  }
  BotSpec spec() const {
    return {.name = "mine",
            .bot = std::string(kProcessBot),
            .command = {"python3", "-B", "bot.py"},
            .dir = folder_.path()};
  }

 private:
  TemporaryFolder folder_;
};

// Generous, because the machine may be busy.
constexpr ProcessCheckLimits kLimits = {.margin = std::chrono::milliseconds(1'000),
                                        .game = std::chrono::milliseconds(60'000),
                                        .farewell = std::chrono::milliseconds(5'000)};

BotReport Check(const CheckedBot& bot, int64_t games = 1) {
  return CheckProcess(**FindGame("tri-d"), bot.spec(), {.games = games}, kLimits).value();
}

// Returns the only finding.
BotFinding FindingOf(const CheckedBot& bot, int64_t games = 1) {
  const BotReport report = Check(bot, games);
  std::string kinds;
  for (const BotFinding& one : report.findings) kinds += one.what + "; " + one.first + "\n";
  EXPECT_EQ(report.findings.size(), 1u) << kinds;
  return report.findings.empty() ? BotFinding() : report.findings.front();
}

TEST(ProcessCheckTest, FindsNothingWrongWithAGoodBot) {
  const CheckedBot bot("say('bestmove ' + draw.choice(legal))");
  const BotReport report = Check(bot, 3);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.games, 5) << "one is repeated, and one has a clock";
  EXPECT_GT(report.plies, 100);
  const ProcessDescription description = DescribeProcess(bot.spec()).value();
  EXPECT_EQ(description.name, "checked 1");
  EXPECT_THAT(description.games, ElementsAre("tri-d"));
}

TEST(ProcessCheckTest, ReportsFaultsWithTheirPlace) {
  const BotFinding illegal =
      FindingOf(CheckedBot("say('bestmove ' + (legal[0] if turns < 3 else 'a1W-a1W'))"));
  EXPECT_TRUE(illegal.is_fault);
  EXPECT_EQ(illegal.what, "an illegal move");
  EXPECT_THAT(illegal.first, HasSubstr("game 1, ply 5, White: "));
  EXPECT_THAT(illegal.first, HasSubstr("sent \"go seat w nodes 100 legal "));
  EXPECT_THAT(illegal.first, HasSubstr("last received \"bestmove a1W-a1W\""));
  const BotFinding crash =
      FindingOf(CheckedBot("say('bestmove ' + legal[0]) if turns < 2 else sys.exit(4)"));
  EXPECT_EQ(crash.what, "it exited");
  EXPECT_THAT(crash.first, HasSubstr("ply 3, White: it exited: exit code 4; sent"));
}

TEST(ProcessCheckTest, CountsSlips) {
  const BotReport report =
      Check(CheckedBot("say('info nodes 50 score shares 0.5 0.6 pv x'); say('thinking');"
                       "print('debug', file=sys.stderr); say('bestmove ' + legal[0])"));
  std::vector<std::string> kinds;
  for (const BotFinding& one : report.findings) {
    kinds.push_back(one.what);
    EXPECT_FALSE(one.is_fault);
    EXPECT_GT(one.count, 10);
    // Nothing says when lines on standard error arrive.
    const bool is_error_line = one.what == "a line on standard error";
    EXPECT_THAT(one.first, HasSubstr(is_error_line ? "game " : "game 1, ply "));
  }
  EXPECT_THAT(kinds, testing::UnorderedElementsAre(
                         "its shares are not 2 numbers from 0 to 1 that add up to 1",
                         "a line on standard output that is not part of the protocol",
                         "a line on standard error",
                         "its principal variation does not begin with its move"));
}

TEST(ProcessCheckTest, FindsAMoveOutOfTurn) {
  const BotFinding twice =
      FindingOf(CheckedBot("say('bestmove ' + legal[0] + '\\nbestmove ' + legal[0])"));
  EXPECT_EQ(twice.what, "it wrote bestmove without being asked");
}

TEST(ProcessCheckTest, FindsLateAnswers) {
  const BotFinding late = FindingOf(
      CheckedBot("say('bestmove ' + legal[0]) if 'movetime' not in words or turns > 2 else "
                 "(time.sleep(1.5), say('bestmove ' + legal[0]))"),
      2);
  EXPECT_TRUE(late.is_fault);
  EXPECT_EQ(late.what, "a late answer after `stop`, which loses the game");
  EXPECT_EQ(late.count, 4);
}

TEST(ProcessCheckTest, FindsLateAnswersInAGameWithAClock) {
  const CheckedBot bot("'nodes' in words or time.sleep(0.5)\n        say('bestmove ' + legal[0])");
  ProcessCheckLimits limits = kLimits;
  limits.margin = std::chrono::milliseconds(200);
  const BotReport report =
      CheckProcess(**FindGame("tri-d"), bot.spec(), {.games = 1, .clock = {.base_ms = 200}}, limits)
          .value();
  ASSERT_EQ(report.findings.size(), 1u);
  const BotFinding& late = report.findings.front();
  EXPECT_TRUE(late.is_fault);
  EXPECT_EQ(late.what, "a late answer after `stop`, which loses the game");
  EXPECT_GT(late.count, 1);
  EXPECT_GT(late.worst_ms, 200);
  EXPECT_THAT(late.first, HasSubstr("game 3, ply 1, White: "));
  EXPECT_THAT(
      late.first,
      HasSubstr(" ms after it, with wtime 200 winc 0 btime 200 binc 0; allowed are 200 ms"));
}

TEST(ProcessCheckTest, StopsAtAnInterrupt) {
  const CheckedBot bot("time.sleep(100)");
  const BotReport report = CheckProcess(**FindGame("tri-d"), bot.spec(),
                                        {.is_interrupted = [] { return true; }}, kLimits)
                               .value();
  EXPECT_EQ(report.games, 0);
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(ProcessCheckTest, FindsDifferencesBetweenEqualGames) {
  EXPECT_THAT(FindingOf(CheckedBot("say('bestmove ' + random.choice(legal))")).what,
              HasSubstr("randomness must come from the option Seed"));
  EXPECT_THAT(FindingOf(CheckedBot("say('bestmove ' + legal[games % 2 - 1])")).what,
              HasSubstr("it must forget them at ucinewgame"));
}

TEST(ProcessCheckTest, FindsABotThatDoesNotQuit) {
  EXPECT_EQ(FindingOf(CheckedBot("say('bestmove ' + legal[0])", "", "time.sleep(100)")).what,
            "it does not exit after `quit`");
  EXPECT_EQ(FindingOf(CheckedBot("say('bestmove ' + legal[0])", "", "sys.exit(3)")).first,
            "exit code 3");
}

TEST(ProcessCheckTest, TimesTheExitFromReadyOk) {
  ProcessCheckLimits limits = kLimits;
  limits.farewell = std::chrono::milliseconds(2'000);
  const CheckedBot slow_starter("say('bestmove ' + legal[0])", "time.sleep(3)");
  const BotReport report =
      CheckProcess(**FindGame("tri-d"), slow_starter.spec(), {.games = 1}, limits).value();
  EXPECT_THAT(report.findings, IsEmpty()) << report.findings[0].what;
}

TEST(ProcessCheckTest, ChecksTheDeclaredOptions) {
  const CheckedBot bot("say('bestmove ' + legal[0])",
                       "say('option name Level type spin default 30 min 1 max 9');"
                       "say('option name Style type combo default x var a var b');"
                       "say('option name Odd type number default 3')");
  std::vector<std::string> faults;
  for (const BotFinding& one : CheckDeclaredOptions(DescribeProcess(bot.spec()).value())) {
    faults.push_back(one.what);
  }
  EXPECT_THAT(faults, ElementsAre("option Level: its default \"30\" is not a number from 1 to 9",
                                  HasSubstr("option Odd: its type \"number\" is unknown"),
                                  "option Style: its default \"x\" is not among its values",
                                  "UCI_Variant lists \"chess\", which is no game of Triarch"));
}

TEST(ProcessCheckTest, StopsLongGames) {
  ProcessCheckLimits limits = kLimits;
  limits.game = std::chrono::milliseconds(4'000);
  const auto finding_of = [&](const CheckedBot& bot) {
    const BotReport report =
        CheckProcess(**FindGame("tri-d"), bot.spec(), {.games = 1}, limits).value();
    return report.findings.empty() ? BotFinding() : report.findings.front();
  };
  const BotFinding slow = finding_of(CheckedBot("time.sleep(0.5); say('bestmove ' + legal[0])"));
  EXPECT_FALSE(slow.is_fault);
  EXPECT_EQ(slow.what, "a game was stopped because it took too long");
  const BotFinding hang = finding_of(CheckedBot("time.sleep(100)"));
  EXPECT_TRUE(hang.is_fault);
  EXPECT_EQ(hang.what, "it does not answer");
  EXPECT_THAT(hang.first, HasSubstr("game 1, ply 1, White: no answer for "));
  EXPECT_THAT(hang.first, HasSubstr("sent \"go seat w nodes 100 legal "));
}

}  // namespace
}  // namespace triarch
