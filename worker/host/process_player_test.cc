#include "worker/host/process_player.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/any_state.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

// Tests process bots in games. sandbox_attack_test.cc tests the sandbox.
namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr const char* kAttacks = TRIARCH_SOURCE_DIR "/tests/attacks";
const TimeControl kQuick = {.movetime_ms = 700, .margin_ms = 300};

BotSpec Bot(std::vector<std::string> command, std::string dir) {
  return {.name = "mine",
          .bot = std::string(kProcessBot),
          .command = std::move(command),
          .dir = std::move(dir)};
}

BotSpec Attacker(const std::string& attack) {
  return Bot({"python3", "-B", "attacker.py", attack}, kAttacks);
}

// A bot in a few lines of Python. `at_go` handles a request for a move; it can read the number of
// `games` begun, the `turns` of this game and the `legal` moves.
class PythonBot {
 public:
  explicit PythonBot(const std::string& at_go, const std::string& at_start = "pass") {
    // In the sandbox the bot runs as another user.
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    std::ofstream(folder_ / "bot.py") << R"(
import sys, time
def say(text): print(text, flush=True)
games = turns = 0
)" << at_start << R"(
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        say("option name UCI_Variant type combo default tri-d var tri-d var triumvirate")
        say("option name LegalMoves type check default false\nuciok")
    elif words[0] == "isready": say("readyok")
    elif words[0] == "ucinewgame": games, turns = games + 1, 0
    elif words[0] == "go":
        legal = words[words.index("legal") + 1:]
        turns += 1
        )" << at_go << "\n";
  }
  BotSpec spec() const { return Bot({"python3", "-B", "bot.py"}, folder_.path()); }

 private:
  TemporaryFolder folder_;
};

class ProcessPlayerTest : public ::testing::Test {
 protected:
  // Plays a game with the player in the first seat against random bots.
  GameRecord Play(ProcessPlayer& player, const TimeControl& time_control = kQuick,
                  const std::string& game = "tri-d", bool search_info = false) {
    GameSpec spec;
    spec.search_info = search_info;
    spec.game = game;
    spec.seed = 3;
    spec.time_control = time_control;
    spec.adjudication.plies_max = 24;
    RandomPlayer second;
    RandomPlayer third;
    const std::atomic<bool> stop = false;
    return PlayGame(spec, {{&player, &second, &third}}, stop).value().value();
  }
  std::unique_ptr<ProcessPlayer> Make(const BotSpec& spec, const std::string& game = "tri-d") {
    return std::make_unique<ProcessPlayer>(
        **FindGame(game), spec, [this](const std::string& line) { log_.push_back(line); });
  }
  // Returns how the bot left a game, or nothing if it did not.
  std::optional<Termination> EndingOf(const BotSpec& spec,
                                      const TimeControl& time_control = kQuick) {
    log_.clear();
    const std::unique_ptr<ProcessPlayer> player = Make(spec);
    return Play(*player, time_control).endings[Seat::kFirst];
  }
  static std::string ErrorOf(const BotSpec& spec, const std::string& game = "tri-d") {
    const absl::Status status =
        ProcessPlayer(**FindGame(game), spec, [](const std::string&) {}).Check();
    EXPECT_FALSE(status.ok());
    return std::string(status.message());
  }

  std::vector<std::string> log_;
};

