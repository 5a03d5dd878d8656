#include "core/triumvirate/evaluate.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/triumvirate/position.h"
#include "core/triumvirate/text.h"

namespace triarch::triumvirate {
namespace {

Position Read(std::string_view text) {
  absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << position.status();
  return *std::move(position);
}

// Returns a position with three kings at home and the given pieces.
Position Kings(const std::string& pieces, std::string_view active = "w") {
  return Read("wKE1,bKI8,rKI12," + pieces + ' ' + std::string(active) + " w-.b-.r- - aaa 0 1");
}

int Standing(const std::string& pieces, Seat seat) { return Evaluate(Kings(pieces))[seat]; }

int Gain(const Position& position, std::string_view move) {
  return CaptureGain(position, *ParseMove(position, move));
}

TEST(Evaluate, SeatsStartEqual) {
  for (const std::string_view start : Starts(kGame<Position>)) {
    const PerSeat<int> standings = Evaluate(*Start(kGame<Position>, start));
    EXPECT_EQ(standings[Seat::kFirst], standings[Seat::kThird]);
    EXPECT_NEAR(standings[Seat::kFirst], standings[Seat::kSecond], 30);
    EXPECT_GT(standings[Seat::kFirst], 3900);  // 9 + 10 + 6.4 + 6 + 8 pawns
  }
}

TEST(Evaluate, PiecesCountTheirValue) {
  const int kings = Standing("bPA7", Seat::kFirst);
  EXPECT_NEAR(Standing("bPA7,wQA1", Seat::kFirst) - kings, 900, 60);
  EXPECT_NEAR(Standing("bPA7,wRA1", Seat::kFirst) - kings, 500, 60);
  EXPECT_NEAR(Standing("bPA7,wBA1", Seat::kFirst) - kings, 320, 60);
  EXPECT_NEAR(Standing("bPA7,wNA1", Seat::kFirst) - kings, 300, 60);
  EXPECT_NEAR(Standing("bPA7,wPH2", Seat::kFirst) - kings, 100, 30);
}

TEST(Evaluate, PawnsGainValueTowardsPromotion) {
  const int kings = Standing("bPL7", Seat::kFirst);
  EXPECT_EQ(Standing("bPL7,wPA7", Seat::kFirst) - kings, 500);
  EXPECT_EQ(Standing("bPL7,wPA6", Seat::kFirst) - kings, 250);
  EXPECT_EQ(Standing("bPL7,wPA5", Seat::kFirst) - kings, 150);
  EXPECT_NEAR(Standing("bPL7,wPA4", Seat::kFirst) - kings, 110, 10);
}

// Red is out and White owns its pawns: the pawn on the bridge between Red and White is stuck.
TEST(Evaluate, StuckPawnsCountLittle) {
  const auto standing = [](std::string_view pawn) {
    return Evaluate(Read("wKE1,bKI8," + std::string(pawn) + " w w-.b-.r- - aam 0 1"));
  };
  const int without = standing("bPA7")[Seat::kFirst];
  EXPECT_EQ(standing("bPA7,rP>wH11")[Seat::kFirst] - without, 30);
  EXPECT_NEAR(standing("bPA7,rP>wL11")[Seat::kFirst] - without, 105, 15);
  EXPECT_EQ(standing("bPA7")[Seat::kThird], 0);
}

TEST(CaptureGain, CountsTheExchange) {
  // A rook takes an undefended queen, then a queen defended by a rook behind it.
  EXPECT_EQ(Gain(Kings("wRA1,bQA7"), "A1xA7"), 900);
  EXPECT_EQ(Gain(Kings("wRA1,bQA7,bRA8"), "A1xA7"), 400);
  // A defended pawn is not worth a queen, whichever opponent defends it.
  EXPECT_EQ(Gain(Kings("wQA1,bPA7,bRA8"), "A1xA7"), -800);
  EXPECT_EQ(Gain(Kings("wQA1,bPA7,rRL6"), "A1xA7"), 100);
  EXPECT_EQ(Gain(Kings("wQA1,bPA7,rRD7"), "A1xA7"), -800);
  // The rooks are traded evenly: the second white rook would recapture.
  EXPECT_EQ(Gain(Kings("wRA2,wRA1,bRA7,bRA8"), "A2xA7"), 500);
  EXPECT_EQ(Gain(Kings("wRA1"), "A1-A2"), 0);
}

TEST(CaptureGain, CountsPromotions) {
  EXPECT_EQ(Gain(Kings("wPA7"), "A7-A8=Q"), 400);
  EXPECT_EQ(Gain(Kings("wPA7,bRB8"), "A7xB8=Q"), 900);
  EXPECT_LT(Gain(Kings("wPA7,bRC8"), "A7-A8=Q"), 0);
  EXPECT_LT(Gain(Kings("wPA7"), "A7-A8=N"), 0);
}

}  // namespace
}  // namespace triarch::triumvirate
