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
          .can_share_second = true,
          .duel_shift = {0.5, -0.5, 0, 0.3, -0.3}};  // a style is no coalition
}

CoalitionReport Check(size_t bots, size_t seats, const std::vector<GameSummary>& games) {
  const absl::StatusOr<GameCounts> counts = CountGames(bots, seats, games);
  EXPECT_TRUE(counts.ok()) << counts.status();
  return CheckCoalitions(*FitRatings(*counts, {.strengths = Strengths::kByStage}), *counts);
}

// With honest bots, about 5 of 100 p-values are below 5 %, whatever the openings, and about 5 of
// 100 tournaments flag a pair, and as many a triple.
TEST(CoalitionTest, HonestGamesRarelyRaiseAnAlarm) {
  constexpr int kTournaments = 120;
  for (const double opening_deviation : {0.0, 0.8}) {
    SimulatedWorld world = World();
    world.opening_deviation = opening_deviation;
    int low = 0;
    int tests = 0;
    int pair_alarms = 0;
    int triple_alarms = 0;
    for (uint64_t seed = 0; seed < kTournaments; ++seed) {
      const CoalitionReport report = Check(5, 3, SimulateRoundRobin(world, 10, seed));
      bool is_pair_alarm = false;
      bool is_triple_alarm = false;
      for (const TripleCheck& triple : report.triples) {
        low += triple.p_value < 0.05 ? 1 : 0;
        tests += triple.degrees > 0 ? 1 : 0;
        is_triple_alarm = is_triple_alarm || triple.is_significant;
      }
      for (const PairCheck& pair : report.pairs) {
        for (const PairTest& test : {pair.gang, pair.feed}) {
          low += test.p_value < 0.05 ? 1 : 0;
          tests += test.is_tested ? 1 : 0;
          is_pair_alarm = is_pair_alarm || test.is_significant;
        }
      }
      pair_alarms += is_pair_alarm ? 1 : 0;
      triple_alarms += is_triple_alarm ? 1 : 0;
    }
    EXPECT_GT(tests, kTournaments * 28);
    EXPECT_LT(low, tests * 7 / 100);
    // The mean, 6, and three standard errors.
    EXPECT_LE(pair_alarms, 13);
    EXPECT_LE(triple_alarms, 13);
  }
}

// Plays 40 rounds. When bots 3 and 4 meet, `conspire` changes the strengths; the argument is the
// third bot.
template <class Conspire>
std::vector<GameSummary> Conspiracy(Conspire conspire) {
  Random random(11);
  std::vector<GameSummary> games;
  int64_t match = 0;
  for (int round = 0; round < 40; ++round) {
    for (int a = 0; a < 5; ++a) {
      for (int b = a + 1; b < 5; ++b) {
        for (int c = b + 1; c < 5; ++c) {
          SimulatedWorld world = World();
          if (b == 3 && c == 4) conspire(static_cast<size_t>(a), world.strength);
          SimulateMatch(world, match++, {a, b, c}, random, games);
        }
      }
    }
  }
  return games;
}

TEST(CoalitionTest, NamesThePairThatAttacksTheThird) {
  const CoalitionReport report =
      Check(5, 3, Conspiracy([](size_t third, auto& strength) { strength[third] -= 1; }));
  ASSERT_EQ(report.pairs.size(), 10u);
  for (const PairCheck& pair : report.pairs) {
    EXPECT_FALSE(pair.feed.is_significant);
    EXPECT_EQ(pair.gang.is_significant, (pair.bots == std::array{3, 4}));
    if (!pair.gang.is_significant) continue;
    EXPECT_LT(pair.gang.z, -4);
    EXPECT_LT(pair.gang.observed, pair.gang.expected);
    EXPECT_GE(pair.gang.p_holm, pair.gang.p_value);
    EXPECT_EQ(pair.games, 3 * 6 * 40);
  }
}

TEST(CoalitionTest, NamesThePairOfWhichOneLetsTheOtherWin) {
  const CoalitionReport report = Check(5, 3, Conspiracy([](size_t, auto& strength) {
                                         strength[3] -= 0.8;
                                         strength[4] += 0.8;
                                       }));
  ASSERT_EQ(report.pairs.size(), 10u);
  for (const PairCheck& pair : report.pairs) {
    EXPECT_FALSE(pair.gang.is_significant);
    EXPECT_EQ(pair.feed.is_significant, (pair.bots == std::array{3, 4}));
    if (pair.feed.is_significant) {
      EXPECT_GT(pair.feed.observed, pair.feed.expected);
    }
  }
}

// Once both flagged pairs are left out, four bots have no games, but all pairs stay in the report.
TEST(CoalitionTest, EveryPairStaysInTheReport) {
  Random random(5);
  std::vector<GameSummary> games;
  int64_t match = 0;
  for (int round = 0; round < 60; ++round) {
    for (int out = 0; out < 4; ++out) {
      SimulatedWorld world = World();
      world.strength.resize(4);
      // Bots 0 and 1 attack the third, and so do 2 and 3.
      const int third = out ^ 1;
      world.strength[static_cast<size_t>(third)] -= 2;
      std::vector<int> bots = {0, 1, 2, 3};
      bots.erase(bots.begin() + out);
      SimulateMatch(world, match++, bots, random, games);
    }
  }
  const CoalitionReport report = Check(4, 3, games);
  ASSERT_EQ(report.pairs.size(), 6u);
  EXPECT_THAT(report.pairs[0].bots, ElementsAre(0, 1));
  EXPECT_TRUE(report.pairs[0].gang.is_significant || report.pairs[5].gang.is_significant);
}

TEST(CoalitionTest, CountsNoTableAtWhichABotSitsTwice) {
  std::vector<GameSummary> games = SimulateRoundRobin(World(), 5, 3);
  const CoalitionReport before = Check(5, 3, games);
  GameSummary copy = games.front();
  copy.bots = {{0, 1, 1}};
  games.push_back(copy);
  const CoalitionReport after = Check(5, 3, games);
  ASSERT_EQ(after.pairs.size(), before.pairs.size());
  EXPECT_EQ(after.pairs[0].games, before.pairs[0].games);
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

TEST(CoalitionTest, FewerThanFourBotsAreNotTested) {
  SimulatedWorld world = World();
  world.strength.resize(3);
  const CoalitionReport report = Check(5, 3, SimulateRoundRobin(world, 50, 3));
  EXPECT_TRUE(report.pairs.empty());
  EXPECT_TRUE(report.triples.empty());
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