TEST_F(ProcessPlayerTest, PlaysAGame) {
  const PythonBot bot("say('info nodes 7 score shares 0.25 0.75'); say('bestmove ' + legal[-1])");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const GameRecord record = Play(*player);
  EXPECT_EQ(record.outcome.termination, Termination::kPlyLimit);
  EXPECT_EQ(record.costs[Seat::kFirst].nodes, 7 * record.costs[Seat::kFirst].moves);
  EXPECT_GT(record.costs[Seat::kFirst].time_us, 0);
  EXPECT_GT(record.costs[Seat::kFirst].cpu_us.value(), 0);
  EXPECT_TRUE(record.costs[Seat::kSecond].cpu_us.has_value());
  EXPECT_EQ((*record.events.front().eval)[Seat::kSecond], 0.75);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ProcessPlayerTest, RecordsWhatTheBotSays) {
  const PythonBot bot(
      "say('info string about to think\\ninfo depth 3 nodes 7 pv ' + legal[0] + ' a7B-b6N no'); "
      "say('info string move {' + str(turns) + '} \\x1b[2J'); say('bestmove ' + legal[0])");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const GameRecord silent = Play(*player);
  EXPECT_THAT(silent.infos, IsEmpty());
  const GameRecord record = Play(*player, kQuick, "tri-d", /*search_info=*/true);
  EXPECT_EQ(static_cast<int64_t>(record.infos.size()), record.costs[Seat::kFirst].moves);
  ASSERT_GE(record.infos.size(), 2u);
  EXPECT_EQ(record.infos[0].line, "b2W-d1W a7B-b6N");
  EXPECT_EQ(record.infos[1].ply, 2);
  EXPECT_EQ(record.infos[1].depth, 3);
  EXPECT_EQ(record.infos[1].nodes, 7);
  EXPECT_EQ(record.infos[1].explanation, "move {2} \\x1b[2J");
  for (size_t i = 0; i < record.events.size(); ++i) {
    EXPECT_EQ(record.events[i].move, silent.events[i].move) << "asking for it changes nothing";
  }
}

// The node count reports how many games the process has begun.
TEST_F(ProcessPlayerTest, KeepsTheProcessUntilItFails) {
  const PythonBot bot(
      "say(f'info nodes {games}');"
      "say('bestmove ' + (legal[0] if games < 3 else 'nonsense'))");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  std::vector<int64_t> games;
  for (int i = 0; i < 4; ++i) {
    const GameRecord record = Play(*player);
    const SeatCost& cost = record.costs[Seat::kFirst];
    games.push_back(cost.moves == 0 ? -1 : cost.nodes / cost.moves);
  }
  EXPECT_THAT(games, ElementsAre(1, 2, -1, 1));
  ASSERT_EQ(log_.size(), 1u);
  EXPECT_THAT(log_[0], HasSubstr("bot mine: "));
  EXPECT_THAT(log_[0], HasSubstr("nonsense"));
}

TEST_F(ProcessPlayerTest, StartingIsNotCharged) {
  const PythonBot bot("say('bestmove ' + legal[0])", "time.sleep(1.5)");
  EXPECT_EQ(EndingOf(bot.spec()), std::nullopt);
}

