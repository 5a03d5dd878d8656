#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/tri_d/json.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"

// Tests every form of a written move (rules §9), and the messages for texts that are not moves.
namespace triarch::tri_d {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kDocument[] =
    "QL1,KL1,QL6,KL6 4/DDDD/BNNB/1KQ1|4/4/4/4|1qk1/bnnb/dddd/4|DD/R1|DD/1R|r1/dd|1r/dd "
    "w KQkq - 0 1";
// The start `meder` without the queen on a0, one move later.
constexpr char kCastling[] =
    "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/R1|DD/KR|rq/dd|kr/dd w KQkq - 0 2";
// White's knights on a3W and a3N reach the same cells.
constexpr char kKnights[] =
    "QL1,KL1,QL6,KL6 4/N3/4/4|2p1/4/4/N3|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
// b4N can capture on a5N, b7B promotes, d7B goes to either cell of d8.
constexpr char kPawns[] =
    "QL1,KL1,QL6,KL6 4/4/4/4|4/p1P1/1P2/1P2|2n1/1P1P/4/4|2/2|2/K1|r1/2|k1/2 w - - 0 10";
// White has just played b2W-b4W; Black's pawns are on c4W, c4N.
constexpr char kEnPassant[] =
    "QL1,KL1,QL6,KL6 1Pp1/4/D1DD/NBBN|4/4/2p1/4|nbbn/d2d/4/4|DD/RQ|DD/KR|rq/dd|kr/dd b KQkq b4W "
    "0 5";
// WQL on QL3 and BQL on QL4 are empty, a white knight is on BKL on KL4.
constexpr char kBoardsAway[] =
    "QL3,KL1,QL4,KL4 4/4/4/4|4/4/4/4|k3/4/4/4|2/2|2/K1|2/2|N1/2 w - - 0 10";
// A white pawn is on the upper rank of BQL on QL4.
constexpr char kCarriedPawn[] =
    "QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|P1/2|k1/2 w - - 0 10";
// Black has moved BQL off QL6: White must promote the pawn on a8B.
constexpr char kFreed[] =
    "QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11 a8B";

Position MustParse(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return position.value_or(Position());
}

// Returns the canonical text of the move, or "error: " and the reason.
std::string Read(std::string_view position, std::string_view text) {
  const Position p = MustParse(position);
  const absl::StatusOr<Move> move = ParseMove(p, text);
  if (!move.ok()) return "error: " + std::string(move.status().message());
  return MoveToString(p, *move);
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Takes pairs of written text and canonical text.
void ExpectReads(std::string_view position, const Pairs& pairs) {
  for (const auto& [text, canonical] : pairs) EXPECT_EQ(Read(position, text), canonical) << text;
}

// Takes pairs of written text and message.
void ExpectErrors(std::string_view position, const Pairs& pairs) {
  for (const auto& [text, why] : pairs) EXPECT_EQ(Read(position, text), "error: " + why) << text;
}

void ExpectRefused(std::string_view position, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_THAT(Read(position, text), StartsWith("error: ")) << text;
  }
}

// --- cells (§1) ---

TEST(TriDCells, AreNamedByThePinsOfTheirBoards) {
  const Position position = MustParse(kBoardsAway);
  EXPECT_EQ(CellName(position.layout(), *FindCell(position.layout(), "c1W")), "c1W");
  EXPECT_EQ(CellName(position.layout(), *FindCell(position.layout(), "a3WQL")), "a3QL3");
  EXPECT_EQ(FindCell(position.layout(), "a7QL4"), FindCell(position.layout(), "a7BQL"));
  for (const std::string_view name : {"", "c", "c1", "C1W", "c1w", "b1N", "f1W", "cxW", "a0QL1",
                                      "a8QL6", "a2BQL", "a3QL7", "a3QL", "a3QL33"}) {
    EXPECT_FALSE(FindCell(position.layout(), name)) << name;
  }
}

TEST(TriDCells, ExistDependingOnThePins) {
  for (const std::string_view name : {"c1W", "a8QL6", "z0QL1", "e5KL5"}) {
    EXPECT_TRUE(IsCell(kGame<Position>, name)) << name;
  }
  for (const std::string_view name : {"", "c9B", "b1N", "a3QL1", "b4QL2", "c1", "QL1"}) {
    EXPECT_FALSE(IsCell(kGame<Position>, name)) << name;
  }
  // A name with a board depends on the position. IsCell accepts only canonical names.
  for (const std::string_view name : {"a0WQL", "a8BQL", "d1WKL"}) {
    EXPECT_TRUE(FindCell(MustParse(kDocument).layout(), name)) << name;
    EXPECT_FALSE(IsCell(kGame<Position>, name)) << name;
  }
}

// --- the canonical form ---

// Every legal move of every position of the tables has one canonical text, which reads back.
TEST(TriDNotation, CanonicalTextsReadBack) {
  std::ifstream table(TRIARCH_TEST_DATA "/tri_d/perft.tsv");
  std::vector<std::string> positions = {kDocument,  kCastling,   kKnights,     kPawns,
                                        kEnPassant, kBoardsAway, kCarriedPawn, kFreed};
  for (std::string line; std::getline(table, line);) positions.emplace_back(Split(line, '\t')[1]);
  EXPECT_GT(positions.size(), 50u);
  for (const std::string& text : positions) {
    const Position position = MustParse(text);
    for (const Move move : position.LegalMoves()) {
      const std::string written = MoveToString(position, move);
      const absl::StatusOr<Move> read = ParseMove(position, written);
      ASSERT_TRUE(read.ok()) << text << " " << written << ": " << read.status();
      EXPECT_EQ(*read, move) << text << " " << written;
    }
  }
}

TEST(TriDNotation, ReadsTheCanonicalForm) {
  ExpectReads(kDocument, {{"b3W-b5B", "b3W-b5B"}, {"b2W-a4N", "b2W-a4N"}});
  ExpectReads(kPawns, {{"b7B-b8B=Q", "b7B-b8B=Q"},
                       {"b7B-c8B=N", "b7B-c8B=N"},
                       {"b4N-a5N", "b4N-a5N"},
                       {"d7B-d8KL6", "d7B-d8KL6"}});
  ExpectReads(kEnPassant, {{"c4W-b3W", "c4W-b3W"}, {"c4N-b3N", "c4N-b3N"}});
  ExpectReads(kCastling, {{"0-0", "0-0"}, {"0-0-0", "0-0-0"}});
  ExpectReads(kBoardsAway, {{"QL3-QL5", "QL3-QL5"}, {"KL4-KL6", "KL4-KL6"}});
  ExpectReads(kCarriedPawn, {{"QL4-QL6=R", "QL4-QL6=R"}});
  ExpectReads(kFreed, {{"a8B=Q", "a8B=Q"}, {"a8B=N", "a8B=N"}});
}

// --- the specification's form ---

TEST(TriDNotation, ReadsTheSpecificationsForm) {
  ExpectReads(kDocument, {{"N@b2W-c4N", "b2W-c4N"},
                          {"P@b3W-b5B", "b3W-b5B"},
                          {"P@a1QL1-a2W", "error: a2W holds one of White's pieces"}});
  ExpectReads(kPawns, {{"P@b4N-a5N", "b4N-a5N"},
                       {"P@b4Nxa5N", "b4N-a5N"},
                       {"P@b4N:a5N", "b4N-a5N"},
                       {"b4Nxa5N", "b4N-a5N"},
                       {"b4N:a5N", "b4N-a5N"},
                       {"P@b7B-b8B=Q", "b7B-b8B=Q"},
                       {"P@b7Bxc8B=Q", "b7B-c8B=Q"},
                       {"P@d7B-d8BKL", "d7B-d8KL6"},
                       {"K@d0WKL-d1WKL", "d0KL1-d1KL1"}});
  ExpectReads(kFreed, {{"P@a8B=Q", "a8B=Q"}});
  ExpectErrors(kPawns, {{"P@b4Nxb5N", "it captures nothing"},
                        {"P@b4N:b5N", "it captures nothing"},
                        {"N@b4N-a5N", "the piece on b4N is not a knight"},
                        {"P@b5N-b6N", "no piece stands on b5N"},
                        {"P@a5N-a4N", "the piece on a5N is Black's, but it is White's turn"},
                        {"P@b7B-b8B", "the pawn must become =Q, =R, =B or =N"},
                        {"P@b4N-b5N=Q", "it is not a promotion"}});
}

TEST(TriDNotation, ReadsBoardsByNameOrPin) {
  ExpectReads(kBoardsAway, {{"WQL-QL5", "QL3-QL5"},
                            {"WQL:QL5", "QL3-QL5"},
                            {"BKL-KL6", "KL4-KL6"},
                            {"BKL-QL6", "error: no board goes from KL4 to QL6 in one move"}});
  ExpectReads(kCarriedPawn, {{"BQL-QL6=B", "QL4-QL6=B"}});
}

// --- Meder's short form ---

TEST(TriDNotation, ShortPieces) {
  ExpectReads(kDocument, {{"Nc4N", "b2W-c4N"},
                          {"Nbc4N", "b2W-c4N"},
                          {"N2c4N", "b2W-c4N"},
                          {"Nb2c4N", "b2W-c4N"},
                          {"NWc4N", "b2W-c4N"},
                          {"NbWc4N", "b2W-c4N"},
                          {"N2Wc4N", "b2W-c4N"},
                          {"Nb2Wc4N", "b2W-c4N"}});
  ExpectReads(kCastling, {{"Kd1KL1", "error: d1KL1 holds one of White's pieces"}});
  ExpectReads(kPawns, {{"Kd1KL1", "d0KL1-d1KL1"},
                       {"Kd1WKL", "d0KL1-d1KL1"},
                       {"KKL1d1KL1", "d0KL1-d1KL1"},
                       {"KWKLd1W", "d0KL1-d1W"},
                       {"Kd0KL1d1W", "d0KL1-d1W"}});
}

TEST(TriDNotation, ShortCapturesHaveAnX) {
  const std::string_view rook =
      "QL1,KL1,QL6,KL6 4/R3/4/4|4/n3/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  ExpectReads(rook, {{"Rxa5N", "a3W-a5N"},
                     {"Raxa5N", "a3W-a5N"},
                     {"R3xa5N", "a3W-a5N"},
                     {"RWxa5N", "a3W-a5N"},
                     {"Ra3Wxa5N", "a3W-a5N"},
                     {"Ra5B", "a3W-a5B"}});
  ExpectErrors(rook,
               {{"Ra5N", "it is a capture and needs an x"}, {"Rxa5B", "it captures nothing"}});
  ExpectErrors(kPawns, {{"a5N", "it is a capture and needs an x"},
                        {"ba5N", "it is a capture and needs an x"},
                        {"bxb5N", "it captures nothing"}});
}

