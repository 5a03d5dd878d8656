#include "core/game/outcome.h"

#include <gtest/gtest.h>

namespace triarch {
namespace {

using Places = PerSeat<uint8_t>;

TEST(Outcome, PointsHaveTheSameSumForAllTies) {
  for (const Places& place :
       {Places{{1, 2, 3}}, Places{{1, 1, 3}}, Places{{2, 1, 2}}, Places{{1, 1, 1}}}) {
    const PerSeat<double> points = Points(place, 3);
    EXPECT_DOUBLE_EQ(points.values[0] + points.values[1] + points.values[2], 1.5);
  }
  EXPECT_EQ(Points(Places{{1, 1, 3}}, 3), (PerSeat<double>{{0.75, 0.75, 0}}));
  EXPECT_EQ(Points(Places{{2, 1}}, 2).values[1], 1);
  EXPECT_EQ(Points(Places{{1, 1}}, 2).values[0], 0.5);
}

TEST(Outcome, ResultSharesTheWinAmongTheFirst) {
  EXPECT_EQ(ResultText(Places{{1, 3, 2}}, 3), "1-0-0");
  EXPECT_EQ(ResultText(Places{{1, 3, 1}}, 3), "1/2-0-1/2");
  EXPECT_EQ(ResultText(Places{{1, 1, 1}}, 3), "1/2-1/2-1/2");
  EXPECT_EQ(ResultText(Places{{2, 1}}, 2), "0-1");
}

TEST(Outcome, PlacementIsReadStrictly) {
  EXPECT_EQ(ParsePlacement("1-1-3", 3), (Places{{1, 1, 3}}));
  for (const std::string_view text : {"1-1-2", "1-2", "0-1-2", "1-2-4", "a-b-c", "", "2-2-2"}) {
    EXPECT_FALSE(ParsePlacement(text, 3)) << text;
  }
}

TEST(Outcome, TerminationsHaveWords) {
  for (int i = 0; i <= static_cast<int>(Termination::kAbandoned); ++i) {
    const auto termination = static_cast<Termination>(i);
    EXPECT_EQ(ParseTermination(ToString(termination)), termination);
  }
  EXPECT_FALSE(ParseTermination("mate"));
}

}  // namespace
}  // namespace triarch
