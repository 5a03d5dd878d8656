// Tests the schedules of tournaments whose matches are chosen by the results so far.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/schedule/schedule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TournamentSpec PlannedSpec(size_t bots, const std::string& game = "triumvirate") {
  TournamentSpec spec;
  spec.game = game;
  spec.seed = 7;
  spec.games = 600;
  spec.openings.random_plies = 4;
  for (size_t i = 0; i < bots; ++i) {
    spec.bots.push_back({.name = "bot" + std::to_string(i),
                         .bot = "paranoid",
                         .options = {{"depth", "2"}, {"resign", "5"}}});
  }
  return spec;
}

TournamentSpec TuningOf() {
  TournamentSpec spec = PlannedSpec(2);
  TuneSpec tune;
  tune.options = {{.name = "depth", .start = 2, .min = 1, .max = 4, .step = 1}};
  spec.tune = std::make_shared<const TuneSpec>(tune);
  return spec;
}

Schedule PlannedSchedule(TournamentSpec spec) {
  absl::StatusOr<Schedule> schedule = Schedule::Make(std::move(spec));
  EXPECT_TRUE(schedule.ok()) << schedule.status();
  return *std::move(schedule);
}

std::string ScheduleError(const TournamentSpec& spec) {
  return std::string(Schedule::Make(spec).status().message());
}

std::vector<std::string> BotNames(const GameSpec& game, size_t seats) {
  std::vector<std::string> names;
  for (size_t i = 0; i < seats; ++i) names.push_back(game.seats[SeatAt(i)].name);
  return names;
}

TEST(PlannedGameTest, AMatchHasOneOpeningInAllOrdersOfItsBots) {
  TournamentSpec spec = PlannedSpec(5);
  spec.format = Format::kSwiss;
  const Schedule schedule = PlannedSchedule(spec);
  const PlannedMatch match = {.number = 3, .first_game = 18, .bots = {4, 0, 2}};
  std::set<std::vector<std::string>> orders;
  std::set<std::vector<std::string>> openings;
  std::set<uint64_t> seeds;
  for (int64_t index = 18; index < 24; ++index) {
    const GameSpec game = schedule.PlannedGame(match, index);
    EXPECT_EQ(game.index, index);
    EXPECT_EQ(game.match, 3);
    orders.insert(BotNames(game, 3));
    openings.insert(game.opening);
    seeds.insert(game.seed);
  }
  EXPECT_EQ(orders.size(), 6u);
  EXPECT_EQ(seeds.size(), 6u);
  ASSERT_EQ(openings.size(), 1u);
  EXPECT_EQ(openings.begin()->size(), 4u);
  EXPECT_THAT(BotNames(schedule.PlannedGame(match, 18), 3), ElementsAre("bot4", "bot0", "bot2"));
  const PlannedMatch next = {.number = 4, .first_game = 24, .bots = {4, 0, 2}};
  EXPECT_NE(schedule.PlannedGame(next, 24).opening, *openings.begin());
}

TEST(PlannedGameTest, SeatsTwoBots) {
  TournamentSpec spec = PlannedSpec(4, "tri-d");
  spec.format = Format::kLeague;
  const Schedule schedule = PlannedSchedule(spec);
  const PlannedMatch match = {.number = 1, .first_game = 2, .bots = {3, 1}};
  EXPECT_THAT(BotNames(schedule.PlannedGame(match, 2), 2), ElementsAre("bot3", "bot1"));
  EXPECT_THAT(BotNames(schedule.PlannedGame(match, 3), 2), ElementsAre("bot1", "bot3"));
}

