#include "bots/llm/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bots/llm/notation.h"

namespace triarch::llm {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Returns the move, "resigns", "claims", or "error: " and the message.
std::string Read(std::string_view text, const AnyState& state,
                 Notation notation = Notation::kClassic) {
  const AnyState::Moves moves = state.LegalMoves();
  const absl::StatusOr<Answer> answer = ReadAnswer(text, state, moves, notation);
  if (!answer.ok()) return "error: " + std::string(answer.status().message());
  if (answer->kind == Answer::Kind::kResign) return "resigns";
  if (answer->kind == Answer::Kind::kClaimDraw) return "claims";
  return state.MoveToString(moves, answer->move);
}

AnyState Start(std::string_view game = "triumvirate") { return *AnyState::Start(game, ""); }

struct Row {
  std::string text;
  std::string expected;
};

TEST(ReadAnswer, FindsTheMoveInManyShapes) {
  const std::vector<Row> rows = {
      // JSON.
      {R"({"move": "E2-E4"})", "E2-E4"},
      {R"({"move":"E2-E4","why":"it takes the centre"})", "E2-E4"},
      {R"({"reasoning": "D2-D4 is {worse}", "move": "E2-E4"})", "E2-E4"},
      {"\n\n  {\"move\": \"E2-E4\"}  \n", "E2-E4"},
      {"```json\n{\"move\": \"E2-E4\"}\n```", "E2-E4"},
      {"```\n{\"move\": \"E2-E4\"}\n```\nGood luck!", "E2-E4"},
      {"I play in the centre.\n{\"move\": \"E2-E4\"}", "E2-E4"},
      {R"(First {"move": "D2-D4"}, no: {"move": "E2-E4"}.)", "E2-E4"},
      {R"({"answer": {"move": "E2-E4"}})", "E2-E4"},
      {R"({"move": "E2-E4", "others": {"move": "D2-D4"}})", "E2-E4"},
      {R"({not json} {"move": "E2-E4"})", "E2-E4"},
      {R"({"move": "E2-E4"} and then {"comment": "nothing"})", "E2-E4"},
      {R"({"quote": "a \" and a } in a text", "move": "E2-E4"})", "E2-E4"},
      {R"({"move": "e2-e4"})", "E2-E4"},
      {R"({"move": " E2 - E4 "})", "E2-E4"},
      {R"({"move": "E2–E4"})", "E2-E4"},
      {R"({"move": "E2 → E4"})", "E2-E4"},
      {R"({"move": "E2->E4"})", "E2-E4"},
      {R"({"move": "`E2-E4`."})", "E2-E4"},
      {R"({"move": "**E2-E4**!"})", "E2-E4"},
      {R"({"move": "E2\u2013E4"})", "E2-E4"},
      {R"({"move": "resign"})", "resigns"},
      {R"({"move": "I resign."})", "resigns"},
      // Reasoning first.
      {"<think>D2-D4? {\"move\": \"D2-D4\"}</think>{\"move\": \"E2-E4\"}", "E2-E4"},
      {"D2-D4 looks good </think> E2-E4", "E2-E4"},
      {"<thinking>A2-A3</thinking>\n<reasoning>B2-B3</reasoning> E2-E4", "E2-E4"},
      // Text.
      {"E2-E4", "E2-E4"},
      {"My move is E2-E4.", "E2-E4"},
      {"**E2-E4**", "E2-E4"},
      {"Not D2-D4 but (E2-E4)", "E2-E4"},
      {"I play e2-e4!", "E2-E4"},
      {"Move: \"E2-E4\"", "E2-E4"},
      {"E2 – E4", "E2-E4"},
      {"E2-E9 cannot be played, so E2-E4.", "E2-E4"},
      {"{\"move\": \"E2-E4\"", "E2-E4"},  // truncated
      {"{'move': 'E2-E4'}", "E2-E4"},
      {"I resign!", "resigns"},
  };
  const AnyState state = Start();
  for (const Row& row : rows) EXPECT_EQ(Read(row.text, state), row.expected) << row.text;
}

