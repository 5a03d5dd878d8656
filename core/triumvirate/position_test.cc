#include "core/triumvirate/position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text.h"
#include "core/game/game_state.h"
#include "core/game/perft.h"
#include "core/triumvirate/attacks.h"
#include "core/triumvirate/text.h"

namespace triarch::triumvirate {
namespace {

using ::testing::HasSubstr;

Cell At(std::string_view name) { return Cell::Parse(name).value(); }

std::string Names(CellSet cells) {
  std::set<std::string> names;
  for (const Cell cell : cells) names.insert(cell.ToString());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::vector<std::vector<std::string>> ReadTsv(const std::string& name) {
  std::ifstream file(TRIARCH_TEST_DATA "/triumvirate/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> row;
    for (const std::string_view cell : Split(line, '\t')) row.emplace_back(cell);
    rows.push_back(std::move(row));
  }
  EXPECT_FALSE(rows.empty()) << name;
  return rows;
}

Position Parsed(std::string_view text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status() << "\n" << text;
  return position.value_or(Position());
}

TEST(Board, HasTheCellsAndEdgesOfTheRules) {
  int king = 0;
  int knight = 0;
  for (int i = 0; i < kCells; ++i) {
    const Cell cell = Cell::At(i);
    EXPECT_EQ(Cell::Parse(cell.ToString()), cell);
    king += KingAttacks(cell).size();
    knight += KnightAttacks(cell).size();
    const CellSet turned = KingAttacks(cell.Rotated());
    for (const Cell neighbor : KingAttacks(cell)) EXPECT_TRUE(turned.contains(neighbor.Rotated()));
  }
  EXPECT_EQ(king, 2 * 318);
  EXPECT_EQ(knight, 2 * 264);
  for (const std::string_view name :
       {"E5", "H8", "I1", "L4", "A9", "D12", "M1", "A0", "A13", "a1", "A01", "A", "", "A1 "}) {
    EXPECT_FALSE(Cell::Parse(name)) << name;
  }
}

TEST(Board, LinesCrossTheCentreAsTheRulesSay) {
  EXPECT_EQ(Names(KingAttacks(At("D4"))), "C3 C4 C5 D3 D5 E3 E4 E9 I5");
  EXPECT_EQ(Names(KnightAttacks(At("D4"))), "B3 B5 C2 C6 E10 E2 F3 F9 I6 J5");
  EXPECT_EQ(Names(BishopAttacks(At("A1"), {})), "B2 C3 D4 E9 F10 G11 H12 I5 J6 K7 L8");
  // Each branch is blocked separately.
  EXPECT_EQ(Names(BishopAttacks(At("A1"), CellSet::Of(At("I5")))), "B2 C3 D4 E9 F10 G11 H12 I5");
  EXPECT_EQ(Names(RookAttacks(At("D4"), {})), "A4 B4 C4 D1 D2 D3 D5 D6 D7 D8 E4 F4 G4 H4");
}

TEST(Board, PawnsCaptureOnTheCellsOfTheRules) {
  const std::map<std::string_view, std::string_view> crossing = {
      {"D4", "C5 E9 I5"}, {"E4", "D5 F9 I9"}, {"D5", "C4 E4 I9"},
      {"I5", "D4 E9 J9"}, {"E9", "D4 F4 I5"}, {"I9", "D5 E4 J5"}};
  for (const auto& [cell, captures] : crossing) {
    EXPECT_EQ(Names(PawnCaptures(At(cell), false)), captures) << cell;
    EXPECT_EQ(PawnCaptures(At(cell), true).size(), 2) << cell;
  }
  EXPECT_EQ(Names(PawnCaptures(At("E2"), false)), "D3 F3");
  EXPECT_EQ(Names(PawnCaptures(At("A4"), false)), "B5");
}

TEST(Position, StartsMatchTheRules) {
  for (const std::string_view name : Starts(kGame<Position>)) {
    const Position start = Start(kGame<Position>, name).value();
    EXPECT_EQ(Perft(start, 1), 20u);
    EXPECT_EQ(Perft(start, 2), 400u);
    EXPECT_EQ(Perft(start, 3), 8000u);
    EXPECT_EQ(Parsed(ToString(start)), start);
  }
  EXPECT_THAT(Start(kGame<Position>, "no").status().message(), HasSubstr("document and server"));
}

TEST(Conformance, Perft) {
  for (const auto& row : ReadTsv("perft.tsv")) {
    const Position position = Parsed(row[1]);
    EXPECT_EQ(ToString(position), row[1]);
    for (int depth = 1; depth <= 3; ++depth) {
      EXPECT_EQ(std::to_string(Perft(position, depth)), row[static_cast<size_t>(1 + depth)])
          << row[0] << " depth " << depth;
    }
  }
}

TEST(Conformance, Errors) {
  for (const auto& row : ReadTsv("errors.tsv")) {
    const Validation validation = Validate3pf(row[1]);
    EXPECT_EQ(validation.error_code, row[0]) << row[2];
    EXPECT_GE(validation.field, 1);
    EXPECT_LE(validation.field, 7);
    const std::string message(Parse(kGame<Position>, row[1]).status().message());
    EXPECT_TRUE(message.starts_with(row[0] + " field ")) << message;
  }
}

TEST(Conformance, Resignations) {
  for (const auto& row : ReadTsv("resign.tsv")) {
    Position position = Parsed(row[0]);
    position.Resign(SeatAt(std::string_view("wbr").find(row[1])));
    EXPECT_EQ(ToString(position), row[2]);
    EXPECT_EQ(position.key(), Parsed(row[2]).key());
  }
}

void ReplayGame(const nlohmann::json& game) {
  SCOPED_TRACE(game["id"]);
  GameState<Position> state(Parsed(game["start"].get<std::string>()));
  std::map<int, std::string> positions;
  for (const auto& entry : game["positions_3pf"]) positions[entry["ply"]] = entry["3pf"];
  int ply = 0;
  for (const std::string text : game["moves"]) {
    ASSERT_FALSE(state.outcome()) << "over before ply " << ply;
    const absl::StatusOr<Move> move = ParseMove(state.position(), text);
    ASSERT_TRUE(move.ok()) << ply << " " << text << " " << move.status();
    state.Play(*move);
    ++ply;
    const auto known = positions.find(ply);
    if (known != positions.end()) {
      EXPECT_EQ(ToString(state.position()), known->second);
    }
  }
  ASSERT_TRUE(state.outcome());
  EXPECT_EQ(ToString(state.outcome()->termination), game["termination"].get<std::string>());
  EXPECT_EQ(ResultText(state.outcome()->place, 3), game["result"].get<std::string>());
  EXPECT_EQ(PlacementText(state.outcome()->place, 3), game["placement"].get<std::string>());
}

TEST(Conformance, Games) {
  std::ifstream file(TRIARCH_TEST_DATA "/triumvirate/games.jsonl");
  int games = 0;
  for (std::string line; std::getline(file, line); ++games) {
    ReplayGame(nlohmann::json::parse(line));
  }
  EXPECT_EQ(games, 51);
}

// Error codes of the rules page that the conformance data does not cover.
TEST(ThreePf, ErrorsInOrder) {
  const std::string_view start = "bKB6,bPD5,rBE12,wKF1,wPG4,rPI10,rKK11,bRL8";
  const auto code = [&](std::string_view rest) {
    return Validate3pf(std::string(start) + std::string(rest)).error_code;
  };
  EXPECT_EQ(code(" b w-.b-.r- - aaa 11 27"), "");
  EXPECT_EQ(code(" b w-.b-.r- E5 aaa 11 27"), "BAD_EP");
  EXPECT_EQ(code(" b w-.b-.r- - aab 11 27"), "BAD_STATUS");
  EXPECT_EQ(code(" b w-.b-.r- - aa 11 27"), "BAD_STATUS");
  EXPECT_EQ(code(" b w-.b-.r- - aaa -1 27"), "BAD_HALFMOVE");
  EXPECT_EQ(code(" b w-.b-.r- - aaa 11 0"), "BAD_MOVE_NUMBER");
  EXPECT_EQ(code(" b w-.b-.r- - aaa x 0"), "BAD_HALFMOVE");       // field 6 before field 7
  EXPECT_EQ(code(" q w-.b-.r- E5 aaa 11 27"), "BAD_ACTIVE");      // field 2 before field 4
  EXPECT_EQ(code(" b w-.b-.r- C3 aaa 11 0"), "BAD_MOVE_NUMBER");  // alone before together
  EXPECT_EQ(code("  b w-.b-.r- - aaa 11 27"), "FIELD_COUNT");
  EXPECT_EQ(Validate3pf("   ").error_code, "EMPTY");
}

TEST(ThreePf, PiecesMayComeInAnyOrder) {
  EXPECT_EQ(ToString(Parsed("rKK11,wKF1,bKB6,wPG4 w w-.b-.r- - aaa 1 2")),
            "bKB6,wKF1,wPG4,rKK11 w w-.b-.r- - aaa 1 2");
}

TEST(Moves, IllegalMovesExplainWhy) {
  const Position start = Start(kGame<Position>, "").value();
  const auto why = [&](std::string_view text) {
    return std::string(ParseMove(start, text).status().message());
  };
  EXPECT_THAT(why("E3-E4"), HasSubstr("no piece stands on E3"));
  EXPECT_THAT(why("D7-D6"), HasSubstr("is Black's, but it is White's turn"));
  EXPECT_THAT(why("A1-A2"), HasSubstr("White's pieces"));
  EXPECT_THAT(why("E2-E9"), HasSubstr("does not reach"));
  EXPECT_THAT(why("E2xE4"), HasSubstr("captures nothing"));
  EXPECT_THAT(why("E2-E4=Q"), HasSubstr("not a promotion"));
  EXPECT_THAT(why("E2-E4=K"), HasSubstr("Q, R, B or N"));
  EXPECT_THAT(why("E2-Z4"), HasSubstr("not a cell"));
  EXPECT_THAT(why("O-O"), HasSubstr("cannot castle"));
  EXPECT_THAT(why(""), HasSubstr("not a move"));
}

TEST(Moves, CastlingReadsAndWritesBothForms) {
  const Position position = Parsed("wRA1,wKE1,wRH1,bKI8,rKI12 w wKQ.b-.r- - aaa 0 1");
  EXPECT_EQ(ParseMove(position, "O-O"), ParseMove(position, "E1-G1"));
  EXPECT_EQ(MoveToTpgn(position, ParseMove(position, "E1-C1").value()), "O-O-O");
  Position after = position;
  after.Play(ParseMove(position, "O-O-O").value());
  EXPECT_EQ(ToString(after), "wKC1,wRD1,wRH1,bKI8,rKI12 b w-.b-.r- - aaa 1 1");
}

TEST(Moves, MovingARookLosesOnlyItsCastlingRight) {
  Position position = Parsed("wRA1,wKE1,wRH1,bKI8,rKI12 w wKQ.b-.r- - aaa 0 1");
  position.Play(ParseMove(position, "A1-A2").value());
  EXPECT_THAT(ToString(position), HasSubstr(" b wK.b-.r- "));
}

TEST(GameState, ClaimedDrawsWaitForAClaim) {
  const Position start = Start(kGame<Position>, "").value();
  const std::vector<std::string> round = {"B1-A3", "B8-A6", "G12-H10", "A3-B1", "A6-B8", "H10-G12"};
  GameState<Position> automatic(start, {.draws = Draws::kAutomatic});
  GameState<Position> claimed(start, {.draws = Draws::kClaimed});
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(claimed.ClaimDraw());
    for (const std::string& move : round) {
      automatic.Play(ParseMove(automatic.position(), move).value());
      claimed.Play(ParseMove(claimed.position(), move).value());
    }
  }
  ASSERT_TRUE(automatic.outcome());
  EXPECT_EQ(automatic.outcome()->termination, Termination::kThreefoldRepetition);
  EXPECT_FALSE(claimed.outcome());
  EXPECT_EQ(claimed.occurrences(), 3);
  EXPECT_TRUE(claimed.ClaimDraw());
  EXPECT_EQ(claimed.outcome(), automatic.outcome());
}

// §6: the player to move in a position that was set up may be mated or stalemated.
TEST(GameState, JudgesAStartWithoutAMove) {
  GameState<Position> stalemate(Parsed("wKA1,bQC2,bKD8,rKI12 w w-.b-.r- - saa 10 5"));
  EXPECT_TRUE(stalemate.position().LegalMoves().empty());
  stalemate.JudgeTurn();
  EXPECT_EQ(stalemate.position().to_move(), Seat::kSecond);
  EXPECT_TRUE(stalemate.position().is_in(Seat::kFirst));
  GameState<Position> mate(Parsed("wKA1,wPH2,bQB2,bKC3,rKI12 w w-.b-.r- - caa 10 5"));
  mate.JudgeTurn();
  EXPECT_EQ(ToString(mate.position()), "bQB2,bKC3,wP>bH2,rKI12 b w-.b-.r- - maa 10 5");
}

// §6.6: draws are checked after the turn has passed.
TEST(GameState, AFullClockEndsAfterTheNextPly) {
  GameState<Position> state(Parsed("wKA1,bQC5,bKD8,rKI12 w w-.b-.r- - aaa 225 5"));
  ASSERT_FALSE(state.outcome());
  state.Play(ParseMove(state.position(), "A1-A2").value());
  ASSERT_TRUE(state.outcome());
  EXPECT_EQ(state.outcome()->termination, Termination::kSeventyFiveMoves);
}

TEST(GameState, ForfeitsNameTheirReason) {
  GameState<Position> state(Start(kGame<Position>, "").value());
  state.Eliminate(Seat::kThird, Termination::kCrash);
  EXPECT_FALSE(state.outcome());
  EXPECT_EQ(state.position().to_move(), Seat::kFirst);
  state.Eliminate(Seat::kFirst, Termination::kTimeForfeit);
  ASSERT_TRUE(state.outcome());
  EXPECT_EQ(state.outcome()->termination, Termination::kTimeForfeit);
  EXPECT_EQ(PlacementText(state.outcome()->place, 3), "2-1-3");
  EXPECT_EQ(state.endings()[Seat::kThird], Termination::kCrash);
  EXPECT_FALSE(state.endings()[Seat::kSecond]);
}

}  // namespace
}  // namespace triarch::triumvirate