TEST(PlannedGameTest, TheOptionsOfAMatchReplaceThoseOfTheSpec) {
  const Schedule schedule = PlannedSchedule(TuningOf());
  const PlannedMatch match = {.number = 0,
                              .first_game = 0,
                              .bots = {0, 1, 1},
                              .options = {{{"depth", "3"}}, {{"depth", "1"}}, {{"depth", "1"}}}};
  for (int64_t index = 0; index < 3; ++index) {
    const GameSpec game = schedule.PlannedGame(match, index);
    for (size_t i = 0; i < 3; ++i) {
      const BotSpec& bot = game.seats[SeatAt(i)];
      EXPECT_EQ(bot.options.at("depth"), bot.name == "bot0" ? "3" : "1");
      EXPECT_EQ(bot.options.at("resign"), "5");
    }
  }
}

TEST(PlannedGameTest, ChecksFormats) {
  TournamentSpec spec = PlannedSpec(2);
  spec.format = Format::kSwiss;
  EXPECT_THAT(ScheduleError(spec), HasSubstr("2 bots are too few; triumvirate has 3 seats"));
  spec = PlannedSpec(4, "tri-d");
  spec.format = Format::kKnockout;
  EXPECT_EQ(ScheduleError(spec), "");
  spec.format_options.knockout_advancing = 2;
  EXPECT_EQ(ScheduleError(spec), "knockout.advancing is 2; expected 1, as tri-d has two seats");
  spec.game = "triumvirate";
  EXPECT_EQ(ScheduleError(spec), "");
  spec = PlannedSpec(kAdaptiveBotsMax);
  spec.format = Format::kAdaptive;
  EXPECT_EQ(ScheduleError(spec), "");
  spec.bots.push_back({.name = "more", .bot = "paranoid", .options = {}});
  EXPECT_EQ(ScheduleError(spec), "301 bots are too many for the format adaptive; at most 300");
}

TEST(PlannedGameTest, ChecksBestOf) {
  TournamentSpec spec = PlannedSpec(2);
  BestOfSpec best_of;
  spec.best_of = std::make_shared<const BestOfSpec>(best_of);
  EXPECT_EQ(ScheduleError(spec), "") << "two bots fill a table of three";
  TournamentSpec other = spec;
  other.bots.resize(1);
  EXPECT_EQ(ScheduleError(other), "best-of has 1 bot; expected the base and 1 to 100 variants");
  other = spec;
  other.bots.resize(102);
  EXPECT_THAT(ScheduleError(other), HasSubstr("best-of has 102 bots"));
  other = spec;
  other.openings.random_plies = 0;
  EXPECT_THAT(ScheduleError(other),
              HasSubstr("best-of needs different openings, or its games repeat"));
  best_of.elo = {1, 1.001};
  other = spec;
  other.best_of = std::make_shared<const BestOfSpec>(best_of);
  EXPECT_THAT(ScheduleError(other), HasSubstr("expected at least 0.01 between them"));
}

TEST(PlannedGameTest, ChecksTuning) {
  EXPECT_EQ(ScheduleError(TuningOf()), "");
  TournamentSpec spec = TuningOf();
  spec.games = 601;
  EXPECT_EQ(ScheduleError(spec),
            "games is 601; expected a multiple of 6, the games of one iteration");
  spec.games = 0;
  EXPECT_THAT(ScheduleError(spec), HasSubstr("games is 0"));
  spec = TuningOf();
  spec.bots.push_back(spec.bots[0]);
  EXPECT_EQ(ScheduleError(spec), "tuning has one bot, in two copies");
  spec = TuningOf();
  spec.openings.random_plies = 0;
  EXPECT_THAT(ScheduleError(spec), HasSubstr("tuning needs different openings"));
  TuneSpec tune = *spec.tune;
  tune.options.clear();
  spec.tune = std::make_shared<const TuneSpec>(tune);
  EXPECT_EQ(ScheduleError(spec), "no option to tune; expected at least one");
  tune = *TuningOf().tune;
  tune.elo = {2, 2.001};
  spec.tune = std::make_shared<const TuneSpec>(tune);
  EXPECT_THAT(ScheduleError(spec), HasSubstr("expected at least 0.01 between them"));
}

}  // namespace
}  // namespace triarch
