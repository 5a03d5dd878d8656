#include "core/record/adjudicator.h"

#include <limits>

#include "gtest/gtest.h"

namespace triarch {
namespace {

using Eval = std::optional<PerSeat<double>>;

const Eval kSecondWins = PerSeat<double>{{0.02, 0.95, 0.03}};
const Eval kThirdWins = PerSeat<double>{{0.02, 0.03, 0.95}};
const Eval kOpen = PerSeat<double>{{0.3, 0.4, 0.3}};

TEST(AdjudicatorTest, DrawsAtPliesMax) {
  Adjudicator adjudicator({.plies_max = 2}, 3);
  adjudicator.AddPly(std::nullopt);
  EXPECT_FALSE(adjudicator.is_draw());
  adjudicator.AddPly(std::nullopt);
  EXPECT_TRUE(adjudicator.is_draw());
  EXPECT_EQ(adjudicator.winner(), std::nullopt);
}

TEST(AdjudicatorTest, AWinNeedsWinPliesInARow) {
  Adjudicator adjudicator({.win_share = 0.9, .win_plies = 3}, 3);
  adjudicator.AddPly(kSecondWins);
  adjudicator.AddPly(kSecondWins);
  EXPECT_EQ(adjudicator.winner(), std::nullopt);
  adjudicator.AddPly(kSecondWins);
  EXPECT_EQ(adjudicator.winner(), Seat::kSecond);
}

TEST(AdjudicatorTest, ADifferentOrMissingEvaluationBreaksTheRow) {
  for (const Eval& other : {kThirdWins, kOpen, Eval()}) {
    Adjudicator adjudicator({.win_share = 0.9, .win_plies = 3}, 3);
    for (const Eval& eval : {kSecondWins, kSecondWins, other, kSecondWins, kSecondWins}) {
      adjudicator.AddPly(eval);
      EXPECT_EQ(adjudicator.winner(), std::nullopt);
    }
    adjudicator.AddPly(kSecondWins);
    EXPECT_EQ(adjudicator.winner(), Seat::kSecond);
  }
}

TEST(AdjudicatorTest, AdjudicatesNoWinWithoutWinShare) {
  Adjudicator adjudicator({.win_share = 0, .win_plies = 1}, 3);
  adjudicator.AddPly(kSecondWins);
  EXPECT_EQ(adjudicator.winner(), std::nullopt);
}

TEST(AdjudicatorTest, IgnoresInvalidEvaluations) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Adjudicator adjudicator({.win_share = 0.9, .win_plies = 1}, 3);
  adjudicator.AddPly(PerSeat<double>{{kNan, kNan, kNan}});
  EXPECT_EQ(adjudicator.winner(), std::nullopt);
}

TEST(AdjudicatorTest, IgnoresTheThirdSeatOfATwoPlayerGame) {
  Adjudicator adjudicator({.win_share = 0.9, .win_plies = 1}, 2);
  adjudicator.AddPly(PerSeat<double>{{0.5, 0.5, 1}});
  EXPECT_EQ(adjudicator.winner(), std::nullopt);
}

}  // namespace
}  // namespace triarch
