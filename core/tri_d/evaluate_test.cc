#include "core/tri_d/evaluate.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/tri_d/attackers.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"

namespace triarch::tri_d {
namespace {

Position Read(std::string_view text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return *std::move(position);
}

int Gain(std::string_view text, std::string_view move) {
  const Position position = Read(text);
  const absl::StatusOr<Move> read = ParseMove(position, move);
  EXPECT_TRUE(read.ok()) << read.status();
  return CaptureGain(position, *read);
}

TEST(Evaluate, SeatsStartEqual) {
  for (const std::string_view start : Starts(kGame<Position>)) {
    const PerSeat<int> standings = Evaluate(*Start(kGame<Position>, start));
    EXPECT_EQ(standings[Seat::kFirst], standings[Seat::kSecond]);
    EXPECT_GT(standings[Seat::kFirst], 4000);
  }
}

// Returns the value of the pawn on `cell`, with boards on `pins` and only kings besides.
int WorthOfPawn(const std::string& pins, const std::string& blocks, std::string_view cell) {
  const Position position = Read(pins + ' ' + blocks + " w - - 0 30");
  return PieceValue(position, CellNumber::At(FindCell(position.layout(), cell)->index()));
}

TEST(Evaluate, PawnsGainValueTowardsPromotion) {
  const std::string kings = "4/4/4/1K2|4/4/4/4|";
  const std::string boards = "|2/2|2/2|2/2|2/2";
  const std::string home = "QL1,KL1,QL6,KL6";
  EXPECT_EQ(WorthOfPawn(home, kings + "4/1P2/4/2k1" + boards, "b7B"), 300);
  EXPECT_EQ(WorthOfPawn(home, kings + "4/4/1P2/2k1" + boards, "b6B"), 170);
  EXPECT_EQ(WorthOfPawn(home, kings + "4/4/4/1Pk1" + boards, "b5B"), 130);
  // Under boards, files a and d extend to rank 9; otherwise they end on rank 8.
  EXPECT_EQ(WorthOfPawn(home, kings + "P3/4/4/2k1" + boards, "a8B"), 300);
  EXPECT_EQ(WorthOfPawn(home, kings + "4/P3/4/2k1" + boards, "a7B"), 170);
  EXPECT_EQ(WorthOfPawn("QL1,KL1,QL4,KL6", kings + "4/P3/4/2k1" + boards, "a7B"), 300);
  EXPECT_EQ(WorthOfPawn("QL1,KL1,QL4,KL6", kings + "4/3P/4/2k1" + boards, "d7B"), 170);
  EXPECT_EQ(WorthOfPawn("QL1,KL1,QL6,KL4", kings + "4/3P/4/2k1" + boards, "d7B"), 300);
  // For Black they end on rank 0 or 1.
  const std::string black_a2 = "4/4/p3/1K2|4/4/4/4|4/4/4/2k1" + boards;
  EXPECT_EQ(WorthOfPawn(home, black_a2, "a2W"), 170);
  EXPECT_EQ(WorthOfPawn("QL2,KL1,QL6,KL6", black_a2, "a2W"), 300);
}

// QL4-QL6=Q carries a pawn to z9, where the rook on e9 can capture the queen immediately.
TEST(CaptureGain, CountsTheRecaptureOfACarriedPawn) {
  constexpr std::string_view kTaken =
      "QL4,KL1,QL2,KL6 4/4/4/1K2|4/4/4/4|4/4/4/2k1|P1/2|2/2|2/2|1r/2 w - - 0 30";
  EXPECT_EQ(Gain(kTaken, "QL4-QL6=Q"), 950 - 170 - 950);
  EXPECT_EQ(Gain(kTaken, "QL4-QL6=N"), 325 - 170 - 325);
  constexpr std::string_view kDefended =
      "QL4,KL1,QL2,KL6 4/4/4/1K2|4/4/4/4|4/1B2/4/2k1|P1/2|2/2|2/2|1r/2 w - - 0 30";
  EXPECT_EQ(Gain(kDefended, "QL4-QL6=Q"), 950 - 170 - (950 - 450));
  constexpr std::string_view kFree =
      "QL4,KL1,QL2,KL6 4/4/4/1K2|4/4/4/4|4/4/4/2k1|P1/2|2/2|2/2|2/1r w - - 0 30";
  EXPECT_EQ(Gain(kFree, "QL4-QL6=Q"), 950 - 170);
  EXPECT_EQ(Gain(kFree, "QL4-QL6=N"), 325 - 170);
}

// QL6-QL4=Q leaves a pawn on a8 behind. Black's rook on d8 captures it, and White's rook may
// recapture.
TEST(CaptureGain, CountsTheRecaptureOfAPawnLeftBehind) {
  const auto position = [](const std::string& ranks) {
    return "QL6,KL1,QL2,KL6 4/4/4/1K2|4/4/4/4|" + ranks + "|2/2|2/2|2/2|2/2 w - - 0 30";
  };
  EXPECT_EQ(Gain(position("P3/4/4/2k1"), "QL6-QL4=Q"), 950 - 300);
  EXPECT_EQ(Gain(position("P2r/4/4/2k1"), "QL6-QL4=Q"), 950 - 300 - 950);
  EXPECT_EQ(Gain(position("P2r/4/R3/2k1"), "QL6-QL4=Q"), 950 - 300 - (950 - 450));
  EXPECT_EQ(Gain(position("P2r/4/R3/2k1"), "QL6-QL4=N"), 325 - 300);
  EXPECT_EQ(Gain(position("4/4/4/2k1"), "QL6-QL4"), 0);
}

// The player who promotes a freed pawn also moves next, so the pawn cannot be captured first.
TEST(CaptureGain, CountsOnlyThePromotionOfAFreedPawn) {
  constexpr std::string_view kPending =
      "QL1,KL1,QL4,KL6 4/4/4/2K1|4/4/4/4|P2r/4/4/2k1|2/2|2/2|2/2|2/2 w - - 0 31 a8B";
  EXPECT_EQ(Gain(kPending, "a8B=Q"), 950 - 300);
  EXPECT_EQ(Gain(kPending, "a8B=N"), 325 - 300);
}

TEST(CaptureGain, CountsTheRecaptureOfAStep) {
  constexpr std::string_view kTaken =
      "QL6,KL1,QL2,KL6 4/4/4/1K2|4/4/4/4|4/4/4/2k1|2/P1|2/2|2/2|1r/2 w - - 0 30";
  EXPECT_EQ(Gain(kTaken, "z8QL6-z9QL6=Q"), 950 - 300 - 950);
  // Without a board on the corner pin, a7-a8 promotes.
  constexpr std::string_view kCorner =
      "QL1,KL1,QL4,KL6 4/4/4/1K2|4/4/4/4|4/P3/4/2k1|2/2|2/2|2/2|2/2 w - - 0 30";
  EXPECT_EQ(Gain(kCorner, "a7B-a8B=Q"), 950 - 300);
}

}  // namespace
}  // namespace triarch::tri_d