TEST(TriDNotation, ShortPawns) {
  ExpectReads(kDocument,
              {{"b5B", "b3W-b5B"}, {"b4N", "b3W-b4N"}, {"bb4N", "b3W-b4N"}, {"bWb4N", "b3W-b4N"}});
  ExpectReads(kPawns, {{"bxa5N", "b4N-a5N"},
                       {"bNxa5N", "b4N-a5N"},
                       {"b5N", "b4N-b5N"},
                       {"b8BQ", "b7B-b8B=Q"},
                       {"b8BB", "b7B-b8B=B"},
                       {"b8B=N", "b7B-b8B=N"},
                       {"bxc8BR", "b7B-c8B=R"},
                       {"bxc8B=R", "b7B-c8B=R"},
                       {"bBxc8B=R", "b7B-c8B=R"},
                       {"d8B", "d7B-d8B"},
                       {"d8BKL", "d7B-d8KL6"}});
  ExpectErrors(kPawns, {{"b8B", "the pawn must become =Q, =R, =B or =N"},
                        {"b5NQ", "it is not a promotion"},
                        {"d8BQ", "it is not a promotion"}});
  for (const std::string text : {"b8B=K", "b7B-b8B=K+"}) {
    EXPECT_THAT(Read(kPawns, text), StartsWith("error: a pawn becomes Q, R, B or N, not \"K\"; "));
  }
  ExpectRefused(kPawns, {"b8BP", "b8Bq", "b8B=", "b8B==Q", "b8=Q", "Pb5N", "bxNa5N"});
}

