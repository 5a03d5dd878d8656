#include "coordinator/ratings/coalition.h"

#include <array>
#include <vector>

#include "coordinator/ratings/simulated_games.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::ratings {
namespace {

using ::testing::ElementsAre;

SimulatedWorld World() {
  return {.strength = {0.8, 0.3, 0.2, -0.4, -0.7},
          .seat = {0.2, 0, -0.2},
          .tie = {0, 0, -1.2, -2},
          .opening_deviation = 0,
          .can_share_second = true};
}

CoalitionReport Check(size_t bots, size_t seats, const std::vector<GameSummary>& games) {
  const absl::StatusOr<GameCounts> counts = CountGames(bots, seats, games);
  EXPECT_TRUE(counts.ok()) << counts.status();
  return CheckCoalitions(*FitRatings(*counts), *counts);
}

// With honest bots, about 5 of 100 p-values are below 5 %, whatever the openings.
TEST(CoalitionTest, HonestGamesRarelyRaiseAnAlarm) {
  constexpr int kTournaments = 60;
  for (const double opening_deviation : {0.0, 0.8}) {
    SimulatedWorld world = World();
    world.opening_deviation = opening_deviation;
    int low = 0;
    int tests = 0;
    int alarms = 0;
    for (uint64_t seed = 0; seed < kTournaments; ++seed) {
      const CoalitionReport report = Check(5, 3, SimulateRoundRobin(world, 10, seed));
      bool is_alarm = false;
      for (const TripleCheck& triple : report.triples) {
        low += triple.p_value < 0.05 ? 1 : 0;
        tests += triple.degrees > 0 ? 1 : 0;
        is_alarm = is_alarm || triple.is_significant;
      }
      for (const PairCheck& pair : report.pairs) {
        low += pair.p_value < 0.05 ? 1 : 0;
        tests += pair.is_tested ? 1 : 0;
        is_alarm = is_alarm || pair.is_significant;
      }
      alarms += is_alarm ? 1 : 0;
    }
    EXPECT_EQ(tests, kTournaments * 20);
    EXPECT_LT(low, tests * 7 / 100);
    EXPECT_LE(alarms, 8);
  }
}

// Bots 3 and 4 play better when they meet.
TEST(CoalitionTest, NamesThePairThatPlaysTogether) {
  Random random(11);
  std::vector<GameSummary> games;
  int64_t match = 0;
  for (int round = 0; round < 40; ++round) {
    for (int a = 0; a < 5; ++a) {
      for (int b = a + 1; b < 5; ++b) {
        for (int c = b + 1; c < 5; ++c) {
          SimulatedWorld world = World();
          if (b == 3 && c == 4) world.strength[static_cast<size_t>(a)] -= 1;
          SimulateMatch(world, match++, {a, b, c}, random, games);
        }
      }
    }
  }
  const CoalitionReport report = Check(5, 3, games);
  ASSERT_EQ(report.pairs.size(), 10u);
  for (const PairCheck& pair : report.pairs) {
    if (pair.bots == std::array{3, 4}) {
      EXPECT_TRUE(pair.is_significant);
      EXPECT_GT(pair.z, 5);
      EXPECT_GT(pair.points, pair.expected);
      EXPECT_EQ(pair.games, 3 * 6 * 40);
    }
  }
}

TEST(CoalitionTest, FirstPlacesAddUp) {
  const CoalitionReport report = Check(5, 3, SimulateRoundRobin(World(), 5, 3));
  EXPECT_EQ(report.triples.size(), 10u);
  for (const TripleCheck& triple : report.triples) {
    EXPECT_EQ(triple.games, 30);
    EXPECT_NEAR(triple.firsts[0] + triple.firsts[1] + triple.firsts[2], 30, 1e-9);
    EXPECT_NEAR(triple.expected[0] + triple.expected[1] + triple.expected[2], 30, 1e-9);
  }
  EXPECT_THAT(report.triples.front().bots, ElementsAre(0, 1, 2));
}

// With three bots, the fit reproduces all points, so there is nothing to test for pairs. It does
// not have to reproduce first places, which can disagree with second places.
TEST(CoalitionTest, PairsOfThreeBotsAreNotTested) {
  SimulatedWorld world = World();
  world.strength.resize(3);
  const CoalitionReport report = Check(3, 3, SimulateRoundRobin(world, 50, 3));
  ASSERT_EQ(report.triples.size(), 1u);
  EXPECT_EQ(report.triples[0].degrees, 2);
  EXPECT_EQ(report.pairs.size(), 3u);
  for (const PairCheck& pair : report.pairs) {
    EXPECT_FALSE(pair.is_tested);
    EXPECT_FALSE(pair.is_significant);
  }
}

TEST(CoalitionTest, EmptyForTwoSeatsAndForNoGames) {
  SimulatedWorld world = World();
  world.seat = {0.1, -0.1};
  const CoalitionReport two = Check(5, 2, SimulateRoundRobin(world, 5, 3));
  EXPECT_TRUE(two.triples.empty());
  EXPECT_TRUE(two.pairs.empty());
  EXPECT_TRUE(Check(5, 3, {}).triples.empty());
}

}  // namespace
}  // namespace triarch::ratings
