#include "coordinator/experiments/knockout.h"

#include <numeric>
#include <set>
#include <vector>

#include "core/schedule/format_games.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Knockout Of(size_t bots, size_t seats, size_t advancing) {
  Knockout knockout{.seats = seats, .advancing = advancing, .starting_order = {}};
  knockout.starting_order.resize(bots);
  std::iota(knockout.starting_order.begin(), knockout.starting_order.end(), 0);
  return knockout;
}

// Returns a result in which the bot with the higher number is better.
MatchResult Higher(const Table& table) {
  MatchResult result{table, {}};
  for (const int bot : table) result.points.push_back(bot / 4.0);
  return result;
}

struct Played {
  KnockoutState state;
  std::vector<size_t> fields;  // bots in each round
};

Played PlayAll(const Knockout& knockout) {
  Played played;
  std::vector<MatchResult> results;
  while (true) {
    const KnockoutState state = StateOf(knockout, results);
    if (state.tables.empty()) {
      played.state = state;
      return played;
    }
    played.fields.push_back(state.byes.size() + state.tables.size() * knockout.seats);
    EXPECT_EQ(played.fields.size(), static_cast<size_t>(state.round));
    for (const Table& table : state.tables) results.push_back(Higher(table));
  }
}

TEST(KnockoutTest, FieldsShrinkToOne) {
  EXPECT_THAT(PlayAll(Of(27, 3, 1)).fields, ElementsAre(27, 9, 3));
  EXPECT_THAT(PlayAll(Of(13, 3, 1)).fields, ElementsAre(13, 9, 3));
  EXPECT_THAT(PlayAll(Of(12, 3, 1)).fields, ElementsAre(12, 9, 3));
  EXPECT_THAT(PlayAll(Of(8, 3, 1)).fields, ElementsAre(8, 4, 3));
  EXPECT_THAT(PlayAll(Of(4, 3, 1)).fields, ElementsAre(4, 3));
  EXPECT_THAT(PlayAll(Of(3, 3, 1)).fields, ElementsAre(3));
  EXPECT_THAT(PlayAll(Of(9, 3, 2)).fields, ElementsAre(9, 6, 4, 3));
  EXPECT_THAT(PlayAll(Of(11, 2, 1)).fields, ElementsAre(11, 8, 4, 2));
}

TEST(KnockoutTest, EndsWithEveryBotRankedForAnyNumberOfBots) {
  for (const auto& [seats, advancing] : {std::pair{2u, 1u}, {3u, 1u}, {3u, 2u}}) {
    for (size_t bots = seats; bots <= 60; ++bots) {
      const KnockoutState end = PlayAll(Of(bots, seats, advancing)).state;
      ASSERT_EQ(end.ranking.size(), bots);
      EXPECT_EQ(std::set<int>(end.ranking.begin(), end.ranking.end()).size(), bots);
      EXPECT_EQ(end.ranking[0], static_cast<int>(bots) - 1);
    }
  }
}

TEST(KnockoutTest, HighSeedsHaveAByeAndMeetLate) {
  const KnockoutState start = StateOf(Of(13, 3, 1), {});
  EXPECT_THAT(start.byes, ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(start.tables, ElementsAre(ElementsAre(7, 10, 11), ElementsAre(8, 9, 12)));
  const KnockoutState two = StateOf(Of(8, 2, 1), {});
  EXPECT_THAT(two.byes, IsEmpty());
  EXPECT_THAT(two.tables, ElementsAre(ElementsAre(0, 7), ElementsAre(1, 6), ElementsAre(2, 5),
                                      ElementsAre(3, 4)));
}

TEST(KnockoutTest, RanksByRoundThenPoints) {
  const Knockout knockout = Of(9, 3, 1);
  // The first table is 0, 5, 6, the second 1, 4, 7 and the third 2, 3, 8.
  std::vector<MatchResult> results = {
      {{2, 3, 8}, {3.5, 3, 2.5}}, {{0, 5, 6}, {1, 3, 5}}, {{1, 4, 7}, {6, 2, 1}}};
  const KnockoutState final = StateOf(knockout, results);
  EXPECT_EQ(final.round, 2);
  EXPECT_THAT(final.ranking, IsEmpty());
  EXPECT_THAT(final.tables, ElementsAre(ElementsAre(1, 2, 6)));
  results.push_back({{6, 2, 1}, {2, 3, 4}});
  EXPECT_THAT(StateOf(knockout, results).ranking, ElementsAre(1, 2, 6, 3, 5, 8, 4, 0, 7));
}

TEST(KnockoutTest, TiesAtTheCutArePlayedOff) {
  const Knockout one = Of(3, 3, 1);
  std::vector<MatchResult> results = {{{0, 1, 2}, {3.5, 2, 3.5}}};
  EXPECT_THAT(StateOf(one, results).tables, ElementsAre(ElementsAre(0, 1, 2)));
  results.push_back({{0, 1, 2}, {3, 2.5, 3.5}});
  EXPECT_THAT(StateOf(one, results).ranking, ElementsAre(2, 0, 1));
  // Where two advance, a tie for first place decides nothing.
  const Knockout two = Of(4, 3, 2);
  EXPECT_THAT(StateOf(two, std::vector<MatchResult>{{{1, 2, 3}, {3.5, 3.5, 2}}}).tables,
              ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(KnockoutTest, CopiesDoNotTieForEver) {
  std::vector<MatchResult> results;
  const Knockout knockout = Of(3, 3, 1);
  while (!StateOf(knockout, results).tables.empty()) {
    ASSERT_LT(std::ssize(results), kKnockoutMatchesMax);
    results.push_back({{0, 1, 2}, {3, 3, 3}});
  }
  EXPECT_EQ(std::ssize(results), kKnockoutMatchesMax);
  EXPECT_THAT(StateOf(knockout, results).ranking, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace triarch::experiments