// A pawn's short form is [file[level][x]]cell; no other parts are allowed, and no other order.
TEST(TriDNotation, ShortPawnsNameTheFileFirst) {
  for (const std::string text :
       {"xa5N", "4xa5N", "4b5N", "b4b5N", "b4xa5N", "b4Nb5N", "WQLb5N", "4Nb5N", "xb8B=Q"}) {
    EXPECT_EQ(Read(kPawns, text),
              "error: " + Quote(text) +
                  " is not a move; a pawn's move is written c4N in short form, or axb4N or aWxb4N "
                  "with the file that it leaves and, if needed, the level after the file");
  }
  ExpectRefused(kDocument, {"Wb5B", "3b5B", "b3b5B", "b3Wb5B", "xb5B"});
  ExpectReads(kDocument, {{"bb5B", "b3W-b5B"}, {"bWb5B", "b3W-b5B"}});
}

TEST(TriDNotation, ShortBoards) {
  ExpectReads(kBoardsAway, {{"QL5", "QL3-QL5"}, {"QL3-QL5", "QL3-QL5"}, {"KL6", "KL4-KL6"}});
  ExpectReads(kCarriedPawn, {{"QL6=Q", "QL4-QL6=Q"},
                             {"QL6Q", "QL4-QL6=Q"},
                             {"QL4-QL6N", "QL4-QL6=N"},
                             {"KL4", "QL4-KL4"}});
  ExpectErrors(kCarriedPawn, {{"QL6", "a pawn promotes with the board: =Q, =R, =B or =N"},
                              {"QL4-QL6", "a pawn promotes with the board: =Q, =R, =B or =N"},
                              {"KL4=Q", "it is not a promotion"},
                              {"QL4-KL4Q", "it is not a promotion"}});
  EXPECT_THAT(Read(kCarriedPawn, "QL6=K"), StartsWith("error: a pawn becomes Q, R, B or N, "));
  ExpectRefused(kCarriedPawn, {"QL6P", "QL4-QL6=", "QL4xQL6=Q", "QL4-BQL", "QL4QL6=Q", "ql6Q",
                               "QL4-QL7", "QL4-QL0"});
}

TEST(TriDNotation, AmbiguousFormsNameTheMoves) {
  ExpectErrors(kKnights, {{"Nc4N", "it is ambiguous: a3W-c4N, a3N-c4N"},
                          {"Nac4N", "it is ambiguous: a3W-c4N, a3N-c4N"},
                          {"N3c4N", "it is ambiguous: a3W-c4N, a3N-c4N"},
                          {"Na3c4N", "it is ambiguous: a3W-c4N, a3N-c4N"}});
  ExpectReads(kKnights, {{"NWc4N", "a3W-c4N"}, {"NNc4N", "a3N-c4N"}, {"Na3Nc4N", "a3N-c4N"}});
  // Two pawns of one file on two levels, and two that capture on the same cell.
  ExpectErrors("QL1,KL1,QL6,KL6 4/1P2/4/4|4/4/4/1P2|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10",
               {{"b4N", "it is ambiguous: b3W-b4N, b3N-b4N"}});
  const std::string_view captures =
      "QL1,KL1,QL6,KL6 4/P1P1/4/4|4/4/1n2/2P1|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  ExpectErrors(captures, {{"cxb4N", "it is ambiguous: c3W-b4N, c3N-b4N"}});
  ExpectReads(captures, {{"axb4N", "a3W-b4N"}, {"cNxb4N", "c3N-b4N"}, {"cWxb4N", "c3W-b4N"}});
  // Two boards that can go to the same pin; en passant from two levels.
  ExpectErrors("QL2,KL1,QL1,QL5 4/4/4/4|4/4/4/4|4/4/4/k3|2/2|2/K1|1N/2|2/2 w - - 0 10",
               {{"QL3", "it is ambiguous: QL2-QL3, QL1-QL3"}});
  ExpectErrors(kEnPassant, {{"cxb3W", "it is ambiguous: c4W-b3W, c4N-b3W"}});
}

