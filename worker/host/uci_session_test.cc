#include "worker/host/uci_session.h"

#include <chrono>
#include <string>

#include "core/any_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHello[] =
    "Some Engine 7 by somebody\n"
    "id name My bot 1.2\n"
    "id author me\n"
    "option name UCI_Variant type combo default chess var chess var tri-d var triumvirate\n"
    "option name LegalMoves type check default false\n"
    "option name Move Overhead type spin default 30 min 0 max 5000\n"
    "option name Style type combo default calm var calm var wild one\n"
    "option name Book type string default <empty>\n"
    "option name Seed type string default 0\n"
    "option name Clear Hash type button\n"
    "uciok\n";

UciSession Greeted(std::string_view game = "tri-d", const std::string& hello = kHello) {
  UciSession session(**FindGame(game));
  EXPECT_EQ(session.Begin(), "uci\n");
  EXPECT_TRUE(session.Receive(hello).ok());
  EXPECT_FALSE(session.is_waiting());
  return session;
}

std::string ErrorOfOptions(const std::map<std::string, std::string>& options,
                           std::string_view game = "tri-d") {
  UciSession session = Greeted(game);
  const auto lines = session.SetOptions(options);
  EXPECT_FALSE(lines.ok());
  EXPECT_FALSE(session.is_waiting());
  return std::string(lines.status().message());
}

// Returns the lines that a session sends to request a move.
std::string LinesOfGo(UciSession& session, const SearchLimits& limits, std::string_view legal) {
  std::string lines = "of the last turn";
  session.Go(limits, legal, &lines);
  return lines;
}

// Returns a session that waits for a move.
UciSession Thinking(std::string_view game = "tri-d") {
  UciSession session = Greeted(game);
  EXPECT_TRUE(session.SetOptions({}).ok());
  EXPECT_TRUE(session.Receive("readyok\n").ok());
  session.NewGame(7);
  EXPECT_TRUE(session.Receive("readyok\n").ok());
  const TurnContext context{.position = "startpos"};
  LinesOfGo(session, {.context = &context}, {});
  return session;
}

TEST(UciSession, ReadsNameAndOptions) {
  const UciSession session = Greeted();
  EXPECT_EQ(session.name(), "My bot 1.2");
  ASSERT_EQ(session.options().size(), 7u);
  const UciSession::Option& overhead = session.options().at("Move Overhead");
  EXPECT_EQ(overhead.type, "spin");
  EXPECT_EQ(overhead.default_value, "30");
  EXPECT_EQ(overhead.max, 5000);
  EXPECT_THAT(session.options().at("Style").values, ElementsAre("calm", "wild one"));
}

TEST(UciSession, SetsOfferedOptions) {
  UciSession session = Greeted();
  EXPECT_EQ(session.SetOptions({{"Move Overhead", "0"}, {"Style", "wild one"}}).value(),
            "setoption name UCI_Variant value tri-d\n"
            "setoption name LegalMoves value true\n"
            "setoption name Move Overhead value 0\n"
            "setoption name Style value wild one\n"
            "isready\n");
  EXPECT_TRUE(session.wants_legal_moves());
  EXPECT_TRUE(session.is_waiting());
  ASSERT_TRUE(session.Receive("readyok\n").ok());
  EXPECT_FALSE(session.is_waiting());
  EXPECT_EQ(session.NewGame(7), "setoption name Seed value 7\nucinewgame\nisready\n");
}

TEST(UciSession, ChecksOptions) {
  EXPECT_THAT(ErrorOfOptions({{"Level", "1"}}),
              HasSubstr("it has no option \"Level\"; expected one of Book, "));
  EXPECT_THAT(ErrorOfOptions({{"Move Overhead", "5001"}}),
              HasSubstr("option Move Overhead: \"5001\"; expected a whole number from 0 to 5000"));
  EXPECT_THAT(ErrorOfOptions({{"Move Overhead", "x"}}), HasSubstr("expected a whole number"));
  EXPECT_THAT(ErrorOfOptions({{"Style", "wild"}}), HasSubstr("expected one of calm, wild one"));
  EXPECT_THAT(ErrorOfOptions({{"LegalMoves", "yes"}}), HasSubstr("expected true or false"));
  EXPECT_THAT(ErrorOfOptions({{"Book", "a\nquit"}}), HasSubstr("line break"));
  EXPECT_THAT(ErrorOfOptions({}, "three-way"),
              HasSubstr("it does not play three-way, only chess, tri-d, triumvirate"));
  UciSession session = Greeted("tri-d", "uciok\n");
  EXPECT_THAT(std::string(session.SetOptions({}).status().message()),
              HasSubstr("has no option UCI_Variant"));
}

TEST(UciSession, GoSendsTheLimits) {
  UciSession session = Greeted("triumvirate");
  ASSERT_TRUE(session.SetOptions({}).ok());
  TurnContext context{.position = "startpos moves E2-E4", .seat = Seat::kSecond};
  const SearchLimits limits{.nodes = 50, .depth = 3, .context = &context};
  EXPECT_EQ(LinesOfGo(session, limits, " D7-D6 E7-E6"),
            "position startpos moves E2-E4\ngo seat b nodes 50 depth 3 legal D7-D6 E7-E6\n");
  context.clocks = {{milliseconds(1000), milliseconds(900), milliseconds(800)}};
  context.increments = {{milliseconds(10), milliseconds(0), milliseconds(20)}};
  context.moves_to_go = 7;
  context.move_time = milliseconds(500);
  context.can_claim = true;
  EXPECT_EQ(
      LinesOfGo(session, {.context = &context}, " D7-D6"),
      "position startpos moves E2-E4\n"
      "go seat b wtime 1000 winc 10 btime 900 binc 0 rtime 800 rinc 20 movestogo 7 movetime 500 "
      "claimable legal D7-D6\n");
}

