#include "core/three_way/evaluate.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/three_way/bench.h"
#include "core/three_way/position.h"
#include "core/three_way/text.h"

namespace triarch::three_way {
namespace {

using Types = PerSeat<std::array<char, kCells>>;  // letters of HexFEN; 0 for an empty cell

Position Read(const std::string& text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return position.ok() ? *position : Position();
}

Position ReadTypes(const Types& types, char turn) {
  std::string text;
  for (const auto& own : types) {
    for (size_t i = 0; i < kCells; ++i) {
      if (i % 8 == 0 && i > 0) text += '/';
      text += own[i] == '\0' ? '1' : own[i];
    }
    text += ' ';
  }
  return Read(text + turn + " ------ --- 0 20");
}

// Returns a position from pieces such as "wkh4 gph7 bqd11": seat, type, cell.
Position Made(std::string_view pieces, char turn = 'W') {
  Types types{};
  for (const std::string_view piece : Split(pieces, ' ')) {
    const size_t seat = std::string_view("wgb").find(piece[0]);
    const auto cell = Cell::Parse(piece.substr(2));
    EXPECT_TRUE(seat < 3 && cell) << piece;
    types[SeatAt(seat)][static_cast<size_t>(cell->index())] = piece[1];
  }
  return ReadTypes(types, turn);
}

// Returns a position with three kings near their corners and the given pieces.
Position Kings(const std::string& pieces) { return Made("wke4 gko4 bkd15 " + pieces); }

// Returns the position rotated by a third of a turn, with all pieces given to the next seat.
Position Rotated(const Position& position) {
  Types types{};
  for (const Cell cell : position.occupied()) {
    const Piece piece = *position.piece_at(cell);
    types[Next(piece.owner)][static_cast<size_t>(cell.Rotated().index())] =
        "pnbrqk"[static_cast<size_t>(piece.type)];
  }
  return ReadTypes(types, "WGB"[Index(Next(position.to_move()))]);
}

int Standing(const std::string& pieces) { return Evaluate(Kings(pieces))[Seat::kFirst]; }

int Gain(const Position& position, std::string_view move) {
  const absl::StatusOr<Move> legal = ParseMove(position, move);
  EXPECT_TRUE(legal.ok()) << move << ": " << legal.status();
  return legal.ok() ? CaptureGain(position, *legal) : 0;
}

TEST(ThreeWayEvaluate, SeatsStartEqual) {
  const PerSeat<int> standings = Evaluate(*Start(kGame<Position>, ""));
  EXPECT_EQ(standings[Seat::kFirst], standings[Seat::kSecond]);
  EXPECT_EQ(standings[Seat::kFirst], standings[Seat::kThird]);
}

TEST(ThreeWayEvaluate, RotationChangesNothing) {
  for (const std::string_view text : BenchPositions(kGame<Position>)) {
    const Position position = Read(std::string(text));
    const PerSeat<int> before = Evaluate(position);
    const PerSeat<int> after = Evaluate(Rotated(position));
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(after[Next(SeatAt(i))], before[SeatAt(i)]) << text;
  }
}

TEST(ThreeWayEvaluate, EliminatedSeatsHaveNoValue) {
  const PerSeat<int> standings = Evaluate(Made("wkh4 wqh5 gkk8 gpj8"));
  EXPECT_GT(standings[Seat::kFirst], standings[Seat::kSecond]);
  EXPECT_EQ(standings[Seat::kThird], 0);
}

TEST(ThreeWayEvaluate, PiecesCountTheirValue) {
  const int without = Standing("bpa11");
  EXPECT_NEAR(Standing("bpa11 wqh7") - without, 1000, 120);
  EXPECT_NEAR(Standing("bpa11 wrh7") - without, 530, 120);
  EXPECT_NEAR(Standing("bpa11 wbh7") - without, 240, 120);
  EXPECT_NEAR(Standing("bpa11 wnh7") - without, 270, 120);
  EXPECT_EQ(Standing("bpa11 wph7") - without, 90);
}

TEST(ThreeWayEvaluate, PawnsGainValueTowardsPromotion) {
  const int without = Standing("bpa11");
  EXPECT_EQ(Standing("bpa11 wph7") - without, 90);
  EXPECT_EQ(Standing("bpa11 wph8") - without, 110);
  EXPECT_EQ(Standing("bpa11 wph9") - without, 230);
  EXPECT_EQ(Standing("bpa11 wph10") - without, 390);
  EXPECT_EQ(Standing("bpa11 wpf12") - without, 390);
}

TEST(ThreeWayCaptureGain, CountsTheExchange) {
  // A rook takes an undefended queen, then a queen defended by a rook behind it.
  EXPECT_EQ(Gain(Kings("wrh5 bqh8"), "h5xh8"), 1000);
  EXPECT_EQ(Gain(Kings("wrh5 bqh8 brh11"), "h5xh8"), 470);
  // A defended pawn is not worth a queen, whichever opponent defends it.
  EXPECT_EQ(Gain(Kings("wqh5 bph8"), "h5xh8"), 90);
  EXPECT_EQ(Gain(Kings("wqh5 bph8 brh11"), "h5xh8"), -910);
  EXPECT_EQ(Gain(Kings("wqh5 bph8 grh11"), "h5xh8"), -910);
  // The rooks are traded evenly: the second white rook would recapture.
  EXPECT_EQ(Gain(Kings("wrh6 wrh5 brh8 brh11"), "h6xh8"), 530);
}

TEST(ThreeWayCaptureGain, CountsPromotions) {
  EXPECT_EQ(Gain(Kings("wph10"), "h10-h11=Q"), 610);
  EXPECT_EQ(Gain(Kings("wph10 bri11"), "h10xi11=Q"), 1140);
  // A rook can capture the new queen. A knight is worth less than a pawn about to promote.
  EXPECT_EQ(Gain(Kings("wph10 brk11"), "h10-h11=Q"), -390);
  EXPECT_LT(Gain(Kings("wph10"), "h10-h11=N"), 0);
}

TEST(ThreeWayCaptureGain, CountsEnPassant) {
  Position position = Made("wki3 wpf5 gkm6 gpg7 bkd11");
  position.Play(*ParseMove(position, "f5-f7"));
  EXPECT_EQ(Gain(position, "g7-f6"), 90);
  // Black's pawn would recapture.
  position = Made("wki3 wpf5 gkm6 gpg7 bkd11 bpe8");
  position.Play(*ParseMove(position, "f5-f7"));
  EXPECT_EQ(Gain(position, "g7-f6"), 0);
}

TEST(ThreeWayCaptureGain, ACapturedKingBeatsEverything) {
  // Gray's queen, which defends its king, vanishes with it; Black's rook does not.
  const int free = Gain(Made("wke4 gkh11 gqk11 bkd15 wrh8"), "h8xh11");
  const int defended = Gain(Made("wke4 gkh11 gqk11 bkd15 brd11 wrh8"), "h8xh11");
  EXPECT_EQ(free, 10'000);
  EXPECT_EQ(defended, 10'000 - 530);
  EXPECT_GT(defended, Gain(Kings("wph10 bqi11"), "h10xi11=Q"));
}

TEST(ThreeWayCaptureGain, IsZeroForQuietMovesAndCastling) {
  const Position position =
      Read("r3k2r/8/pppp4/8/X/X X/r3k2r/8/pppp4/8/X X/X/r3k2r/8/pppp4/8 W qkqkqk --- 0 1");
  EXPECT_EQ(Gain(position, "h4-j2"), 0);
  EXPECT_EQ(Gain(position, "h4-f4"), 0);
  EXPECT_EQ(Gain(position, "h4-h5"), 0);
  EXPECT_EQ(Gain(position, "d4-d5"), 0);
}

}  // namespace
}  // namespace triarch::three_way