TEST(ReadAnswer, ReportsErrors) {
  const std::vector<Row> rows = {
      {"", "error: your answer is empty"},
      {" \n\t ", "error: your answer is empty"},
      {"<think>E2-E4", "error: your answer is empty"},
      {"<think>E2-E4</think>", "error: your answer is empty"},
      {"I do not know.", "error: there is no legal move in your answer"},
      {"I would rather not resign yet.", "error: there is no legal move in your answer"},
      {R"({"move": 3})", "error: \"move\" must be a string"},
      {R"({"move": null})", "error: \"move\" must be a string"},
      {R"({"move": ["E2-E4"]})", "error: \"move\" must be a string"},
      {R"({"move": "E2-E9"})",
       "error: \"E2-E9\" is not legal: the pawn on E2 does not reach, or would leave its king "
       "attacked by going to E9"},
      {R"({"move": "E5-E6"})", "error: \"E5-E6\" is not legal: "},
      {R"({"move": "D7-D6"})",
       "error: \"D7-D6\" is not legal: the piece on D7 is Black's, but it is White's turn"},
      {R"({"move": "E2-E4"} {"move": "D7-D6"})", "error: \"D7-D6\" is not legal: "},
      {R"({"move": ""})", "error: \"\" is not legal: "},
      {R"({"move": "claim draw"})", "error: there is no draw to claim"},
      {"I claim a draw.", "error: there is no draw to claim"},
      {"Let us play D7-D6 here.",
       "error: \"D7-D6\" is not legal: the piece on D7 is Black's, but it is White's turn"},
  };
  const AnyState state = Start();
  for (const Row& row : rows) {
    EXPECT_THAT(Read(row.text, state), StartsWith(row.expected)) << row.text;
  }
}

TEST(ReadAnswer, AcceptsEveryLegalMoveOfEveryGame) {
  for (const GameInfo* const game : AllGames()) {
    const AnyState state = Start(game->name);
    const AnyState::Moves moves = state.LegalMoves();
    for (size_t i = 0; i < moves.size(); ++i) {
      const std::string move = state.MoveToString(moves, i);
      EXPECT_EQ(Read("{\"move\": \"" + move + "\"}", state), move);
      EXPECT_EQ(Read("So " + move + ", I think.", state), move);
      EXPECT_EQ(Read(state.MoveToTpgn(moves, i), state), move);
    }
  }
}

TEST(ReadAnswer, AcceptsOtherFormsOfTheGame) {
  const AnyState castling = *AnyState::Parse("triumvirate", "wKE1,wRH1,bKI8 w wK.b-.r- - aax 0 1");
  EXPECT_EQ(Read(R"({"move": "O-O"})", castling), "E1-G1");
  EXPECT_EQ(Read("I castle: 0-0.", castling), "E1-G1");
  EXPECT_EQ(Read("o-o", castling), "E1-G1");
  const AnyState capture =
      *AnyState::Parse("triumvirate", "wKE1,wRA1,bPA6,bKI8 w w-.b-.r- - aax 0 1");
  EXPECT_EQ(Read(R"({"move": "A1xA6"})", capture), "A1-A6");
  EXPECT_EQ(Read(R"({"move": "A1×A6"})", capture), "A1-A6");
  EXPECT_EQ(Read("A1xA6+!", capture), "A1-A6");
  EXPECT_THAT(Read(R"({"move": "A1xA5"})", capture), HasSubstr("it captures nothing"));
  const AnyState tri_d = Start("tri-d");
  EXPECT_EQ(Read(R"({"move": "Nc4N"})", tri_d), "b2W-c4N");
  EXPECT_EQ(Read(R"({"move": "N@b2W-c4N"})", tri_d), "b2W-c4N");
  EXPECT_EQ(Read(R"({"move": "QL1-QL9"})", tri_d).substr(0, 6), "error:");
}

TEST(ReadAnswer, PromotesToTheStatedPiece) {
  const AnyState state = *AnyState::Parse("triumvirate", "wKE1,wPA7,bKI8 w w-.b-.r- - aax 0 1");
  EXPECT_EQ(Read(R"({"move": "A7-A8=N"})", state), "A7-A8=N");
  EXPECT_EQ(Read("A7-A8=N", state), "A7-A8=N");
  EXPECT_THAT(Read(R"({"move": "A7-A8"})", state), HasSubstr("the pawn must become"));
}

TEST(ReadAnswer, ClaimsADrawIfAllowed) {
  AnyState state = *AnyState::Start("triumvirate", "", {.draws = Draws::kClaimed});
  for (int round = 0; round < 2; ++round) {
    for (const std::string_view move : {"B1-C3", "B8-C6", "G12-F10", "C3-B1", "C6-B8", "F10-G12"}) {
      ASSERT_TRUE(state.Play(move).ok());
    }
  }
  EXPECT_EQ(Read(R"({"move": "claim draw"})", state), "claims");
  EXPECT_EQ(Read(R"({"move": "claim_draw"})", state), "claims");
  EXPECT_EQ(Read("I claim a draw.", state), "claims");
  EXPECT_EQ(Read(R"({"move": "E2-E4"})", state), "E2-E4");
}

