// Tests the reference implementation of Triumvirate against data and the rules.

#include "tests/property/triumvirate_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "tests/property/reference_data.h"

// The data was made by a third implementation; figures and examples come from the rules.
namespace triarch::triumvirate_reference {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

constexpr std::string_view kStart =
    "wRA1,wPA2,bPA7,bRA8,wNB1,wPB2,bPB7,bNB8,wBC1,wPC2,bPC7,bBC8,wQD1,wPD2,bPD7,bQD8,wKE1,wPE2,"
    "rPE11,rQE12,wBF1,wPF2,rPF11,rBF12,wNG1,wPG2,rPG11,rNG12,wRH1,wPH2,rPH11,rRH12,bPI7,bKI8,"
    "rPI11,rKI12,bPJ7,bBJ8,rPJ11,rBJ12,bPK7,bNK8,rPK11,rNK12,bPL7,bRL8,rPL11,rRL12 w "
    "wKQ.bKQ.rKQ - aaa 0 1";

int CountPairs(const PerCell<PerCell<bool>>& reached) {
  int pairs = 0;
  for (int a = 0; a < kCells; ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_EQ(reached[a][b], reached[b][a]) << CellName(a) << ' ' << CellName(b);
      pairs += reached[a][b] ? 1 : 0;
    }
  }
  return pairs;
}

std::vector<std::string> Reached(const PerCell<bool>& reached) {
  std::vector<std::string> names;
  for (int cell = 0; cell < kCells; ++cell) {
    if (reached[cell]) names.push_back(CellName(cell));
  }
  return names;
}

// Returns where White's piece on `cell` can move, with White to move.
std::set<std::string> TargetsFrom(std::string_view cell, std::string_view pieces,
                                  std::string_view statuses = "aaa") {
  const State state =
      Parse3pf(std::string(pieces) + " w w-.b-.r- - " + std::string(statuses) + " 0 1");
  return triarch::TargetsFrom(cell, state);
}

TEST(ReferenceBoard, HasTheEdgesOfTheRules) {
  const Geometry& board = Board();
  EXPECT_EQ(CountPairs(board.orthogonal_step), 168);
  EXPECT_EQ(CountPairs(board.king), 318);
  EXPECT_EQ(CountPairs(board.knight), 264);
}

TEST(ReferenceBoard, HasTheNeighboursOfD4) {
  const int d4 = CellNamed("D4");
  EXPECT_THAT(
      Reached(Board().knight[d4]),
      UnorderedElementsAreArray({"B3", "B5", "C2", "C6", "E2", "E10", "F3", "F9", "I6", "J5"}));
  EXPECT_THAT(Reached(Board().king[d4]),
              UnorderedElementsAreArray({"C4", "D3", "D5", "E4", "C3", "C5", "E3", "E9", "I5"}));
}

TEST(ReferenceBoard, SplitsABishopRayAtTheCentre) {
  EXPECT_THAT(TargetsFrom("A1", "wBA1,wKH1,bKA8,rKI12"),
              UnorderedElementsAreArray(
                  {"B2", "C3", "D4", "I5", "J6", "K7", "L8", "E9", "F10", "G11", "H12"}));
  EXPECT_THAT(TargetsFrom("A1", "wBA1,wKH1,bNI5,bKA8,rKI12"),
              UnorderedElementsAreArray({"B2", "C3", "D4", "I5", "E9", "F10", "G11", "H12"}));
}

TEST(ReferenceBoard, GivesPawnsThreeCapturesAcrossTheCentre) {
  const std::vector<std::vector<std::string>> expected = {
      {"D4", "C5", "E9", "I5"}, {"E4", "D5", "I9", "F9"}, {"D5", "C4", "E4", "I9"},
      {"I5", "D4", "E9", "J9"}, {"E9", "D4", "I5", "F4"}, {"I9", "D5", "E4", "J5"}};
  for (const std::vector<std::string>& cells : expected) {
    std::vector<std::string> found;
    const int from = CellNamed(cells.front());
    for (const int to : Board().pawn_captures[from][kToFront]) found.push_back(CellName(to));
    EXPECT_THAT(found, UnorderedElementsAreArray(cells.begin() + 1, cells.end())) << cells.front();
    EXPECT_EQ(Board().pawn_captures[from][kToBaseRow].size(), 2u);
  }
}

TEST(Reference, CountsTheStart) {
  const State start = Parse3pf(kStart);
  EXPECT_EQ(To3pf(start), kStart);
  EXPECT_EQ(Perft(start, 1), 20u);
  EXPECT_EQ(Perft(start, 2), 400u);
  EXPECT_EQ(Perft(start, 3), 8000u);
}

TEST(Reference, AgreesWithThePerftTable) {
  CheckPerftTable("triumvirate/perft.tsv", Parse3pf, To3pf);
}

