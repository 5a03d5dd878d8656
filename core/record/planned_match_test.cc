#include "core/record/planned_match.h"

#include <set>

#include "gtest/gtest.h"

namespace triarch {
namespace {

// Returns the bots by seat of every game of the match.
std::set<std::vector<int>> Seatings(const PlannedMatch& match) {
  std::set<std::vector<int>> seatings;
  for (int64_t game = match.first_game; game < EndOf(match); ++game) {
    const PerSeat<int> places = SeatPlaces(match, game);
    std::vector<int> by_seat;
    for (size_t i = 0; i < match.bots.size(); ++i) {
      by_seat.push_back(match.bots[static_cast<size_t>(places[SeatAt(i)])]);
    }
    seatings.insert(by_seat);
  }
  return seatings;
}

TEST(PlannedMatchTest, PlaysEveryDifferentOrderOnce) {
  const PlannedMatch three = {.number = 4, .first_game = 24, .bots = {2, 0, 5}};
  EXPECT_EQ(GamesOf(three), 6);
  EXPECT_EQ(Seatings(three).size(), 6U);
  const PlannedMatch two = {.number = 4, .first_game = 8, .bots = {3, 1}};
  EXPECT_EQ(GamesOf(two), 2);
  EXPECT_EQ(Seatings(two), (std::set<std::vector<int>>{{3, 1}, {1, 3}}));
}

TEST(PlannedMatchTest, PlaysThreeOrdersIfABotSitsTwice) {
  for (const std::vector<int>& bots : {std::vector<int>{0, 1, 1}, {0, 0, 1}, {1, 0, 1}}) {
    const PlannedMatch match = {.number = 0, .first_game = 0, .bots = bots};
    EXPECT_EQ(GamesOf(match), 3);
    EXPECT_EQ(Seatings(match).size(), 3U);
  }
}

TEST(PlannedMatchTest, FindsTheMatchOfAGame) {
  const std::vector<PlannedMatch> matches = {{.number = 2, .first_game = 10, .bots = {0, 1, 1}},
                                             {.number = 3, .first_game = 13, .bots = {0, 1, 2}}};
  EXPECT_EQ(FindMatch(matches, 9), nullptr);
  EXPECT_EQ(FindMatch(matches, 12), &matches[0]);
  EXPECT_EQ(FindMatch(matches, 13), &matches[1]);
  EXPECT_EQ(FindMatch(matches, 18), &matches[1]);
  EXPECT_EQ(FindMatch(matches, 19), nullptr);
  EXPECT_EQ(MatchesOf(matches, {12, 14}), matches);
  EXPECT_EQ(MatchesOf(matches, {10, 13}), std::vector<PlannedMatch>{matches[0]});
  EXPECT_EQ(MatchesOf(matches, {13, 14}), std::vector<PlannedMatch>{matches[1]});
  EXPECT_TRUE(MatchesOf(matches, {19, 30}).empty());
}

}  // namespace
}  // namespace triarch