// --- written in the other forms ---

using Texts = std::vector<std::string>;

// Returns the move in the specification's form and in the short form.
Texts Written(std::string_view position, std::string_view text) {
  const Position p = MustParse(position);
  const Move move = ParseMove(p, text).value();
  return {MoveInForm(p, move, 1), MoveInForm(p, move, 2)};
}

TEST(TriDForms, HaveNames) {
  EXPECT_THAT(MoveForms(kGame<Position>), ::testing::ElementsAre("canonical", "document", "short"));
  const Position position = MustParse(kDocument);
  const Move move = ParseMove(position, "Nc4N").value();
  EXPECT_EQ(MoveInForm(position, move, 0), "b2W-c4N");
}

TEST(TriDForms, WritePieces) {
  EXPECT_EQ(Written(kDocument, "b2W-c4N"), (Texts{"N@b2W-c4N", "Nc4N"}));
  EXPECT_EQ(Written(kDocument, "b3W-b5B"), (Texts{"P@b3W-b5B", "b5B"}));
  EXPECT_EQ(Written(kPawns, "d0KL1-d1KL1"), (Texts{"K@d0WKL-d1WKL", "Kd1KL1"}));
  EXPECT_EQ(Written(kPawns, "b4N-a5N"), (Texts{"P@b4N-a5N", "bxa5N"}));
  EXPECT_EQ(Written(kPawns, "b7B-b8B=Q"), (Texts{"P@b7B-b8B=Q", "b8BQ"}));
  EXPECT_EQ(Written(kPawns, "b7B-c8B=B"), (Texts{"P@b7B-c8B=B", "bxc8BB+"}));
  EXPECT_EQ(Written(kPawns, "d7B-d8KL6"), (Texts{"P@d7B-d8BKL", "d8KL6"}));
}

// The short form has the fewest parts of the start cell that identify the move. The file is
// preferred to the rank, and the rank to the level.
TEST(TriDForms, ShortFormIdentifiesTheMove) {
  const auto rooks = [](std::string_view white_board) {
    return "QL1,KL1,QL6,KL6 " + std::string(white_board) +
           "|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|1k/2 w - - 0 10";
  };
  EXPECT_EQ(Written(rooks("4/R2R/4/4"), "a3W-b3W")[1], "Rab3W");
  EXPECT_EQ(Written(rooks("R3/4/4/R3"), "a4W-a3W")[1], "R4a3W");
  EXPECT_EQ(Written(kKnights, "a3N-c4N")[1], "NNc4N");
  EXPECT_EQ(Written(kKnights, "a3W-c4N")[1], "NWc4N");
  // One queen shares its file with a second queen and its rank with a third.
  const std::string_view queens =
      "QL1,KL1,QL6,KL6 4/Q3/4/Q1Q1|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|1k/2 w - - 0 10";
  EXPECT_EQ(Written(queens, "a1W-b2W")[1], "Qa1b2W");
  EXPECT_EQ(Written(queens, "a3W-b2W")[1], "Q3b2W");
  EXPECT_EQ(Written(queens, "c1W-b2W")[1], "Qcb2W");
}

TEST(TriDForms, WritePawnsOnSeveralLevels) {
  const std::string_view steps =
      "QL1,KL1,QL6,KL6 4/1P2/4/4|4/4/4/1P2|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  EXPECT_EQ(Written(steps, "b3W-b4N")[1], "bWb4N");
  const std::string_view captures =
      "QL1,KL1,QL6,KL6 4/P1P1/4/4|4/4/1n2/2P1|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  EXPECT_EQ(Written(captures, "a3W-b4N")[1], "axb4N");
  EXPECT_EQ(Written(captures, "c3N-b4N")[1], "cNxb4N");
  EXPECT_EQ(Written(kEnPassant, "c4W-b3W"), (Texts{"P@c4W-b3W", "cWxb3We.p."}));
}

TEST(TriDForms, WriteBoardsCastlingAndFreedPawns) {
  EXPECT_EQ(Written(kBoardsAway, "QL3-QL5"), (Texts{"WQL-QL5", "QL5"}));
  EXPECT_EQ(Written(kCarriedPawn, "QL4-QL6=Q"), (Texts{"BQL-QL6=Q", "QL6Q+"}));
  EXPECT_EQ(
      Written("QL2,KL1,QL1,QL5 4/4/4/4|4/4/4/4|4/4/4/k3|2/2|2/K1|1N/2|2/2 w - - 0 10", "QL1-QL3"),
      (Texts{"BQL-QL3", "QL1-QL3"}));
  EXPECT_EQ(Written(kCastling, "0-0"), (Texts{"0-0", "0-0"}));
  EXPECT_EQ(Written(kFreed, "a8B=N"), (Texts{"P@a8B=N", "a8BN"}));
}

