#include "coordinator/experiments/event.h"

#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::ElementsAre;

std::vector<int> BotsOf(const std::vector<EventStanding>& standings) {
  std::vector<int> bots;
  for (const EventStanding& standing : standings) bots.push_back(standing.bot);
  return bots;
}

TEST(EventTest, DrawsTheStartingOrderFromTheSeed) {
  const std::vector<int> order = DrawStartingOrder(8, 1);
  EXPECT_THAT(order, ElementsAre(0, 3, 7, 1, 2, 6, 5, 4));  // the same on every machine
  EXPECT_NE(order, DrawStartingOrder(8, 2));
  EXPECT_THAT(StartingOrderByRating(std::vector<double>{1, 3, 3, 2}), ElementsAre(1, 2, 3, 0));
}

TEST(EventTest, AByeIsHalfAMatch) {
  const std::vector<RoundResult> rounds = {
      {.matches = {{{0, 1, 2}, {4.5, 3.25, 1.25}}}, .byes = {3}}};
  EXPECT_THAT(PointsOf(4, 3, rounds), ElementsAre(4.5, 3.25, 1.25, 3));
  EXPECT_EQ(ByePoints(2), 1);
}

// Bots 0, 1 and 2 have 2 points each. Those of 1 are worth most: it met 0 (2 points per match) and
// 3 (1/2).
TEST(EventTest, OpponentsBreakTies) {
  const std::vector<RoundResult> rounds = {
      {.matches = {{{0, 1}, {2, 0}}, {{2, 3}, {1, 1}}}, .byes = {}},
      {.matches = {{{1, 3}, {2, 0}}, {{2, 4}, {1, 1}}}, .byes = {}},
  };
  const std::vector<EventStanding> standings =
      RankEvent(2, std::vector<int>{0, 2, 1, 3, 4}, rounds);
  EXPECT_THAT(BotsOf(standings), ElementsAre(1, 0, 2, 3, 4));
  EXPECT_EQ(standings[0].points, 2);
  EXPECT_EQ(standings[0].opponents_points, 1.25);
  EXPECT_EQ(standings[1].opponents_points, 1);
  EXPECT_EQ(standings[2].opponents_points, 0.75);
}

// The bye gives bot 1 a point, but as an opponent it counts with the match that it lost.
TEST(EventTest, ByesDoNotCountInTieBreaks) {
  const std::vector<RoundResult> rounds = {
      {.matches = {{{0, 1}, {2, 0}}}, .byes = {2}},
      {.matches = {{{0, 2}, {1, 1}}}, .byes = {1}},
  };
  const std::vector<EventStanding> standings = RankEvent(2, std::vector<int>{0, 1, 2}, rounds);
  EXPECT_THAT(BotsOf(standings), ElementsAre(0, 2, 1));
  EXPECT_EQ(standings[0].opponents_points, 0.5);
  EXPECT_EQ(standings[1].opponents_points, 1.5);
  EXPECT_EQ(standings[2].points, 1);
}

// All met all and have the same points, so only their matches with each other remain, then ratings.
TEST(EventTest, MutualPointsThenRatingsBreakTies) {
  const std::vector<RoundResult> rounds = {
      {.matches = {{{0, 1}, {0, 2}}, {{2, 3}, {1, 1}}}, .byes = {}},
      {.matches = {{{0, 2}, {2, 0}}, {{1, 3}, {0, 2}}}, .byes = {}},
      {.matches = {{{0, 3}, {1, 1}}, {{1, 2}, {1, 1}}}, .byes = {}},
  };
  const std::vector<int> order = {0, 1, 2, 3};
  const std::vector<EventStanding> standings = RankEvent(2, order, rounds);
  EXPECT_THAT(BotsOf(standings), ElementsAre(3, 1, 0, 2));
  EXPECT_EQ(standings[1].mutual_points, 2);
  EXPECT_EQ(standings[2].mutual_points, -2);
  const std::vector<RoundResult> draw = {{.matches = {{{0, 1}, {1, 1}}}, .byes = {}}};
  EXPECT_THAT(BotsOf(RankEvent(2, std::vector<int>{0, 1}, draw)), ElementsAre(0, 1));
  EXPECT_THAT(BotsOf(RankEvent(2, std::vector<int>{0, 1}, draw, std::vector<double>{-5, 5})),
              ElementsAre(1, 0));
}

}  // namespace
}  // namespace triarch::experiments
