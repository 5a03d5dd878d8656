#include "coordinator/experiments/plan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TournamentSpec Event(Format format, int bots, const std::string& game = "triumvirate") {
  TournamentSpec spec;
  spec.game = game;
  spec.format = format;
  spec.format_options.swiss_rounds = 3;
  spec.games = 10'000;
  for (int i = 0; i < bots; ++i) {
    spec.bots.push_back({.name = "b" + std::to_string(i), .bot = "random"});
  }
  return spec;
}

// Returns the only result of a game: the lower number is usually better.
Outcome OutcomeOf(const PlannedMatch& match, int64_t index) {
  const PerSeat<int> places = SeatPlaces(match, index);
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < match.bots.size(); ++i) {
    const int bot = match.bots[static_cast<size_t>(places[SeatAt(i)])];
    Random random(DeriveSeed(static_cast<uint64_t>(index), i));
    order.emplace_back(bot + 4 * random.Unit(), i);
  }
  std::sort(order.begin(), order.end());
  Outcome outcome;
  for (size_t i = 0; i < order.size(); ++i) {
    outcome.place[SeatAt(order[i].second)] = static_cast<uint8_t>(i + 1);
  }
  return outcome;
}

// Plays up to `games` games, each time a random one of those that are planned.
void Play(Plan& plan, uint64_t seed, int64_t games = 100'000) {
  Random random(seed);
  std::vector<int64_t> open;
  for (int64_t i = 0; i < games; ++i) {
    const int64_t before = plan.games();
    plan.Add(std::vector<PlannedMatch>(plan.Next()));
    for (int64_t index = before; index < plan.games(); ++index) open.push_back(index);
    if (open.empty()) return;
    std::swap(open[random.Below(static_cast<uint32_t>(open.size()))], open.back());
    plan.Add(open.back(), OutcomeOf(*FindMatch(plan.matches(), open.back()), open.back()));
    open.pop_back();
  }
}

TEST(PlanTest, MatchesDependOnResultsAlone) {
  for (const Format format : {Format::kSwiss, Format::kKnockout}) {
    for (const std::string game : {"triumvirate", "tri-d"}) {
      Plan plan(Event(format, 11, game));
      Play(plan, 1);
      EXPECT_TRUE(plan.is_over());
      for (uint64_t seed = 2; seed < 6; ++seed) {
        Plan other(Event(format, 11, game));
        Play(other, seed);
        EXPECT_EQ(other.matches(), plan.matches());
      }
    }
  }
}

TEST(PlanTest, ContinuesFromStoredMatchesAndGames) {
  Plan whole(Event(Format::kSwiss, 9));
  Play(whole, 1);
  Plan begun(Event(Format::kSwiss, 9));
  Play(begun, 1, 25);
  Plan resumed(Event(Format::kSwiss, 9));
  resumed.Add(begun.matches());
  // The recorded games are read by index; some of later matches came early.
  for (int64_t index = 0; index < begun.games(); ++index) {
    resumed.Add(index, OutcomeOf(*FindMatch(begun.matches(), index), index));
  }
  Play(resumed, 7);
  EXPECT_EQ(resumed.matches(), whole.matches());
}

TEST(PlanTest, ReturnsMatchesAgainUntilTheyAreStored) {
  Plan plan(Event(Format::kSwiss, 9));
  const std::vector<PlannedMatch> first = plan.Next();
  EXPECT_THAT(first, SizeIs(3));
  EXPECT_EQ(plan.Next(), first);
  EXPECT_EQ(plan.games(), 0);
  plan.Add(first);
  EXPECT_EQ(plan.games(), 18);
  EXPECT_THAT(plan.Next(), IsEmpty());
  EXPECT_FALSE(plan.is_over());
}

TEST(PlanTest, EndsWhenNoFurtherMatchFits) {
  TournamentSpec spec = Event(Format::kSwiss, 9);
  spec.games = 30;
  Plan plan(spec);
  Play(plan, 1);
  EXPECT_EQ(plan.games(), 30);
  EXPECT_TRUE(plan.is_over());
  EXPECT_THAT(plan.Next(), IsEmpty());
}

TEST(PlanTest, IgnoresGamesOfNoMatchAndRepeatedGames) {
  Plan plan(Event(Format::kSwiss, 3));
  plan.Add(0, Outcome());
  plan.Add(std::vector<PlannedMatch>(plan.Next()));
  for (int i = 0; i < 6; ++i) plan.Add(0, OutcomeOf(plan.matches()[0], 0));
  plan.Add(6, Outcome());
  EXPECT_THAT(plan.Next(), IsEmpty());
}

}  // namespace
}  // namespace triarch::experiments