TEST(TriDForms, ShortFormMarksCheckAndMate) {
  // Black's king can leave z9QL6 only with its board, and would be attacked on QL5 too.
  const std::string_view rooks =
      "QL4,KL1,QL6,KL6 4/4/4/4|3R/4/4/4|4/4/4/R3|2/2|2/K1|k1/2|2/2 w - - 0 10";
  EXPECT_EQ(Written(rooks, "d6N-z6QL4"), (Texts{"R@d6N-z6WQL", "Rz6QL4#"}));
  const std::string_view rook =
      "QL1,KL1,QL6,KL6 4/R3/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  EXPECT_EQ(Written(rook, "a3W-d3W"), (Texts{"R@a3W-d3W", "Rd3W+"}));
  EXPECT_EQ(Written(rooks, "d6N-d7B"), (Texts{"R@d6N-d7B", "Rd7B"}));
}

// --- suffixes ---

TEST(TriDNotation, ReadsSuffixes) {
  ExpectReads(kDocument, {{"Nc4N+", "b2W-c4N"}, {"b2W-c4N#", "b2W-c4N"}, {"b5B+", "b3W-b5B"}});
  ExpectReads(kPawns, {{"b8BQ+", "b7B-b8B=Q"}, {"b7B-b8B=Q#", "b7B-b8B=Q"}});
  ExpectReads(kCastling, {{"0-0+", "0-0"}, {"0-0-0#", "0-0-0"}});
  ExpectReads(kBoardsAway, {{"QL5+", "QL3-QL5"}, {"QL3-QL5#", "QL3-QL5"}});
  ExpectReads(kFreed, {{"a8B=Q+", "a8B=Q"}, {"a8BQ#", "a8B=Q"}});
  ExpectReads(kEnPassant, {{"cWxb3We.p.", "c4W-b3W"},
                           {"cWxb3W e.p.", "c4W-b3W"},
                           {"cWxb3W e.p.+", "c4W-b3W"},
                           {"cWxb3We.p.#", "c4W-b3W"},
                           {"cWxb3W+ e.p.", "c4W-b3W"},
                           {"c4W-b3W# e.p.", "c4W-b3W"},
                           {"c4W-b3W e.p.", "c4W-b3W"},
                           {"P@c4W:b3N e.p.", "c4W-b3N"}});
  ExpectErrors(kDocument, {{"Nc4N e.p.", "it is not a capture en passant"}});
  ExpectErrors(kPawns, {{"bxa5N e.p.", "it is not a capture en passant"}});
  // At most one check mark, with nothing in between.
  ExpectRefused(kEnPassant, {"cWxb3W++", "cWxb3W+#", "cWxb3W+ e.p.+", "cWxb3W e.p. +", "cWxb3W +",
                             "cWxb3W  e.p.", "cWxb3W e.p. e.p.", "cWxb3W e.p", "cWxb3W ep"});
  // Neither castling nor a board captures.
  for (const std::string text : {"0-0 e.p.", "O-O-O e.p.", "QL1-QL3 e.p.", "QL3 e.p.+"}) {
    EXPECT_THAT(Read(kCastling, text), StartsWith("error: " + Quote(text) + " is not a move; "));
  }
  ExpectErrors(kFreed, {{"a8B=Q e.p.", "White must first promote the pawn on a8B: a8B=Q"}});
  ExpectRefused(kDocument, {"Nc4N!", "Nc4N?", "Nc4N $1", "Nc4N mate", "+", "#", "e.p.", " Nc4N"});
}

// --- castling ---

TEST(TriDNotation, Castling) {
  ExpectReads(kCastling, {{"0-0", "0-0"}, {"O-O", "0-0"}, {"0-0-0", "0-0-0"}, {"O-O-O", "0-0-0"}});
  ExpectRefused(kCastling, {"0-0-0-0", "0-O", "o-o", "00", "K0-0", "0-0=Q", "d0KL1-e0KL1",
                            "d0KL1-a0QL1", "Ka0QL1"});
}

TEST(TriDNotation, ExplainsWhyCastlingIsIllegal) {
  const std::string not_now = "White cannot castle that way now: ";
  const auto with = [](std::string_view boards, std::string_view rest) {
    return "QL1,KL1,QL6,KL6 4/4/4/4|" + std::string(boards) + "|2/2|k1/2 " + std::string(rest);
  };
  const std::string at_home = "4/4/4/4|4/4/4/4|2/R1|2/KR";
  ExpectErrors(kDocument, {{"0-0", not_now + "castling is not allowed as the first move"},
                           {"0-0-0", not_now + "castling is not allowed as the first move"}});
  ExpectErrors(with(at_home, "w Q - 0 9"), {{"0-0", not_now + "the right to 0-0 is lost"}});
  ExpectErrors(with(at_home, "w K - 0 9"), {{"O-O-O", not_now + "the right to 0-0-0 is lost"}});
  ExpectErrors(with("4/3r/4/4|4/4/4/4|2/R1|2/KR", "w KQ - 0 9"),
               {{"0-0", not_now + "the king is in check"}});
  ExpectErrors(with("4/4/4/4|4/4/4/4|2/RN|2/KR", "w KQ - 0 9"),
               {{"0-0-0", not_now + "a0QL1 is not empty"}});
  ExpectErrors(with("4/4/4/4|r3/4/4/4|2/R1|2/KR", "w KQ - 0 9"),
               {{"0-0-0", not_now + "the king would be attacked on a0QL1"}});
  ExpectErrors("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/KR|k1/2|1r/2 w K - 0 9",
               {{"0-0", not_now + "the king would be attacked on e0KL1"}});
  ExpectErrors("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/R3/4/4|2/2|2/K1|rn/2|k1/2 b q - 0 9",
               {{"0-0-0", "Black cannot castle that way now: a9QL6 is not empty"}});
}