TEST(ReadAnswer, UnderstandsTriumvirateNames) {
  const AnyState state = Start();
  const Notation notation = Notation::kTriumvirate;
  EXPECT_EQ(ToNotation(notation, "E2-E4"), "W2/R2.3-C/W.R");
  EXPECT_EQ(ToNotation(notation, "A7-A8=Q"), "B2/R2.0-B3/R3.0=M");
  EXPECT_EQ(FromNotation(notation, "B2/R2.0-B3/R3.0=M."), "A7-A8=Q.");
  EXPECT_EQ(FromNotation(notation, "either/or, C/W.R."), "either/or, E4.");
  EXPECT_EQ(Read(R"({"move": "W2/R2.3-C/W.R"})", state, notation), "E2-E4");
  EXPECT_EQ(Read("I play W2/R2.3-C/W.R.", state, notation), "E2-E4");
  EXPECT_EQ(Read(R"({"move": "w2/r2.3 → c/w.r"})", state, notation), "E2-E4");
  EXPECT_EQ(Read(R"({"move": "E2-E4"})", state, notation), "E2-E4");
  EXPECT_THAT(Read(R"({"move": "W2/R2.3-W3/R3.3"})", state, notation),
              HasSubstr("\"W2/R2.3-W3/R3.3\" is not legal: W3/R3.3 holds one of White's pieces"));
  const AnyState capture =
      *AnyState::Parse("triumvirate", "wKE1,wRA1,bPA6,bKI8 w w-.b-.r- - aax 0 1");
  EXPECT_EQ(Read("W3/B3.0xB1/R1.0+", capture, notation), "A1-A6");
  EXPECT_EQ(Read(R"({"move": "W3/B3.0×B1/R1.0"})", capture, notation), "A1-A6");
}

TEST(ReadAnswer, ExplainsErrorsWithTriumvirateNames) {
  const AnyState state = Start();
  EXPECT_EQ(
      Read("E2-E9", state, Notation::kTriumvirate),
      "error: \"W2/R2.3-C/R.W\" is not legal: the Private on W2/R2.3 does not reach, or would "
      "leave its Leader attacked by going to C/R.W");
  // A name of the other table, which contains a classic one (B2).
  EXPECT_EQ(Read(R"({"move": "W3/B2.0-W3/B1.0"})", state, Notation::kTriumvirate),
            "error: \"W3/B2.0-W3/B1.0\" is not legal: \"W3/B2.0\" is not a cell of the board; a "
            "move is written W2/R2.3-C/W.R, C/W.RxC/B.R, B2/R2.0-B3/R3.0=M, O-O or O-O-O");
  const AnyState promotion = *AnyState::Parse("triumvirate", "wKE1,wPA7,bKI8 w w-.b-.r- - aax 0 1");
  EXPECT_EQ(Read("B2/R2.0-B3/R3.0", promotion, Notation::kTriumvirate),
            "error: \"B2/R2.0-B3/R3.0\" is not legal: the Private must become =M, =T, =D or =N");
  EXPECT_EQ(Read("b2/r2.0-b3/r3.0=t", promotion, Notation::kTriumvirate), "A7-A8=R");
}

TEST(ReadAnswer, ReadsBothTables) {
  const AnyState state = Start();
  EXPECT_EQ(ToNotation(Notation::kTriumvirateClient, "A2-A4"), "W3/B2.0-W3/B0.0");
  EXPECT_EQ(FromNotation(Notation::kTriumvirateClient, "W3/B2.0-W3/B0.0"), "A2-A4");
  const AnyState::Moves moves = state.LegalMoves();
  for (const Notation notation : {Notation::kTriumvirate, Notation::kTriumvirateClient}) {
    for (size_t i = 0; i < moves.size(); ++i) {
      const std::string move = state.MoveToString(moves, i);
      EXPECT_EQ(Read(ToNotation(notation, move), state, notation), move);
    }
  }
}

TEST(ToNotation, ConvertsPieces) {
  EXPECT_EQ(ToNotation(Notation::kTriumvirate, "Kings, the king's queen; a Pawn, knights. Asking"),
            "Leaders, the Leader's Marshal; a Private, Noctis. Asking");
  EXPECT_EQ(ToNotation(Notation::kClassic, "the king on E2"), "the king on E2");
}

// Long or deeply nested answers cost little time and no stack.
TEST(ReadAnswer, SurvivesNonsense) {
  const AnyState state = Start();
  for (const std::string& piece :
       {std::string("{"), std::string("["), std::string("{\"a\":"), std::string("\""),
        std::string("\\"), std::string("<think>"), std::string("\xff\xfe"), std::string("."),
        std::string("/"), std::string("E2-"), std::string("{\"move\":")}) {
    std::string text;
    while (text.size() < (1 << 20)) text += piece;
    EXPECT_THAT(Read(text, state), StartsWith("error:"));
    EXPECT_THAT(Read(text, state, Notation::kTriumvirate), StartsWith("error:"));
  }
  EXPECT_EQ(Read(std::string(1 << 20, 'x') + " E2-E4", state), "E2-E4");
  EXPECT_EQ(Read(std::string("E2-E4\0\0", 7), state), "E2-E4");
}

}  // namespace
}  // namespace triarch::llm