TEST(UciSession, AcceptsOutputInAnyPieces) {
  const std::string lines =
      "\r\nhello\ninfo depth 1 nodes 40 score shares 0.25 0.75 pv a b\r\n"
      "info nodes 90 score cp 17 string nodes 5 shares 1 0\nbestmove a2W-a3W ponder b7B-b6B\n";
  for (size_t size = 1; size < lines.size(); ++size) {
    UciSession session = Thinking();
    for (size_t at = 0; at < lines.size(); at += size) {
      ASSERT_TRUE(session.is_waiting());
      ASSERT_TRUE(session.Receive(std::string_view(lines).substr(at, size)).ok());
    }
    EXPECT_FALSE(session.is_waiting());
    EXPECT_EQ(session.answer(), "a2W-a3W");
    EXPECT_EQ(session.info().nodes, 90);
    ASSERT_TRUE(session.info().shares.has_value());
    EXPECT_EQ((*session.info().shares)[Seat::kSecond], 0.75);
  }
}

TEST(UciSession, IgnoresInvalidInfo) {
  UciSession session = Thinking("triumvirate");
  ASSERT_TRUE(session
                  .Receive("info\ninfo nodes\ninfo nodes x\ninfo nodes -5\ninfo score shares 1 0\n"
                           "info score shares a b c\ninfo shares\n")
                  .ok());
  EXPECT_EQ(session.info().nodes, 0);
  EXPECT_FALSE(session.info().shares.has_value());
  EXPECT_TRUE(session.is_waiting());
}

// Returns what a session keeps of a turn's lines.
UciSession::Info Said(const std::string& lines, SearchInfo* wanted) {
  UciSession session = Thinking();
  EXPECT_TRUE(session.Receive("bestmove a2W-a3W\n").ok());
  const TurnContext context = {.position = "startpos"};
  LinesOfGo(session, {.context = &context, .search_info = wanted}, " a2W-a3W");
  EXPECT_TRUE(session.Receive(lines).ok());
  return session.info();
}

TEST(UciSession, KeepsTheLastLineDepthAndStringIfWanted) {
  const std::string lines =
      "info depth 2 nodes 5 pv a2W-a3W\ninfo string first\n"
      "info depth 3 seldepth 9 nodes 7 pv a2W-a3W b7B-b6B\n"
      "info depth 4 multipv 2 nodes 9 pv b2W-b3W\ninfo depth x\n"
      "info string  pv  {is} good \xff \r\ninfo nodes 8\n";
  SearchInfo wanted;
  const UciSession::Info said = Said(lines, &wanted);
  EXPECT_EQ(said.depth, 4);
  EXPECT_EQ(said.nodes, 8);
  EXPECT_THAT(said.line, ElementsAre("a2W-a3W", "b7B-b6B"));
  EXPECT_EQ(said.explanation, "pv  {is} good \xff");
  for (SearchInfo* const unwanted : {static_cast<SearchInfo*>(nullptr), &wanted}) {
    wanted.wants_explanation = false;
    const UciSession::Info kept = Said(lines, unwanted);
    EXPECT_TRUE(kept.line.empty() && kept.explanation.empty());
    EXPECT_EQ(kept.nodes, 8);
  }
  wanted.wants_explanation = true;
  std::string endless = "info pv";
  for (int i = 0; i < 5000; ++i) endless += " a2W-a3W";
  endless += "\ninfo string " + std::string(60'000, 'x') + "\n";
  const UciSession::Info cut = Said(endless, &wanted);
  EXPECT_EQ(cut.line.size(), 64u);
  EXPECT_EQ(cut.explanation.size(), 4096u);
}

TEST(UciSession, AnUnrequestedAnswerIsAnIllegalMove) {
  UciSession session = Thinking();
  ASSERT_TRUE(session.Receive("bestmove a2W-a3W\n").ok());
  const absl::Status again = session.Receive("bestmove a2W-a3W\n");
  EXPECT_EQ(again.code(), absl::StatusCode::kInvalidArgument);
  UciSession other = Thinking();
  EXPECT_EQ(other.Receive("bestmove\n").code(), absl::StatusCode::kInvalidArgument);
}

TEST(UciSession, FloodingIsAFault) {
  UciSession line = Thinking();
  ASSERT_TRUE(line.Receive(std::string(UciSession::kLineBytesMax, 'x')).ok());
  EXPECT_EQ(line.Receive("x").code(), absl::StatusCode::kResourceExhausted);
  UciSession lines = Thinking();
  const std::string info = "info string " + std::string(1000, 'x') + "\n";
  absl::Status status;
  int taken = 0;
  for (; status.ok() && taken < 10'000; ++taken) status = lines.Receive(info);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(static_cast<size_t>(taken), UciSession::kBytesPerAnswerMax / info.size() + 1);
}

// Each request resets the count.
TEST(UciSession, ATalkativeBotIsNotFlooding) {
  UciSession session = Thinking();
  const std::string info(kHello);
  const TurnContext context{.position = "startpos"};
  for (int i = 0; i < 5'000; ++i) {
    ASSERT_TRUE(
        session.Receive("info string " + std::string(1000, 'x') + "\nbestmove resign\n").ok());
    EXPECT_EQ(session.answer(), "resign");
    LinesOfGo(session, {.context = &context}, {});
  }
}

}  // namespace
}  // namespace triarch