// --- a pawn that must promote first ---

TEST(TriDNotation, AFreedPawnComesFirst) {
  ExpectReads(kFreed,
              {{"a8B=Q", "a8B=Q"}, {"a8BQ", "a8B=Q"}, {"a8BB", "a8B=B"}, {"P@a8B=R", "a8B=R"}});
  const std::string first = "White must first promote the pawn on a8B: a8B=Q";
  ExpectErrors(kFreed, {{"QL1-QL3", first},
                        {"d0KL1-d1KL1", first},
                        {"a8B", first},
                        {"a8B=K", first},
                        {"d8B=Q", first}});
  // In other positions, this form is not a move, or is a pawn's step to that cell.
  ExpectRefused("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11",
                {"a8B=Q", "P@a8B=Q"});
}

// A pawn that waits under its own side's board promotes when that board leaves.
TEST(TriDNotation, ALeavingBoardPromotesTheMoversPawn) {
  const std::string_view position =
      "QL6,KL1,QL1,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11";
  ExpectReads(position, {{"QL6-QL4=Q", "QL6-QL4=Q"}, {"WQL-QL4N", "QL6-QL4=N"}});
  ExpectErrors(position, {{"QL6-QL4", "a pawn promotes with the board: =Q, =R, =B or =N"}});
}

// --- malformed and illegal moves ---

TEST(TriDNotation, ExplainsTheNotationOfMalformedMoves) {
  for (const std::string_view text :
       {"", "x", "b3", "b3-b4", "b3W-b4", "b3Wb4W-", "Nb2", "nc4N", "Q@", "QL7", "QL", "--",
        "b3W-b4W-b5W", "resign", "b2W--a4N", "h1W-h2W", "b3W-b5X"}) {
    const std::string message = Read(kDocument, text);
    EXPECT_THAT(message, AllOf(StartsWith("error: " + Quote(text) + " is not a move; "),
                               HasSubstr("a2W-a4N, b7B-b8B=Q, 0-0, 0-0-0, QL1-QL3")))
        << text;
  }
  // Long texts are truncated, and broken texts escaped.
  EXPECT_LT(Read(kDocument, std::string(10000, 'N')).size(), 400u);
  EXPECT_THAT(Read(kDocument, "\x01\xff"), HasSubstr("is not a move"));
}

TEST(TriDNotation, ExplainsIllegalMovesOfPieces) {
  ExpectErrors(kDocument,
               {{"b3W-b3N", "the pawn on b3W cannot go to b3N in its own column"},
                {"b4W-b5B", "no piece stands on b4W"},
                {"b6B-b5B", "the piece on b6B is Black's, but it is White's turn"},
                {"b3W-b6B", "the pawn on b3W does not reach b6B"},
                {"b3W-a4N", "the pawn on b3W has nothing to capture on a4N"},
                {"a4QL2-a5QL2", "there is no cell a5QL2 now"},
                {"a4QL2-a5B", "there is no cell a4QL2 now"},
                {"z1WQL-z2WQL", "there is no cell z2WQL now"},
                {"B@b2W-c4W", "the piece on b2W is not a bishop"},
                {"a2W-a3W", "a3W holds one of White's pieces"},
                {"a2W-a5N", "the bishop on a2W does not reach a5N"},
                {"c1W-c6N", "the queen on c1W cannot pass c2, where the knight on c2W stands"},
                {"c1W-d3N", "the queen on c1W does not reach d3N"},
                {"b2W-d4N", "the knight on b2W does not reach d4N"},
                {"b1W-b4N", "the king on b1W does not reach b4N"},
                {"z0QL1-z3QL1", "there is no cell z3QL1"},
                {"b1W-b1N", "there is no cell b1N"}});
  // A double step over a piece on another level, and onto one; a step onto a piece.
  ExpectErrors("QL1,KL1,QL6,KL6 4/4/DD2/4|4/4/1n2/n3|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10",
               {{"a2W-a4W", "the pawn on a2W cannot pass a3, where the knight on a3N stands"},
                {"b2W-b4N", "the pawn on b2W does not capture straight ahead on b4N"},
                {"a2W-a3N", "the pawn on a2W does not capture straight ahead on a3N"}});
  // A pawn without its double step.
  ExpectErrors("QL1,KL1,QL6,KL6 4/4/1P2/4|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10",
               {{"b2W-b4N", "the pawn on b2W has no double step to b4N"}});
}