TEST_F(ProcessPlayerTest, SendsStop) {
  const PythonBot bot(
      "stop = next(sys.stdin).split();"
      "say('bestmove ' + (legal[0] if stop == ['stop'] else 'x'))");
  EXPECT_EQ(EndingOf(bot.spec(), {.movetime_ms = 50, .margin_ms = 2'000}), std::nullopt);
}

TEST_F(ProcessPlayerTest, TheBotNeedsNoRules) {
  // In the third turn the second player has left, so the position is sent as text.
  const PythonBot bot(
      "say('info string ' + line); say('bestmove ' + ('resign' if turns == 3 else legal[0]))");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec(), "triumvirate");
  const GameRecord record = Play(*player, kQuick, "triumvirate");
  EXPECT_EQ(record.endings[Seat::kFirst], Termination::kResignation);
  EXPECT_EQ(record.costs[Seat::kFirst].moves, 2);
}

TEST_F(ProcessPlayerTest, FaultsForfeitTheGame) {
  using enum Termination;
  const std::vector<std::pair<std::string, std::optional<Termination>>> endings = {
      {"nothing", std::nullopt},
      {"exit_now", kCrash},
      {"abort", kCrash},
      {"close_pipes", kCrash},
      {"close_input", kTimeForfeit},
      {"stop_self", kTimeForfeit},
      {"silence", kTimeForfeit},
      {"busy_loop", kTimeForfeit},
      {"endless_errors", kCrash},
      {"endless_output", kCrash},
      {"endless_line", kCrash},
      {"garbage", kIllegalMove},
      {"illegal_move", kIllegalMove},
      {"bare_bestmove", kIllegalMove},
      {"false_claim", kIllegalMove},
      {"daemon", std::nullopt},
  };
  for (const auto& [attack, ending] : endings) {
    EXPECT_EQ(EndingOf(Attacker(attack)), ending) << attack << (log_.empty() ? "" : ": " + log_[0]);
  }
}

// Returns the report about the fault in a game's first seat.
FaultReport ReportOf(const GameRecord& record, Termination why) {
  EXPECT_EQ(record.faults.size(), 1u);
  if (record.faults.size() != 1) return {};
  const GameFault& fault = record.faults.front();
  EXPECT_EQ(fault.seat, Seat::kFirst);
  EXPECT_EQ(fault.why, why);
  return fault.report;
}

TEST_F(ProcessPlayerTest, ReportsACrashWithTheWholeTraceback) {
  const PythonBot bot("raise ValueError('no \\x1b[31mpiece')");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const FaultReport report = ReportOf(Play(*player), Termination::kCrash);
  EXPECT_EQ(report.message, "it exited: exit code 1");
  EXPECT_EQ(report.exit_status, "exit code 1");
  EXPECT_EQ(report.answer, "");
  EXPECT_THAT(report.errors, AllOf(StartsWith("Traceback (most recent call last)"),
                                   HasSubstr("ValueError: no \\x1b[31mpiece")));
  EXPECT_THAT(report.protocol, AllOf(HasSubstr(" < readyok\n"), HasSubstr(" > position startpos\n"),
                                     HasSubstr(" > go seat w movetime 700 legal ")));
}

TEST_F(ProcessPlayerTest, ReportsTheIllegalAnswer) {
  const PythonBot bot("say('info depth 1'); say('bestmove a1-a9')");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const FaultReport report = ReportOf(Play(*player), Termination::kIllegalMove);
  EXPECT_EQ(report.answer, "a1-a9");
  EXPECT_THAT(report.message, HasSubstr("a1-a9"));
  EXPECT_EQ(report.exit_status, "") << "Triarch ended it";
  EXPECT_THAT(report.protocol, HasSubstr(" < info depth 1\n"));
  EXPECT_THAT(report.protocol, HasSubstr(" < bestmove a1-a9\n"));
}

TEST_F(ProcessPlayerTest, ReportsNoAnswerIfItIsNotTheFault) {
  const PythonBot bot("say('bestmove ' + legal[0] if turns < 3 else 'bestmove')");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const FaultReport report = ReportOf(Play(*player), Termination::kIllegalMove);
  EXPECT_EQ(report.message, "it wrote bestmove without a move");
  EXPECT_EQ(report.answer, "");
}

TEST_F(ProcessPlayerTest, KeepsTheEndOfALongStandardError) {
  const PythonBot bot(
      "[print('noise', i, file=sys.stderr) for i in range(5000)]; raise ValueError('cause')");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const FaultReport report = ReportOf(Play(*player), Termination::kCrash);
  EXPECT_THAT(report.errors, ::testing::EndsWith("ValueError: cause\n"));
}

TEST_F(ProcessPlayerTest, ReportsLateness) {
  const PythonBot bot("time.sleep(5)");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const GameRecord record = Play(*player, {.movetime_ms = 100, .margin_ms = 100});
  const FaultReport report = ReportOf(record, Termination::kTimeForfeit);
  EXPECT_THAT(report.message,
              MatchesRegex("it did not answer in time: no answer after 0\\.[2-9][0-9]* s; it had "
                           "0\\.100 s and a margin of 0\\.100 s"));
  EXPECT_THAT(report.protocol, HasSubstr(" > stop\n"));
}

TEST_F(ProcessPlayerTest, ReportsAFailureToBegin) {
  const PythonBot bot("say('bestmove ' + legal[0])", "sys.exit('no opening book')");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const FaultReport report = ReportOf(Play(*player), Termination::kCrash);
  EXPECT_EQ(report.errors, "no opening book\n");
  EXPECT_THAT(report.protocol, HasSubstr(" > uci\n"));
}

TEST_F(ProcessPlayerTest, SendsTheProtocolToItsSink) {
  const PythonBot bot("sys.stderr.write('thinking\\n'); say('bestmove ' + legal[0])");
  std::vector<std::string> lines;
  ProcessPlayer player(
      **FindGame("tri-d"), bot.spec(), [](const std::string&) {},
      [&](std::string_view label, Transcript::Stream stream, std::string_view line) {
        lines.push_back(std::string(label) + " " + Transcript::MarkOf(stream) + " " +
                        std::string(line));
      });
  Play(player);
  const std::string name = bot.spec().name;
  EXPECT_THAT(lines, Contains(name + " 1.1 > isready"));
  EXPECT_THAT(lines, Contains(name + " 1.1 ! thinking"));
  EXPECT_THAT(lines, Contains(StartsWith(name + " 1.1 < bestmove ")));
}

TEST_F(ProcessPlayerTest, AMoveOutOfTurnIsIllegal) {
  const PythonBot bot("say('bestmove ' + legal[0] + '\\nbestmove ' + legal[0])");
  EXPECT_EQ(EndingOf(bot.spec()), Termination::kIllegalMove);
}

TEST_F(ProcessPlayerTest, ALateMoveForfeitsOnTime) {
  const PythonBot bot("time.sleep(0.6); say('bestmove ' + legal[0])");
  EXPECT_EQ(EndingOf(bot.spec(), {.movetime_ms = 100, .margin_ms = 100}),
            Termination::kTimeForfeit);
}

// With `clock: cpu`, waiting is free and thinking is charged, even during another seat's turn.
TEST_F(ProcessPlayerTest, ChargesCpuTime) {
  const TimeControl cpu = {.movetime_ms = 100, .margin_ms = 50, .charges_cpu = true};
  const PythonBot waits("time.sleep(0.3); say('bestmove ' + legal[0])");
  const std::unique_ptr<ProcessPlayer> player = Make(waits.spec());
  const GameRecord record = Play(*player, cpu);
  EXPECT_EQ(record.endings[Seat::kFirst], std::nullopt);
  const SeatCost& cost = record.costs[Seat::kFirst];
  EXPECT_GE(cost.time_us, 300'000 * cost.moves) << "wall-clock time is always reported";
  EXPECT_GT(cost.cpu_us.value(), 0);
  EXPECT_LT(cost.cpu_us.value(), 100'000 * cost.moves);

  const std::string burn =
      "end = time.process_time() + 0.4\n        while time.process_time() < end: pass\n        ";
  const std::string answer = "say('bestmove ' + legal[0])\n        ";
  EXPECT_EQ(EndingOf(PythonBot(burn + answer).spec(), cpu), Termination::kTimeForfeit);
  EXPECT_EQ(EndingOf(PythonBot(answer + burn).spec(), cpu), Termination::kTimeForfeit);
  EXPECT_EQ(EndingOf(Attacker("busy_children"), cpu), Termination::kTimeForfeit);
}

// A rejected claim does not reset the time used before it.
TEST_F(ProcessPlayerTest, ARejectedClaimGainsNoCpuTime) {
  const PythonBot bot(
      "end = time.process_time() + 0.2\n        while time.process_time() < end: pass\n        "
      "say('bestmove ' + ('claim' if turns % 2 else legal[0]))");
  EXPECT_EQ(EndingOf(bot.spec(), {.movetime_ms = 300, .margin_ms = 50, .charges_cpu = true}),
            Termination::kTimeForfeit);
}

// The bot closes its output while another player thinks.
TEST_F(ProcessPlayerTest, DetectsAClosedOutput) {
  const PythonBot bot("say('bestmove ' + legal[0]); import os; os.close(1); time.sleep(30)");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  ScriptedPlayer thinks([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    std::this_thread::sleep_for(milliseconds(300));
    return Decision();
  });
  GameSpec spec;
  spec.game = "tri-d";
  const std::atomic<bool> stop = false;
  const auto began = std::chrono::steady_clock::now();
  const auto record = PlayGame(spec, {{player.get(), &thinks}}, stop).value().value();
  EXPECT_EQ(record.endings[Seat::kFirst], Termination::kCrash);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(ProcessPlayerTest, SendsStopWhenTheCpuTimeIsUsed) {
  const PythonBot bot(
      "import select\n        "
      "while not select.select([sys.stdin], [], [], 0)[0]: pass\n        "
      "say('bestmove ' + (legal[0] if next(sys.stdin) == 'stop\\n' else 'x'))");
  EXPECT_EQ(EndingOf(bot.spec(), {.movetime_ms = 50, .margin_ms = 1'000, .charges_cpu = true}),
            std::nullopt);
}

TEST_F(ProcessPlayerTest, RejectsAMoveOf100Megabytes) {
  const PythonBot bot("sys.stdout.write('bestmove ' + 'x' * 100_000_000); say('')");
  EXPECT_EQ(EndingOf(bot.spec()), Termination::kCrash);
  EXPECT_THAT(log_.front(), HasSubstr("a line of more than 64 KiB"));
}

TEST_F(ProcessPlayerTest, InvalidInfoIsNotRecorded) {
  const PythonBot bot(
      "say('info nodes 99999999999999999999 score shares 7 -6');"
      "say('bestmove ' + legal[0])");
  const std::unique_ptr<ProcessPlayer> player = Make(bot.spec());
  const GameRecord record = Play(*player);
  EXPECT_EQ(record.outcome.termination, Termination::kPlyLimit);
  EXPECT_FALSE(record.events.front().eval.has_value());
  EXPECT_EQ(record.costs[Seat::kFirst].nodes, 0);
}

TEST_F(ProcessPlayerTest, ChecksOptionsAndGames) {
  const PythonBot bot("say('bestmove ' + legal[0])");
  BotSpec spec = bot.spec();
  EXPECT_TRUE(Make(spec)->Check().ok());
  EXPECT_THAT(ErrorOf(spec, "three-way"), HasSubstr("does not play three-way"));
  spec.options = {{"Level", "3"}};
  EXPECT_THAT(ErrorOf(spec), HasSubstr("it has no option \"Level\""));
}

TEST_F(ProcessPlayerTest, ReportsWhyABotCannotStart) {
  const PythonBot bot("pass", "sys.exit('no opening book')");
  EXPECT_THAT(ErrorOf(bot.spec()), HasSubstr("exit code 1; its standard error: no opening book"));
  EXPECT_EQ(EndingOf(bot.spec()), Termination::kCrash);
  EXPECT_THAT(ErrorOf(Bot({"no-such-program"}, kAttacks)), HasSubstr("no-such-program"));
}

// Two well-behaved bots play alongside each attack that exhausts the machine.
TEST_F(ProcessPlayerTest, OtherGamesContinueDuringAttacks) {
  const PythonBot bot("say('bestmove ' + legal[0])");
  for (const char* attack : {"fork_bomb", "memory_hog", "endless_output", "busy_children"}) {
    const std::unique_ptr<ProcessPlayer> attacker = Make(Attacker(attack));
    std::jthread beside([&] { Play(*attacker, {.movetime_ms = 1'500, .margin_ms = 200}); });
    ProcessPlayer good(**FindGame("tri-d"), bot.spec(), [](const std::string&) {});
    const GameRecord record = Play(good, {.movetime_ms = 1'000, .margin_ms = 500});
    EXPECT_EQ(record.outcome.termination, Termination::kPlyLimit) << attack;
  }
}

// An abandoned game ends immediately, with its process, whatever the bot does.
TEST_F(ProcessPlayerTest, AnAbandonedGameEnds) {
  const std::unique_ptr<ProcessPlayer> player = Make(Attacker("silence"));
  GameSpec spec;
  spec.game = "tri-d";
  std::atomic<bool> stop = false;
  RandomPlayer second;
  std::jthread stopper([&stop] {
    std::this_thread::sleep_for(milliseconds(300));
    stop = true;
  });
  const auto began = std::chrono::steady_clock::now();
  const auto record = PlayGame(spec, {{player.get(), &second}}, stop);
  EXPECT_FALSE(record.value().has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

}  // namespace
}  // namespace triarch
