#include "coordinator/experiments/adaptive_planner.h"

#include <algorithm>
#include <vector>

#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/simulated_plan.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TournamentSpec AdaptiveSpec(AdaptiveGoal goal, size_t bots, int64_t games, size_t seats = 3) {
  TournamentSpec spec = PlannedSpecOf(Format::kAdaptive, bots, seats);
  spec.format_options.adaptive_goal = goal;
  spec.games = games;
  return spec;
}

Plan PlayedAdaptive(const TournamentSpec& spec, uint64_t order = 1, size_t slots = 1) {
  const size_t seats = spec.game == "tri-d" ? 2 : 3;
  Plan plan(spec);
  Play(SimulatedResults(spec.bots.size(), seats, 0.3, 7), plan, order, slots);
  EXPECT_TRUE(plan.is_over());
  return plan;
}

TEST(AdaptivePlannerTest, TheOrderOfArrivalDoesNotMatter) {
  for (const size_t seats : {2u, 3u}) {
    const TournamentSpec spec = AdaptiveSpec(AdaptiveGoal::kRatings, 7, 300, seats);
    const std::vector<PlannedMatch> matches = PlayedAdaptive(spec).matches();
    for (uint64_t order = 2; order < 6; ++order) {
      EXPECT_EQ(PlayedAdaptive(spec, order, 7 * order).matches(), matches);
    }
  }
}

TEST(AdaptivePlannerTest, ContinuesFromStoredMatches) {
  const TournamentSpec spec = AdaptiveSpec(AdaptiveGoal::kBest, 7, 240);
  const SimulatedResults results(7, 3, 0.1, 7);
  Plan whole(spec);
  Play(results, whole, 1);
  for (int64_t games = 0; games < whole.games(); games += 13) {
    Plan first(spec);
    Play(results, first, 3, 5, games);
    Plan second(spec);
    second.Add(first.matches());
    Play(results, second, 4, 5);
    EXPECT_EQ(second.matches(), whole.matches()) << games;
  }
}

TEST(AdaptivePlannerTest, PlansABatchWhileTheOneBeforeIsPlayed) {
  const TournamentSpec spec = AdaptiveSpec(AdaptiveGoal::kRatings, 12, 6000);
  const SimulatedResults results(12, 3, 0.3, 7);
  Plan plan(spec);
  for (size_t batches = 1; batches <= 2; ++batches) {
    const std::vector<PlannedMatch> next = plan.Next();
    plan.Add(next);
    EXPECT_EQ(plan.matches().size(), 4 * batches);
  }
  for (int64_t game = 0; game < 23; ++game) {
    plan.Add(results.GameOf(plan.matches()[static_cast<size_t>(game / 6)], game));
    EXPECT_TRUE(plan.Next().empty());
  }
  plan.Add(results.GameOf(plan.matches()[3], 23));
  EXPECT_EQ(plan.Next().size(), 4u);
}

TEST(AdaptivePlannerTest, EveryBotHasEnoughMatches) {
  const Plan plan = PlayedAdaptive(AdaptiveSpec(AdaptiveGoal::kRatings, 9, 1800));
  std::vector<double> matches(9, 0);
  for (const PlannedMatch& match : plan.matches()) {
    for (const int bot : match.bots) ++matches[static_cast<size_t>(bot)];
  }
  EXPECT_EQ(plan.games(), 1800);
  EXPECT_GE(*std::min_element(matches.begin(), matches.end()), 49) << "half of the mean, less one";
}

TEST(AdaptivePlannerTest, EndsWhenTheBestBotIsKnown) {
  Plan plan = PlayedAdaptive(AdaptiveSpec(AdaptiveGoal::kBest, 8, 30'000), 2, 9);
  EXPECT_LT(plan.games(), 3'000);
  EXPECT_TRUE(plan.planner().is_over());
  EXPECT_THAT(plan.planner().State().line, StartsWith("best: a 99."));
  EXPECT_TRUE(plan.Next().empty());
}

TEST(AdaptivePlannerTest, EndsWhenTheErrorsAreSmall) {
  TournamentSpec spec = AdaptiveSpec(AdaptiveGoal::kRatings, 6, 30'000);
  spec.format_options.adaptive_error = 60;
  const Plan plan = PlayedAdaptive(spec);
  EXPECT_TRUE(plan.planner().is_over());
  EXPECT_LT(plan.games(), 1'000);
  EXPECT_GT(plan.games(), 100);
  EXPECT_THAT(plan.planner().State().line, HasSubstr(" Elo for most, goal ±60"));
  EXPECT_EQ(plan.planner().State().games_expected, plan.games());
}

TEST(AdaptivePlannerTest, EndsWithTheLastGameWithoutAGoal) {
  const Plan plan = PlayedAdaptive(AdaptiveSpec(AdaptiveGoal::kRatings, 6, 100));
  EXPECT_FALSE(plan.planner().is_over());
  EXPECT_EQ(plan.games(), 96) << "whole matches";
  EXPECT_EQ(plan.planner().State().games_expected, 100);
}

// The maximum cut off a batch, which the continued run completes.
TEST(AdaptivePlannerTest, ContinuesWithMoreGames) {
  TournamentSpec spec = AdaptiveSpec(AdaptiveGoal::kRatings, 12, 6 * 10);
  const SimulatedResults results(12, 3, 0.3, 7);
  Plan first(spec);
  Play(results, first, 1);
  EXPECT_EQ(first.matches().size(), 10u);
  spec.games = 6 * 30;
  Plan second(spec);
  second.Add(first.matches());
  Play(results, second, 1);
  EXPECT_EQ(second.matches().size(), 30u);
  EXPECT_TRUE(std::equal(first.matches().begin(), first.matches().end(), second.matches().begin()));
}

// After 100 batches, not every batch is followed by a fit.
TEST(AdaptivePlannerTest, PlansManyBatches) {
  const TournamentSpec spec = AdaptiveSpec(AdaptiveGoal::kRatings, 4, 5000);
  const Plan plan = PlayedAdaptive(spec, 1, 3);
  EXPECT_EQ(plan.matches().size(), 833u);
  EXPECT_EQ(PlayedAdaptive(spec, 2, 1).matches(), plan.matches());
}

}  // namespace
}  // namespace triarch::experiments