// The vertical shadow: the message names the nearest blocking piece, whatever its level.
TEST(TriDNotation, NamesTheBlockingPiece) {
  const std::string_view position =
      "QL3,KL1,QL6,KL6 4/4/R3/2B1|1b2/4/4/4|4/4/4/1n2|1n/2|2/K1|2/2|k1/2 w - - 0 10";
  ExpectErrors(position,
               {{"a2W-a6N", "the rook on a2W cannot pass a3, where the knight on a3QL3 stands"},
                {"c1W-z4QL2", "there is no cell z4QL2 now"},
                {"a2W-d5N", "the rook on a2W does not reach d5N"}});
  const std::string_view two =
      "QL1,KL1,QL6,KL6 4/4/1Q2/4|1b2/4/4/4|4/4/4/1n2|2/2|2/K1|2/2|k1/2 w - - 0 10";
  ExpectErrors(two,
               {{"b2W-b7B", "the queen on b2W cannot pass b5, where the knight on b5B stands"},
                {"b2W-b6B", "the queen on b2W cannot pass b5, where the knight on b5B stands"}});
  ExpectReads(two, {{"b2W-b5N", "b2W-b5N"}, {"b2W-b5B", "b2W-b5B"}});
}

TEST(TriDNotation, ExplainsIllegalShortMoves) {
  ExpectErrors(kDocument,
               {{"Nd5N", "no knight of White's reaches d5N"},
                {"Qc6N", "the queen on c1W cannot pass c2, where the knight on c2W stands"},
                {"Nac4N", "no such knight of White's reaches c4N"},
                {"N3c4N", "no such knight of White's reaches c4N"},
                {"b6N", "no pawn of White's reaches b6N"},
                {"axb4N", "no such pawn of White's reaches b4N"},
                {"Nd3W", "d3W holds one of White's pieces"},
                {"Nb9B", "there is no cell b9B"},
                {"Nb3b4N", "no such knight of White's reaches b4N"},
                {"Nb3Wb4N", "the piece on b3W is not a knight"}});
  ExpectErrors(kKnights, {{"Qd5N", "no queen of White's reaches d5N"}});
}

TEST(TriDNotation, RefusesToLeaveTheKingAttacked) {
  // The rook on d4W gives check. The rook on a1W cannot help, the rook on b3W can.
  const std::string_view check =
      "QL1,KL1,QL6,KL6 3r/1R2/4/R3|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  ExpectReads(check, {{"b3W-d3W", "b3W-d3W"}});
  ExpectErrors(check, {{"a1W-b1W", "the rook on a1W does not answer the check by going to b1W"},
                       {"b3W-b4W", "the rook on b3W does not answer the check by going to b4W"},
                       {"Rb4W", "the rook on b3W does not answer the check by going to b4W"},
                       {"a1W-b2W", "the rook on a1W does not reach b2W"},
                       {"d0KL1-d1KL1", "the king would be attacked on d1KL1"},
                       {"Kd1W", "the king would be attacked on d1W"},
                       {"QL1-QL2", "WQL on QL1 does not answer the check by going to QL2"}});
  // The knight on d3W is pinned, although it reaches the target.
  const std::string_view pin =
      "QL1,KL1,QL6,KL6 3r/3N/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10";
  ExpectErrors(pin, {{"d3W-b4W", "the knight on d3W would leave its king attacked by going to b4W"},
                     {"Nb4W", "the knight on d3W would leave its king attacked by going to b4W"},
                     {"Nb5B", "the knight on d3W does not reach b5B"}});
  // En passant removes both pawns from the rank between the king on z4 and the rook.
  ExpectErrors("QL2,KL1,QL6,KL6 1PpR/4/4/4|4/4/4/4|4/4/4/4|2/k1|2/K1|2/2|2/2 b - b4W 0 10",
               {{"c4W-b3N", "the pawn on c4W would leave its king attacked by going to b3N"},
                {"cxb3W", "the pawn on c4W would leave its king attacked by going to b3W"},
                {"c4W-d3W", "the pawn on c4W has nothing to capture on d3W"}});
}

// Returns the reader's error for the position after the move, which is made on the JSON regardless
// of the rules.
std::string FaultAfter(nlohmann::json position, size_t piece, const std::string& to) {
  auto& pieces = position["pieces"];
  const auto is_on = [](const nlohmann::json& cell) {
    return [cell](const nlohmann::json& other) { return other["cell"] == cell; };
  };
  nlohmann::json moved = pieces[piece];
  const bool is_pawn = moved["type"] == "Pawn";
  const bool is_free = std::find_if(pieces.begin(), pieces.end(), is_on(to)) == pieces.end();
  const bool is_en_passant =
      is_pawn && is_free && moved["cell"].get<std::string>().front() != to.front();
  const nlohmann::json taken = is_en_passant ? position["en_passant"] : nlohmann::json(to);
  pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(piece));
  pieces.erase(std::remove_if(pieces.begin(), pieces.end(), is_on(taken)), pieces.end());
  moved["cell"] = to;
  if (is_pawn) moved["type"] = "Queen";  // a queen may stand on any rank
  moved.erase("double_step");
  pieces.push_back(moved);
  position["active_player"] = position["active_player"] == "white" ? "black" : "white";
  for (const std::string player : {"white", "black"}) {
    position["castling"][player] = {{"K", false}, {"Q", false}};
  }
  position["en_passant"] = nullptr;
  position.erase("statuses");
  return std::string(FromJson(kGame<Position>, position.dump()).status().message());
}

