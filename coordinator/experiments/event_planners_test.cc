#include "coordinator/experiments/event_planners.h"

#include <set>
#include <vector>

#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/simulated_plan.h"
#include "core/schedule/format_games.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::ElementsAre;

TournamentSpec EventSpec(Format format, size_t bots, size_t seats = 3) {
  TournamentSpec spec = PlannedSpecOf(format, bots, seats);
  spec.format_options.swiss_rounds = 4;
  spec.format_options.league_division = 4;
  spec.games = GamesOfFormat(spec);
  return spec;
}

// Returns the whole event, played with this many games at a time.
Plan PlayedEvent(const TournamentSpec& spec, uint64_t order = 1, size_t slots = 1) {
  const size_t seats = spec.game == "tri-d" ? 2 : 3;
  Plan plan(spec);
  Play(SimulatedResults(spec.bots.size(), seats, 0.4, 7), plan, order, slots);
  EXPECT_TRUE(plan.is_over());
  return plan;
}

constexpr Format kEvents[] = {Format::kSwiss, Format::kKnockout, Format::kLeague};

TEST(EventPlannersTest, TheOrderOfArrivalDoesNotMatter) {
  for (const Format format : kEvents) {
    for (const size_t seats : {2u, 3u}) {
      const TournamentSpec spec = EventSpec(format, 11, seats);
      const std::vector<PlannedMatch> matches = PlayedEvent(spec).matches();
      EXPECT_FALSE(matches.empty());
      for (uint64_t order = 2; order < 6; ++order) {
        EXPECT_EQ(PlayedEvent(spec, order, 10 * order).matches(), matches);
      }
    }
  }
}

// Stops after each number of games, and continues from the stored matches and games.
TEST(EventPlannersTest, ContinuesFromStoredMatches) {
  for (const Format format : kEvents) {
    const TournamentSpec spec = EventSpec(format, 8);
    const SimulatedResults results(8, 3, 0.4, 7);
    const Plan whole = PlayedEvent(spec);
    for (int64_t games = 0; games < whole.games(); games += 17) {
      Plan first(spec);
      Play(results, first, 3, 5, games);
      Plan second(spec);
      second.Add(first.matches());
      Play(results, second, 4, 5);
      EXPECT_EQ(second.matches(), whole.matches()) << games;
      EXPECT_TRUE(second.is_over());
    }
  }
}

TEST(EventPlannersTest, ASwissEventGivesByesToTheBotsThatDoNotFillATable) {
  const Plan plan = PlayedEvent(EventSpec(Format::kSwiss, 11));
  const auto& planner = static_cast<const SwissPlanner&>(plan.planner());
  ASSERT_EQ(planner.event().rounds.size(), 4u);
  std::multiset<int> byes;
  for (const RoundResult& round : planner.event().rounds) {
    EXPECT_EQ(round.matches.size(), 3u);
    EXPECT_EQ(round.byes.size(), 2u);
    byes.insert(round.byes.begin(), round.byes.end());
  }
  for (const int bot : byes) EXPECT_EQ(byes.count(bot), 1u) << "no second bye before all had one";
  EXPECT_EQ(planner.State().line, "round 4 of 4");
}

// Equal bots are often tied after a match.
TEST(EventPlannersTest, AKnockoutPlaysOnWhereBotsAreTied) {
  const TournamentSpec spec = EventSpec(Format::kKnockout, 4, 2);
  std::set<size_t> numbers_of_matches;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Plan plan(spec);
    Play(SimulatedResults(4, 2, 0, seed), plan, 1, 4);
    EXPECT_TRUE(plan.is_over());
    const auto& planner = static_cast<const KnockoutPlanner&>(plan.planner());
    EXPECT_EQ(planner.state().ranking.size(), 4u);
    EXPECT_EQ(planner.results().size(), plan.matches().size());
    EXPECT_LE(plan.games(), spec.games);
    numbers_of_matches.insert(plan.matches().size());
  }
  EXPECT_GT(numbers_of_matches.size(), 1u);
  EXPECT_EQ(*numbers_of_matches.begin(), 3u) << "two tables and the final";
}

TEST(EventPlannersTest, ALeaguePlaysEverySetOfADivisionOnce) {
  const TournamentSpec spec = EventSpec(Format::kLeague, 9);
  const Plan plan = PlayedEvent(spec);
  const auto& planner = static_cast<const LeaguePlanner&>(plan.planner());
  EXPECT_THAT(planner.divisions(),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(5, 6, 7, 8)));
  EXPECT_EQ(plan.games(), spec.games);
  EXPECT_EQ(plan.games(), (10 + 4) * 6);
  EXPECT_EQ(planner.State().line, "14 of 14 matches");
  std::set<std::set<int>> sets;
  for (const PlannedMatch& match : plan.matches()) {
    EXPECT_TRUE(sets.insert({match.bots.begin(), match.bots.end()}).second);
  }
  ASSERT_EQ(planner.results().size(), 2u);
  EXPECT_EQ(planner.results()[0].matches.size(), 10u);
  for (const MatchResult& match : planner.results()[1].matches) {
    for (const int bot : match.bots) EXPECT_GE(bot, 5);
  }
}

TEST(EventPlannersTest, ALeagueRepeatsItsSeasonForMoreGames) {
  TournamentSpec spec = EventSpec(Format::kLeague, 9);
  spec.games *= 3;
  const Plan plan = PlayedEvent(spec);
  EXPECT_EQ(plan.games(), spec.games);
  const auto& planner = static_cast<const LeaguePlanner&>(plan.planner());
  EXPECT_EQ(planner.results()[1].matches.size(), 3 * 4u);
  EXPECT_EQ(plan.matches()[0].bots, plan.matches()[14].bots);
}

// A division of 40 bots has 9 880 matches, which are not planned at once.
TEST(EventPlannersTest, ALargeLeagueIsPlannedAhead) {
  TournamentSpec spec = EventSpec(Format::kLeague, 40);
  spec.format_options.league_division = 40;
  spec.games = GamesOfFormat(spec);
  Plan plan(spec);
  const SimulatedResults results(40, 3, 0.1, 7);
  Play(results, plan, 1, 1, 60);
  EXPECT_EQ(plan.matches().size(), 2000u);
  for (int64_t game = 60; game < 6000; ++game) {
    plan.Add(results.GameOf(*FindMatch(plan.matches(), game), game));
  }
  EXPECT_EQ(plan.Next().size(), 1000u);
}

}  // namespace
}  // namespace triarch::experiments
