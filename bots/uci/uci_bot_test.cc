#include "bots/uci/uci_bot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "worker/host/uci_session.h"

namespace triarch {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A bot and its output.
class Spoken {
 public:
  explicit Spoken(const std::string& bot, std::map<std::string, std::string> options = {})
      : bot_({.name = bot, .bot = bot, .options = std::move(options)},
             [this](std::string_view lines) {
               MutexLock lock(&mutex_);
               said_ += lines;
             }) {}

  // Sends the lines and returns the output after the last answer.
  std::string To(const std::vector<std::string_view>& lines) {
    for (const std::string_view line : lines) bot_.TakeLine(line);
    bot_.Finish();
    MutexLock lock(&mutex_);
    return std::exchange(said_, std::string());
  }
  UciBot& bot() { return bot_; }
  std::string said() {
    MutexLock lock(&mutex_);
    return said_;
  }

 private:
  Mutex mutex_;
  std::string said_ ABSL_GUARDED_BY(mutex_);
  UciBot bot_;
};

TEST(UciBot, ListsTheLegalMoves) {
  Spoken spoken("random");
  EXPECT_EQ(spoken.To({"position fen wKE1,wPE9,bKI8,rKI12 w w-.b-.r- - aaa 0 9", "go perft 1"}),
            "E9-E10: 1\nE1-D1: 1\nE1-F1: 1\nE1-D2: 1\nE1-E2: 1\nE1-F2: 1\n\nNodes searched: 6\n\n");
  EXPECT_THAT(spoken.To({"go perft 2"}), StartsWith("info string error: go perft: expected"));
  EXPECT_THAT(spoken.To({"position fen x", "go perft 1"}), HasSubstr("go perft: no position\n"));
}

TEST(UciBot, IdentifiesItselfAndOffersItsOptions) {
  Spoken spoken("paranoid", {{"depth", "3"}});
  const std::string said = spoken.To({"uci"});
  EXPECT_THAT(said, StartsWith("id name triarch paranoid\n"));
  EXPECT_THAT(said, HasSubstr("option name UCI_Variant type combo default triumvirate "
                              "var triumvirate var three-way var tri-d\n"));
  EXPECT_THAT(said, HasSubstr("option name Seed type string default 0\n"));
  EXPECT_THAT(said, HasSubstr("option name depth type spin default 3 min 0 max 64\n"));
  EXPECT_THAT(said, HasSubstr("option name nodes type spin default 0 min 0 max 1000000000000\n"));
  EXPECT_THAT(said, HasSubstr("option name resign type string default <empty>\n"));
  EXPECT_TRUE(said.ends_with("uciok\n"));
}

// Connects the host's session with a bot, without pipes.
TEST(UciBot, WorksWithTheHostsSession) {
  for (const GameInfo* const game : AllGames()) {
    Spoken spoken("greedy");
    UciSession session(*game);
    const auto exchange = [&](const std::string& lines) {
      std::vector<std::string_view> words = Split(lines, '\n');
      EXPECT_TRUE(session.Receive(spoken.To(words)).ok());
      EXPECT_FALSE(session.is_waiting()) << lines;
    };
    exchange(session.Begin());
    const auto set = session.SetOptions({});
    ASSERT_TRUE(set.ok()) << set.status();
    exchange(*set);
    exchange(session.NewGame(77));
    TurnContext context{.position = "startpos"};
    SearchLimits limits;
    limits.context = &context;
    std::string lines;
    session.Go(limits, {}, &lines);
    exchange(lines);
    const AnyState state = *AnyState::Start(game->name, "");
    EXPECT_TRUE(state.FindMove(state.LegalMoves(), session.answer()).ok()) << session.answer();
    EXPECT_EQ(session.info().nodes, static_cast<int64_t>(state.LegalMoves().size()));
  }
}

TEST(UciBot, AnswersForTheGivenPosition) {
  Spoken spoken("greedy");
  EXPECT_THAT(spoken.To({"position startpos moves E2-E4 D7-D5", "go"}), HasSubstr("bestmove "));
  // A game sent move by move gives the same result as one sent whole.
  Spoken at_once("greedy");
  const std::string moves = "position startpos moves E2-E4 D7-D5 I11-I10 E4-D5";
  EXPECT_EQ(spoken.To({moves, "ucinewgame", "go nodes 5"}).substr(0, 11),
            at_once.To({moves, "go nodes 5"}).substr(0, 11));
  const std::string fen = AnyState::Start("tri-d", "meder")->ToString();
  EXPECT_THAT(spoken.To({"setoption name uci_variant value tri-d", "position fen " + fen, "go"}),
              HasSubstr("bestmove "));
}

TEST(UciBot, TheSameSeedGivesTheSameMoves) {
  const std::vector<std::string_view> lines = {"setoption name Seed value 12345", "ucinewgame",
                                               "position startpos", "go"};
  const auto move_of = [](const std::string& said) { return said.substr(said.find("bestmove")); };
  Spoken first("random");
  Spoken second("random");
  const std::string move = move_of(first.To(lines));
  EXPECT_EQ(move, move_of(second.To(lines)));
  EXPECT_EQ(move, move_of(first.To(lines)));
}

TEST(UciBot, ExplainsItselfAfterDebugOn) {
  Spoken spoken("smart");
  EXPECT_THAT(spoken.To({"position startpos", "go"}), Not(HasSubstr("info string")));
  const std::string said = spoken.To({"debug on", "go"});
  EXPECT_THAT(said, StartsWith("info string plays "));
  EXPECT_THAT(said, HasSubstr("\ninfo string roles: White middle, "));
  EXPECT_THAT(said, ContainsRegex("\ninfo (depth [0-9]+ )?nodes [0-9]+ "));
  EXPECT_THAT(said, HasSubstr(" score shares 0."));
  EXPECT_THAT(spoken.To({"debug off", "go"}), Not(HasSubstr("info string")));
}

TEST(UciBot, PrintsItsLineAfterDebugOn) {
  Spoken spoken("paranoid");
  const std::string said =
      spoken.To({"setoption name depth value 2", "debug on", "position startpos", "go"});
  EXPECT_THAT(said, ContainsRegex("info depth 2 nodes [0-9]+ .* pv [^ ]+ [^ ]+\nbestmove "));
}

TEST(UciBot, StopEndsAnInfiniteSearch) {
  Spoken spoken("paranoid");
  spoken.bot().TakeLine("position startpos");
  spoken.bot().TakeLine("go infinite");
  spoken.bot().TakeLine("isready");  // handled during the search
  EXPECT_EQ(spoken.said(), "readyok\n");
  spoken.bot().TakeLine("go");
  spoken.bot().TakeLine("setoption name depth value 2");
  EXPECT_THAT(spoken.said(), HasSubstr("error: go: a search is running\n"));
  EXPECT_THAT(spoken.said(), HasSubstr("error: setoption: a search is running\n"));
  EXPECT_THAT(spoken.To({"stop"}), HasSubstr("bestmove "));
  // The same applies to a search that found its answer long ago.
  Spoken quick("greedy");
  quick.bot().TakeLine("go infinite");
  EXPECT_EQ(quick.said(), "");
  EXPECT_THAT(quick.To({"stop"}), HasSubstr("bestmove "));
}

TEST(UciBot, QuitEndsASearchToo) {
  Spoken spoken("mcts");
  spoken.bot().TakeLine("go infinite");
  EXPECT_FALSE(spoken.bot().TakeLine("quit"));
  EXPECT_THAT(spoken.said(), HasSubstr("bestmove "));
}

TEST(UciBot, KeepsToItsLimits) {
  Spoken spoken("paranoid");
  EXPECT_THAT(spoken.To({"go nodes 300"}), HasSubstr("info nodes 300 "));
  EXPECT_THAT(spoken.To({"setoption name nodes value 170", "go nodes 300"}),
              HasSubstr("info nodes 170 "));
  EXPECT_THAT(spoken.To({"setoption name nodes value 0", "go nodes 300"}),
              HasSubstr("info nodes 300 "));
  EXPECT_THAT(spoken.To({"go wtime 50 winc 0 btime 1 rtime 1"}), HasSubstr("bestmove "));
  EXPECT_THAT(spoken.To({"go wtime 50 movestogo 1"}), HasSubstr("bestmove "));
  EXPECT_THAT(spoken.To({"go movetime 1"}), HasSubstr("bestmove "));
}

TEST(UciBot, ReportsErrorsAndContinues) {
  Spoken spoken("paranoid");
  const auto error = [&](std::string_view line) { return spoken.To({line}); };
  EXPECT_EQ(error("xyzzy"), "info string error: unknown line \"xyzzy\"\n");
  EXPECT_EQ(error("debug"), "info string error: unknown line \"debug\"\n");
  EXPECT_EQ(error("setoption"),
            "info string error: setoption: expected setoption name NAME value VALUE\n");
  EXPECT_EQ(error("setoption name value 3"),
            "info string error: setoption: expected setoption name NAME value VALUE\n");
  EXPECT_EQ(error("setoption name Hash value 3"),
            "info string error: there is no option \"Hash\"\n");
  EXPECT_THAT(
      error("setoption name depth value many"),
      HasSubstr("option depth of bot \"paranoid\": expected a whole number from 1 to 64, not"));
  EXPECT_THAT(error("setoption name Seed value -1"), HasSubstr("option Seed: \"-1\""));
  EXPECT_THAT(error("setoption name UCI_Variant value chess"), HasSubstr("unknown game"));
  EXPECT_THAT(error("go nodes many"), HasSubstr("error: go: nodes: expected a whole number"));
  EXPECT_THAT(error("go nodes"), HasSubstr("bestmove "));
  EXPECT_EQ(error("position"),
            "info string error: position: expected startpos or fen TEXT, not \"\"\n");
  EXPECT_THAT(error("go"), HasSubstr("info string error: go: no position\nbestmove (none)"));
  EXPECT_THAT(error("position fen nonsense"), HasSubstr("error: position: "));
  EXPECT_THAT(error("position startpos moves E2-E4 E2-E4"),
              HasSubstr("error: position: move \"E2-E4\": "));
  EXPECT_EQ(error(std::string_view("\0\xff\r", 3)),
            "info string error: unknown line \"\\x00\\xff\"\n");
  EXPECT_EQ(error(""), "");
  EXPECT_THAT(spoken.To({"position startpos", "go nodes 10"}), HasSubstr("bestmove "));
}

// The client of `go` always gets an answer.
TEST(UciBot, AnswersIfNoPlayerCanBeMade) {
  Spoken spoken("torch", {{"model", "/no/such/model.pt"}});
  const std::string said = spoken.To({"position startpos", "go nodes 10"});
  EXPECT_THAT(said, StartsWith("info string error: go: "));
  EXPECT_THAT(said, testing::EndsWith("\nbestmove (none)\n"));
}

// In Tri-D, White promotes the pawn on a8, which a board of Black has left, and then moves.
TEST(UciBot, MovesTwiceAfterAPawnIsFreed) {
  constexpr std::string_view kBoards = " 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 ";
  const std::string pending =
      "position fen QL1,KL1,QL4,KL6" + std::string(kBoards) + "w - - 0 12 a8B";
  const std::string before = "position fen QL1,KL1,QL6,KL6" + std::string(kBoards) + "b - - 3 11";
  for (const std::string_view bot : {"random", "greedy", "smart", "paranoid", "maxn", "mcts"}) {
    Spoken spoken{std::string(bot)};
    const auto answer = [&](const std::string& position) {
      const std::string said = spoken.To({position, "go nodes 200"});
      EXPECT_EQ(said.find("error"), std::string::npos) << bot << ": " << said;
      return said.substr(std::min(said.size(), said.find("bestmove ")));
    };
    spoken.To({"setoption name UCI_Variant value tri-d"});
    EXPECT_THAT(answer(pending), StartsWith("bestmove a8B=")) << bot;
    EXPECT_THAT(answer(pending + " moves a8B=R"), HasSubstr("-")) << bot;
    EXPECT_THAT(answer(pending + " moves a8B=R c1W-c2W"), HasSubstr("-")) << bot;
    spoken.To({"ucinewgame"});
    EXPECT_THAT(answer(before), HasSubstr("-")) << bot;
    EXPECT_THAT(answer(before + " moves QL6-QL4"), StartsWith("bestmove a8B=")) << bot;
    EXPECT_THAT(answer(before + " moves QL6-QL4 a8B=Q c1W-c2W"), HasSubstr("-")) << bot;
  }
}

// Any sequence of words is handled.
TEST(UciBot, SurvivesAnyInput) {
  const std::vector<std::string> words = {"position",
                                          "startpos",
                                          "fen",
                                          "moves",
                                          "E2-E4",
                                          "D7-D5",
                                          "go",
                                          "nodes",
                                          "depth",
                                          "movetime",
                                          "wtime",
                                          "infinite",
                                          "movestogo",
                                          "stop",
                                          "legal",
                                          "setoption",
                                          "name",
                                          "value",
                                          "Seed",
                                          "risk",
                                          "claimable",
                                          "0",
                                          "-7",
                                          "UCI_Variant",
                                          "tri-d",
                                          "three-way",
                                          "debug",
                                          "on",
                                          "isready",
                                          "\x01\xfe",
                                          "99999999999999999999",
                                          "uci",
                                          "a2W-a3W",
                                          "ucinewgame",
                                          "winc",
                                          "triumvirate",
                                          "w",
                                          "-",
                                          "2/2|2/2",
                                          "<empty>"};
  for (const std::string_view bot : {"smart", "paranoid"}) {
    Spoken spoken{std::string(bot), {}};
    Random random(1);
    for (int i = 0; i < 3000; ++i) {
      std::string line;
      for (uint32_t left = 1 + random.Below(7); left > 0; --left) {
        line += words[random.Below(static_cast<uint32_t>(words.size()))] + ' ';
      }
      spoken.bot().TakeLine(line);
      if (i % 3 == 0) spoken.bot().TakeLine("stop");
    }
    EXPECT_THAT(spoken.To({"stop", "setoption name UCI_Variant value tri-d", "position startpos",
                           "go nodes 20"}),
                HasSubstr("bestmove "));
  }
}

}  // namespace
}  // namespace triarch