TEST(TriDNotation, MovesRefusedForCheckLeaveTheKingAttacked) {
  std::ifstream table(TRIARCH_TEST_DATA "/tri_d/perft.tsv");
  int tried = 0;
  for (std::string line; std::getline(table, line);) {
    const Position position = MustParse(Split(line, '\t')[1]);
    if (position.pending()) continue;
    const nlohmann::json before = nlohmann::json::parse(ToJson(position));
    for (size_t i = 0; i < before["pieces"].size(); ++i) {
      const std::string from = before["pieces"][i]["cell"];
      for (int cell = 0; cell < kCells; ++cell) {
        const std::string to = CellName(position.layout(), Cell::At(cell));
        const std::string why(ParseMove(position, from + "-" + to).status().message());
        if (why.find("attacked") == std::string::npos && why.find("check") == std::string::npos) {
          continue;
        }
        ++tried;
        EXPECT_THAT(FaultAfter(before, i, to), HasSubstr("OPPONENT_IN_CHECK"))
            << line << ": " << why;
      }
    }
  }
  EXPECT_GT(tried, 50);
}

TEST(TriDNotation, ExplainsIllegalMovesOfBoards) {
  ExpectErrors(kDocument,
               {{"QL1-QL3", "WQL on QL1 carries 3 pieces; a moving board may carry at most one"},
                {"QL2", "WQL on QL1 carries 3 pieces; a moving board may carry at most one"},
                {"QL1-KL1", "KL1 is taken by WKL"},
                {"QL6", "QL6 is taken by BQL"},
                {"QL3-QL5", "no board stands on QL3"}});
  ExpectErrors(kBoardsAway,
               {{"QL6", "BQL on QL4 is empty and thus Black's, but it is White's turn"},
                {"BQL-QL6", "BQL on QL4 is empty and thus Black's, but it is White's turn"},
                {"KL4-QL6", "no board goes from KL4 to QL6 in one move"},
                {"KL4-KL3", "BKL on KL4 carries a piece, so it cannot go back to KL3"},
                {"QL3-QL3", "QL3 is taken by WQL"}});
  // A black knight is on WQL. If only the target pin is given, the message covers all boards near
  // it.
  ExpectErrors("QL3,QL1,QL5,KL6 4/4/4/K3|4/4/4/4|k3/4/4/4|1n/2|2/2|2/2|2/2 w - - 0 10",
               {{"WQL-QL4", "the piece on WQL on QL3 is Black's, but it is White's turn"},
                {"KL2", "no board stands next to KL2"},
                {"QL4",
                 "the piece on WQL on QL3 is Black's, but it is White's turn; BQL on QL5 is empty "
                 "and thus Black's, but it is White's turn"}});
  // WKL shields the king on d1W from the rook on d8B; WQL stands over Black's pawn on a1W.
  ExpectErrors("QL1,KL3,QL6,KL6 4/4/4/p2K|4/4/4/4|3r/4/4/4|2/2|2/B1|2/2|k1/2 w - - 0 10",
               {{"KL3-QL3", "WKL on KL3 would leave White's king attacked by going to QL3"},
                {"QL1-QL2", "WQL on QL1 may not free a pawn that could attack White's king"}});
}

// The kings share a column that no passenger attacks, so only pins and passengers matter (§5).
TEST(TriDNotation, ExplainsEveryPairOfPins) {
  const std::string forward = "12 13 24 32 34 35 46 54 56";
  int legal = 0;
  for (int i = 0; i < kPins * kPins; ++i) {
    const Pin from = Pin::At(i / kPins);
    const Pin to = Pin::At(i % kPins);
    // The other boards stand on the last free pins.
    std::vector<Pin> pins = {from};
    for (int pin = kPins - 1; pins.size() < kAttackBoards; --pin) {
      if (Pin::At(pin) != from) pins.push_back(Pin::At(pin));
    }
    const std::string boards = pins[0].ToString() + "," + pins[1].ToString() + "," +
                               pins[2].ToString() + "," + pins[3].ToString() +
                               " 1K2/4/4/4|4/4/1k2/4|4/4/4/4|2/";
    const auto taker = std::find(pins.begin(), pins.end(), to);
    const auto is_step = [&](Pin a, Pin b) {
      return a.is_king_side() == b.is_king_side() &&
             forward.find(std::to_string(a.number()) + std::to_string(b.number())) !=
                 std::string::npos;
    };
    const bool is_sideways = from.number() == to.number();
    const std::string text = from.ToString() + "-" + to.ToString();
    for (const bool is_empty : {true, false}) {
      std::string expected = text;
      if (taker != pins.end()) {
        expected = "error: " + to.ToString() + " is taken by " +
                   std::string(kBoardNames[static_cast<size_t>(3 + (taker - pins.begin()))]);
      } else if (is_step(to, from) && !is_empty) {
        expected = "error: WQL on " + from.ToString() +
                   " carries a piece, so it cannot go back to " + to.ToString();
      } else if (!is_step(from, to) && !is_step(to, from) && !is_sideways) {
        expected = "error: no board goes from " + from.ToString() + " to " + to.ToString() +
                   " in one move";
      } else {
        ++legal;
      }
      EXPECT_EQ(Read(boards + (is_empty ? "2" : "N1") + "|2/2|2/2|2/2 w - - 0 10", text), expected);
    }
  }
  EXPECT_GT(legal, 50);
}

TEST(TriDNotation, RefusesMovesAfterTheEnd) {
  Position position = MustParse(kDocument);
  position.Resign(Seat::kSecond);
  EXPECT_EQ(ParseMove(position, "b3W-b5B").status().message(), "the game is over");
}

}  // namespace
}  // namespace triarch::tri_d
