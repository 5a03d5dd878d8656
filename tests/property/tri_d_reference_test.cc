// Tests the reference implementation of Tri-D chess against data and the rules.

#include "tests/property/tri_d_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "tests/property/reference_data.h"

// The data was made by a third implementation; figures and examples come from the rules.
namespace triarch::tri_d_reference {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kMeder =
    "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 0 1";
constexpr std::string_view kDocument =
    "QL1,KL1,QL6,KL6 4/DDDD/BNNB/1KQ1|4/4/4/4|1qk1/bnnb/dddd/4|DD/R1|DD/1R|r1/dd|1r/dd w KQkq - 0 "
    "1";

State AfterMoves(std::string_view tfen, const std::vector<std::string_view>& moves) {
  State state = ParseTfen(tfen);
  for (const std::string_view move : moves) Play(state, move);
  return state;
}

void ExpectPerft(std::string_view tfen, const std::vector<uint64_t>& counts) {
  const State state = ParseTfen(tfen);
  EXPECT_EQ(ToTfen(state), tfen);
  int depth = 0;
  for (const uint64_t count : counts) {
    ++depth;
    EXPECT_EQ(Perft(state, depth), count) << tfen << " at depth " << depth;
  }
}

TEST(TriDReference, CountsTheStarts) {
  ExpectPerft(kMeder, {20, 400, 9128, 207888});
  ExpectPerft(kDocument, {40, 1572, 64648});
}

TEST(TriDReference, AgreesWithThePerftTable) {
  CheckPerftTable("tri_d/perft.tsv", ParseTfen, ToTfen);
}

// Returns the data's word for the ending, or "" if the game is not over.
std::string EndOf(const History& history) {
  const std::optional<Ending> ending = history.ending();
  if (!ending) return "";
  if (ending->termination == "checkmate") return "CHECKMATE";
  if (ending->termination == "fifty_moves") return "FIFTY";
  return ending->termination;
}

void ExpectGame(const nlohmann::json& game) {
  SCOPED_TRACE("game " + game.at("id").dump());
  History history(ParseTfen(game.at("start").get<std::string>()));
  EXPECT_EQ(ToTfen(history.state()), game.at("start"));
  const nlohmann::json& positions = game.at("positions");
  size_t checked = 0;
  int ply = 0;
  for (const nlohmann::json& move : game.at("moves")) {
    ASSERT_EQ(EndOf(history), "") << "after ply " << ply;
    const auto text = move.get<std::string>();
    ASSERT_THAT(LegalMoves(history.state()), Contains(text)) << "at ply " << ply;
    history.Play(text);
    ++ply;
    if (checked < positions.size() && positions[checked][0] == ply) {
      ASSERT_EQ(ToTfen(history.state()), positions[checked][1]) << "after ply " << ply;
      EXPECT_EQ(ParseTfen(ToTfen(history.state())), history.state());
      ++checked;
    }
  }
  EXPECT_EQ(checked, positions.size());
  EXPECT_EQ(EndOf(history), game.at("end").is_null() ? "" : game.at("end").get<std::string>());
}

TEST(TriDReference, ReplaysTheGames) {
  for (const std::string& line : LinesOf("tri_d/games.jsonl"))
    ExpectGame(nlohmann::json::parse(line));
}

TEST(TriDReference, AgreesWithTheScenarios) {
  const std::vector<std::string> lines = LinesOf("tri_d/scenarios.tsv");
  for (size_t i = 1; i < lines.size(); ++i) {  // line 0 is the header
    const std::vector<std::string_view> fields = Split(lines[i], '\t');
    ASSERT_EQ(fields.size(), 9u) << lines[i];
    SCOPED_TRACE(std::string(fields[0]));
    const std::string move(fields[7]);
    State state = ParseTfen(fields[3]);
    EXPECT_EQ(ToTfen(state), fields[3]);
    if (fields[5] == "INVALID") {
      if (fields[1] == "notation") continue;  // a malformed text of a possibly legal move
      EXPECT_THAT(LegalMoves(state), Not(Contains(move)));
      continue;
    }
    ASSERT_EQ(fields[5], "VALID");
    ASSERT_THAT(LegalMoves(state), Contains(move));
    Play(state, move);
    EXPECT_EQ(ToTfen(state), fields[8]);
  }
}

// The data does not contain the following cases, or not with these continuations.

TEST(TriDReference, KeepsCastlingForTheSecondMove) {
  State state = ParseTfen(kDocument);
  EXPECT_THAT(LegalMoves(state), Not(Contains("0-0")));
  Play(state, "b2W-c4W");
  EXPECT_THAT(LegalMoves(state), Not(Contains("0-0")));
  Play(state, "b7B-c5N");
  EXPECT_THAT(LegalMoves(state), Contains("0-0"));
  EXPECT_THAT(LegalMoves(state), Contains("0-0-0"));
  Play(state, "0-0-0");
  EXPECT_EQ(ToTfen(state),
            "QL1,KL1,QL6,KL6 2N1/DDDD/B1NB/1RQ1|4/2n1/4/4|1qk1/b1nb/dddd/4|DD/1K|DD/1R|r1/dd|1r/dd "
            "b kq - 3 2");
  Play(state, "0-0");
  EXPECT_EQ(ToTfen(state),
            "QL1,KL1,QL6,KL6 2N1/DDDD/B1NB/1RQ1|4/2n1/4/4|1qr1/b1nb/dddd/4|DD/1K|DD/1R|r1/dd|1k/dd "
            "w - - 4 3");
}

TEST(TriDReference, LosesCastlingWithACarriedOrCapturedRook) {
  State state =
      ParseTfen("QL1,KL1,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/4|2/R1|2/1R|2/2|k1/1b w KQ - 0 10");
  Play(state, "QL1-QL3");
  EXPECT_THAT(ToTfen(state), ::testing::HasSubstr(" b K - 1 10"));
  state = ParseTfen("QL1,KL1,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/4|2/R1|2/1R|2/2|k1/1r b KQ - 0 10");
  Play(state, "e8KL6-e0KL1");
  EXPECT_THAT(ToTfen(state), ::testing::HasSubstr(" w Q - 0 11"));
}

TEST(TriDReference, ACarriedPawnLosesItsDoubleStep) {
  State state = ParseTfen("QL1,KL3,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/4|1D/2|2/2|2/2|k1/2 w - - 3 10");
  EXPECT_THAT(TargetsFrom("a1QL1", state), UnorderedElementsAre("a2W", "a3W", "a3N"));
  Play(state, "QL1-KL1");
  EXPECT_EQ(ToTfen(state),
            "KL1,KL3,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/4|1P/2|2/2|2/2|k1/2 b - - 4 10");
}

TEST(TriDReference, AFreedPawnOfTheOpponentPromotesFirst) {
  State state = AfterMoves("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|Pn2/4/4/4|2/2|2/K1|2/2|2/1k b - - 0 10",
                           {"QL6-QL5"});
  EXPECT_THAT(LegalMoves(state), ElementsAre("a8B=B", "a8B=N", "a8B=Q", "a8B=R"));
  EXPECT_EQ(Perft(state, 1), 4u);
  Play(state, "a8B=R");
  EXPECT_EQ(ToTfen(state),
            "QL1,KL1,QL5,KL6 4/4/4/4|4/4/4/4|Rn2/4/4/4|2/2|2/K1|2/2|2/1k w - - 0 11");
  Play(state, "a8B-b8B");
  EXPECT_THAT(ToTfen(state), ::testing::HasSubstr(" b - - 0 11"));
}

TEST(TriDReference, PromotesAFreedPawnBeforeACheckIsAnswered) {
  State state = AfterMoves("QL1,KL1,QL6,KL6 4/4/4/4|3K/4/4/4|P3/4/4/4|2/2|2/1k|2/r1|2/2 b - - 0 10",
                           {"QL6-QL4"});
  EXPECT_TRUE(InCheck(state, 0));
  EXPECT_THAT(LegalMoves(state), ElementsAre("a8B=B", "a8B=N", "a8B=Q", "a8B=R"));
  Play(state, "a8B=Q");
  EXPECT_TRUE(InCheck(state, 0));
  // The rook on z6 attacks the king on d6 across a6, b6 and c6.
  EXPECT_THAT(TargetsFrom("a8B", state), UnorderedElementsAre("a6N", "a6B", "a6QL4", "c6N", "c6B"));
}

TEST(TriDReference, PromotesTheMoversFreedPawnWithTheBoardMove) {
  const State state =
      ParseTfen("QL6,KL1,QL3,KL6 4/4/4/4|4/3k/4/4|P3/4/4/4|2/2|2/K1|2/2|2/2 w - - 4 10");
  EXPECT_THAT(LegalMoves(state), Not(Contains("QL6-QL4")));
  EXPECT_EQ(ToTfen(AfterMoves(ToTfen(state), {"QL6-QL4=R"})),
            "QL4,KL1,QL3,KL6 4/4/4/4|4/3k/4/4|R3/4/4/4|2/2|2/K1|2/2|2/2 b - - 0 10");
}

TEST(TriDReference, LetsKingsStandInOneColumn) {
  const State state =
      ParseTfen("QL2,KL3,QL4,KL5 K3/4/4/4|4/4/4/3R|4/4/4/4|2/1k|2/2|2/2|2/2 w - - 0 10");
  EXPECT_FALSE(InCheck(state, 0));
  EXPECT_FALSE(InCheck(state, 1));
  EXPECT_TRUE(TargetsFrom("a4W", state).empty());
}

TEST(TriDReference, RepeatsWithBoardsOfAColourExchanged) {
  constexpr std::string_view kRest = " w - - 0 10";
  const auto text = [&](std::string_view position) {
    return RepetitionText(ParseTfen(std::string(position) + std::string(kRest)));
  };
  const std::string one = text("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|1D/2|2/K1|2/2|k1/2");
  EXPECT_EQ(text("KL1,QL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/K1|1D/2|2/2|k1/2"), one);
  EXPECT_NE(text("QL1,QL6,KL1,KL6 4/4/4/4|4/4/4/4|4/4/4/4|1D/2|2/2|2/K1|k1/2"), one);
  EXPECT_NE(text("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|1P/2|2/K1|2/2|k1/2"), one);
}

TEST(TriDReference, RepetitionCountsOnlyAUsableTarget) {
  // Black's pawn on c4N could capture the pawn that moves to b4N; the one on e4 could not.
  for (const bool is_usable : {true, false}) {
    State state = AfterMoves(
        is_usable ? "QL1,KL1,QL6,KL6 4/4/1D2/4|4/4/2p1/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10"
                  : "QL1,KL1,QL6,KL6 4/4/1D2/4|4/4/3p/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10",
        {"b2W-b4N"});
    EXPECT_EQ(CanCaptureEnPassant(state), is_usable);
    const std::string with = RepetitionText(state);
    state.ep = kNowhere;
    EXPECT_EQ(with != RepetitionText(state), is_usable);
  }
}

constexpr std::string_view kMated =
    "QL2,KL1,QL6,KL6 4/4/4/3K|4/4/4/4|1krr/4/4/4|2/2|2/2|2/2|2/1r w - - 100 60";

TEST(TriDReference, EndsWithMateAndStalemate) {
  EXPECT_EQ(EndingOf(ParseTfen(kMated)), (Ending{"checkmate", "2-1", "0-1"}));
  EXPECT_EQ(EndingOf(ParseTfen(
                "QL4,KL4,QL6,KL6 4/1k2/3n/K3|4/4/4/4|4/4/4/4|p1/2|1p/2|2/2|2/2 w - - 0 10")),
            (Ending{"stalemate", "1-1", "1/2-1/2"}));
  EXPECT_EQ(EndingOf(ParseTfen(kMeder)), std::nullopt);
}

TEST(TriDHistory, PutsMateBeforeFiftyMoves) {
  EXPECT_EQ(History(ParseTfen(kMated)).ending()->termination, "checkmate");
  History history(
      ParseTfen("QL1,KL1,QL6,KL6 4/4/4/1K2|4/4/4/4|4/4/4/4|2/2|2/2|2/2|k1/1r w - - 98 60"));
  history.Play("QL1-QL3");
  EXPECT_EQ(history.ending(), std::nullopt);
  history.Play("QL6-QL4");
  EXPECT_EQ(history.ending(), (Ending{"fifty_moves", "1-1", "1/2-1/2"}));
}

TEST(TriDHistory, EndsWithTheKingsAlone) {
  History history(
      ParseTfen("QL1,KL1,QL6,KL6 4/4/1r2/1K2|4/4/4/4|4/4/4/4|2/2|2/2|2/2|k1/2 w - - 0 10"));
  EXPECT_EQ(history.ending(), std::nullopt);
  history.Play("b1W-b2W");
  EXPECT_EQ(history.ending(), (Ending{"insufficient_material", "1-1", "1/2-1/2"}));
  EXPECT_EQ(EndingOf(history.state()), std::nullopt);
  EXPECT_FALSE(LegalMoves(history.state()).empty());
  EXPECT_FALSE(IsDeadPosition(
      ParseTfen("QL1,KL1,QL6,KL6 4/4/1n2/1K2|4/4/4/4|4/4/4/4|2/2|2/2|2/2|k1/2 w - - 0 10")));
}

TEST(TriDHistory, EndsWithTheThirdOccurrence) {
  History history(ParseTfen(kMeder));
  for (int i = 1; i <= 2; ++i) {
    for (const std::string_view move : {"a1W-b3W", "a8B-b6B", "b3W-a1W", "b6B-a8B"}) {
      EXPECT_EQ(history.ending(), std::nullopt);
      history.Play(move);
    }
    EXPECT_EQ(history.occurrences(), i + 1);
  }
  EXPECT_EQ(history.ending(), (Ending{"threefold_repetition", "1-1", "1/2-1/2"}));
}

TEST(TriDHistory, EndsWithAResignation) {
  History history(ParseTfen(kMeder));
  history.Resign(1);
  EXPECT_EQ(history.ending(), (Ending{"resignation", "1-2", "1-0"}));
  EXPECT_TRUE(LegalMoves(history.state()).empty());
}

}  // namespace
}  // namespace triarch::tri_d_reference
