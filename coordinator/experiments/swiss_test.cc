#include "coordinator/experiments/swiss.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/schedule/format_games.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::ElementsAre;

// Plays a round: the bot with the lower number usually gets more points.
RoundResult Play(const Pairings& pairings, Random& random) {
  RoundResult round{.matches = {}, .byes = pairings.byes};
  for (const Table& table : pairings.tables) {
    MatchResult match{table, std::vector<double>(table.size(), 0)};
    for (int game = 0; game < (table.size() == 2 ? 2 : 6); ++game) {
      std::vector<std::pair<double, size_t>> order;
      for (size_t i = 0; i < table.size(); ++i) {
        order.emplace_back(table[i] + 20 * random.Unit(), i);
      }
      std::sort(order.begin(), order.end());
      match.points[order[0].second] += 1;
      if (table.size() == 3) match.points[order[1].second] += 0.5;
    }
    round.matches.push_back(match);
  }
  return round;
}

SwissEvent PlayRounds(size_t bots, size_t seats, int rounds, uint64_t seed) {
  SwissEvent event{.seats = seats, .starting_order = DrawStartingOrder(bots, seed)};
  Random random(seed);
  for (int i = 0; i < rounds; ++i) event.rounds.push_back(Play(NextSwissRound(event), random));
  return event;
}

// Returns how often each pair met.
std::map<std::pair<int, int>, int> MeetingsOf(const SwissEvent& event) {
  std::map<std::pair<int, int>, int> meetings;
  for (const RoundResult& round : event.rounds) {
    for (const MatchResult& match : round.matches) {
      for (const int a : match.bots) {
        for (const int b : match.bots) {
          if (a < b) ++meetings[{a, b}];
        }
      }
    }
  }
  return meetings;
}

int RepeatsOf(const SwissEvent& event) {
  int repeats = 0;
  for (const auto& [pair, times] : MeetingsOf(event)) repeats += times - 1;
  return repeats;
}

TEST(SwissTest, DefaultRounds) {
  EXPECT_EQ(DefaultSwissRounds(12), 4);
  EXPECT_EQ(DefaultSwissRounds(25), 5);
  EXPECT_EQ(DefaultSwissRounds(32), 5);
  EXPECT_EQ(DefaultSwissRounds(60), 6);
}

TEST(SwissTest, EveryBotPlaysOrHasABye) {
  for (const size_t seats : {2u, 3u}) {
    for (size_t bots = seats; bots < 15; ++bots) {
      const SwissEvent event = PlayRounds(bots, seats, 4, bots);
      std::vector<int> byes(bots, 0);
      for (const RoundResult& round : event.rounds) {
        std::set<int> seen(round.byes.begin(), round.byes.end());
        EXPECT_EQ(round.byes.size(), bots % seats);
        for (const int bot : round.byes) ++byes[static_cast<size_t>(bot)];
        for (const MatchResult& match : round.matches) {
          EXPECT_EQ(match.bots.size(), seats);
          seen.insert(match.bots.begin(), match.bots.end());
        }
        EXPECT_EQ(seen.size(), bots);
      }
      const auto [fewest, most] = std::minmax_element(byes.begin(), byes.end());
      EXPECT_LE(*most - *fewest, 1) << bots << " bots, " << seats << " seats";
    }
  }
}

TEST(SwissTest, TheLowestBotsGetTheBye) {
  const SwissEvent event{
      .seats = 2,
      .starting_order = {0, 1, 2, 3, 4},
      .rounds = {{.matches = {{{0, 1}, {2, 0}}, {{2, 3}, {2, 0}}}, .byes = {4}}}};
  const Pairings second = NextSwissRound(event);
  EXPECT_THAT(second.byes, ElementsAre(3));  // 1 has no points either, but starts higher
  EXPECT_THAT(second.tables, ElementsAre(ElementsAre(0, 2), ElementsAre(4, 1)));
}

// By points alone, 0 and 1 would meet again.
TEST(SwissTest, NeighboursMeetUnlessTheyHaveMet) {
  SwissEvent event{.seats = 3, .starting_order = {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_THAT(NextSwissRound(event).tables,
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5), ElementsAre(6, 7, 8)));
  event.rounds.push_back(
      {.matches = {{{0, 1, 2}, {4, 4, 1}}, {{3, 4, 5}, {5, 3, 1}}, {{6, 7, 8}, {3, 3, 3}}},
       .byes = {}});
  for (Table table : NextSwissRound(event).tables) {
    std::set<int> earlier;
    for (const int bot : table) earlier.insert(bot / 3);
    EXPECT_EQ(earlier.size(), 3u);
  }
}

TEST(SwissTest, NobodyMeetsTwiceWhileThatCanBeAvoided) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    for (const size_t bots : {25u, 27u, 31u, 60u}) {
      EXPECT_EQ(RepeatsOf(PlayRounds(bots, 3, 5, seed)), 0) << bots << " bots, seed " << seed;
    }
    EXPECT_EQ(RepeatsOf(PlayRounds(9, 3, 2, seed)), 0) << seed;
    EXPECT_EQ(RepeatsOf(PlayRounds(16, 2, 8, seed)), 0) << seed;
  }
}

// After three rounds of six bots, those who have not met form a cycle of six or two of three. Two
// of three cannot be paired without one repeat.
TEST(SwissTest, FindsTheOnlyPairingsWithoutRepeats) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const SwissEvent three = PlayRounds(6, 2, 3, seed);
    ASSERT_EQ(RepeatsOf(three), 0);
    const std::map<std::pair<int, int>, int> met = MeetingsOf(three);
    bool has_triangle = false;
    for (int a = 0; a < 6; ++a) {
      for (int b = a + 1; b < 6; ++b) {
        for (int c = b + 1; c < 6; ++c) {
          has_triangle = has_triangle ||
                         (!met.contains({a, b}) && !met.contains({b, c}) && !met.contains({a, c}));
        }
      }
    }
    EXPECT_EQ(RepeatsOf(PlayRounds(6, 2, 4, seed)), has_triangle ? 1 : 0) << seed;
  }
}

TEST(SwissTest, PairsTheSameOnEveryMachine) {
  const SwissEvent event = PlayRounds(13, 3, 3, 7);
  const Pairings fourth = NextSwissRound(event);
  EXPECT_THAT(fourth.byes, ElementsAre(9));
  EXPECT_THAT(fourth.tables, ElementsAre(ElementsAre(3, 0, 6), ElementsAre(1, 2, 11),
                                         ElementsAre(4, 10, 5), ElementsAre(8, 7, 12)));
}

TEST(SwissTest, TheBestBotsRiseToTheTop) {
  int best_wins = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const SwissEvent event = PlayRounds(27, 3, 5, seed);
    const std::vector<EventStanding> standings = RankEvent(3, event.starting_order, event.rounds);
    best_wins += standings[0].bot <= 2 ? 1 : 0;
    // The leaders met strong opponents.
    EXPECT_GT(standings[0].opponents_points, standings[26].opponents_points);
  }
  EXPECT_GE(best_wins, 25);
}

}  // namespace
}  // namespace triarch::experiments