void ExpectGame(const nlohmann::json& game) {
  SCOPED_TRACE(game.at("id").get<std::string>());
  History history(Parse3pf(game.at("start").get<std::string>()));
  EXPECT_EQ(To3pf(history.state()), game.at("start"));
  const nlohmann::json& positions = game.at("positions_3pf");
  size_t checked = 0;
  int ply = 0;
  for (const nlohmann::json& move : game.at("moves")) {
    ASSERT_FALSE(history.ending().has_value()) << "after ply " << ply;
    const auto text = move.get<std::string>();
    ASSERT_THAT(LegalMoves(history.state()), Contains(text)) << "at ply " << ply;
    history.Play(text);
    ++ply;
    if (checked < positions.size() && positions[checked].at("ply") == ply) {
      ASSERT_EQ(To3pf(history.state()), positions[checked].at("3pf")) << "after ply " << ply;
      ++checked;
    }
  }
  EXPECT_EQ(checked, positions.size());
  ASSERT_TRUE(history.ending().has_value());
  EXPECT_EQ(history.ending()->termination, game.at("termination"));
  EXPECT_EQ(history.ending()->placement, game.at("placement"));
  EXPECT_EQ(history.ending()->result, game.at("result"));
}

TEST(Reference, ReplaysTheGames) {
  for (const std::string& line : LinesOf("triumvirate/games.jsonl"))
    ExpectGame(nlohmann::json::parse(line));
}

TEST(Reference, ResignsAsInTheTable) {
  for (const std::string& line : LinesOf("triumvirate/resign.tsv")) {
    const std::vector<std::string_view> fields = Split(line, '\t');
    ASSERT_EQ(fields.size(), 3u) << line;
    State state = Parse3pf(fields[0]);
    EXPECT_EQ(To3pf(state), fields[0]);
    Resign(state, static_cast<int>(std::string_view("wbr").find(fields[1])));
    EXPECT_EQ(To3pf(state), fields[2]);
  }
}

TEST(Reference, EndsWithTheLastSurvivor) {
  State state = Parse3pf(kStart);
  Resign(state, 2);
  EXPECT_FALSE(IsOver(state));
  Resign(state, 0);
  ASSERT_TRUE(IsOver(state));
  EXPECT_EQ(*EndingOf(state), (Ending{"resignation", "2-1-3", "0-1-0"}));
  EXPECT_THAT(LegalMoves(state), IsEmpty());
}

// The data does not contain the following cases.

TEST(Reference, JudgesThePlayerToMoveAgainWhenAnotherResigns) {
  // Black's pawn moves to Red's base row; inherited by Red it turns round and mates on H1.
  State state = Parse3pf("wPA2,bKA8,rNF3,bPG2,rRG9,wKH1,rKI12 w w-.b-.r- - aaa 0 1");
  EXPECT_THAT(LegalMoves(state), ElementsAre("A2-A3", "A2-A4"));
  Resign(state, 1);
  EXPECT_EQ(To3pf(state), "wP>rA2,rNF3,bP>rG2,rRG9,rKI12 r w-.b-.r- - mxa 0 1");
  EXPECT_EQ(EndingOf(state), (Ending{"checkmate", "2-3-1", "0-0-1"}));
}

TEST(Reference, KeepsTheEnPassantTargetAfterAResignationExceptForOwnPawns) {
  State state = Parse3pf("bKA8,bPD4,wPE4,wKH1,rKI12 b w-.b-.r- E3 aaa 0 1");
  EXPECT_THAT(LegalMoves(state), Contains("D4-E3"));
  Resign(state, 0);
  EXPECT_EQ(To3pf(state), "bKA8,bPD4,wP>bE4,rKI12 b w-.b-.r- E3 xaa 0 1");
  EXPECT_THAT(LegalMoves(state), Not(Contains("D4-E3")));
}

TEST(Reference, GivesInheritedPawnsNoDoubleStep) {
  EXPECT_THAT(TargetsFrom("I7", "wKH1,bP>wI7,rKI12", "axa"), ElementsAre("I6"));
}

TEST(Reference, CountsEnPassantAgainstStalemate) {
  constexpr std::string_view kOnlyMove =
      "bKA8,wRB1,wPD3,bPD4,wPE4,wKH1,rKI12,rRL7 b w-.b-.r- E3 aaa 0 1";
  State state = Parse3pf(kOnlyMove);
  EXPECT_EQ(To3pf(state), kOnlyMove);
  EXPECT_THAT(LegalMoves(state), ElementsAre("D4-E3"));
  state.ep = kNowhere;
  EXPECT_THAT(To3pf(state), HasSubstr(" asa "));
}

TEST(Reference, RepetitionCountsRightsAndUsableTargets) {
  State state = Parse3pf(kStart);
  Play(state, "E2-E4");
  State other = state;
  other.ep = kNowhere;
  EXPECT_EQ(RepetitionText(state), RepetitionText(other));
  other.rights[2][0] = false;
  EXPECT_NE(RepetitionText(state), RepetitionText(other));

  state = Parse3pf("bKA8,bPD4,wPE4,wKH1,rKI12 b w-.b-.r- E3 aaa 0 1");
  other = state;
  other.ep = kNowhere;
  EXPECT_NE(RepetitionText(state), RepetitionText(other));
}

TEST(History, CountsOccurrencesWithTheStart) {
  History history(Parse3pf(kStart));
  for (const std::string_view move : {"B1-A3", "B8-A6", "K12-L10", "A3-B1", "A6-B8", "L10-K12"}) {
    EXPECT_EQ(history.occurrences(), 1);
    history.Play(move);
  }
  EXPECT_EQ(history.occurrences(), 2);
  EXPECT_FALSE(history.ending().has_value());
}

}  // namespace
}  // namespace triarch::triumvirate_reference
