#include "coordinator/experiments/tune.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/experiments/simulated_tuning.h"
#include "core/schedule/schedule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/spec_json.h"

namespace triarch::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TunedOption RealOption(const std::string& name, double start) {
  return {.name = name, .start = start, .min = 0, .max = 1, .step = 0.05};
}
TunedOption WholeOption(const std::string& name, double start) {
  return {.name = name, .start = start, .min = 1, .max = 20, .step = 1, .is_integer = true};
}

TEST(TuneTest, AnIterationIsAUnitOfTheMirror) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.2)}, 600);
  ASSERT_TRUE(Schedule::Make(spec).ok());
  Plan plan(spec);
  plan.Add(plan.Next());
  // Two of 100 iterations may be in play.
  ASSERT_EQ(plan.matches().size(), 4u);
  EXPECT_THAT(plan.matches()[0].bots, ElementsAre(0, 1, 1));
  EXPECT_THAT(plan.matches()[1].bots, ElementsAre(1, 0, 0));
  EXPECT_EQ(plan.matches()[1].first_game, 3);
  // Both matches are between the same two copies.
  const auto& options = plan.matches()[0].options;
  EXPECT_NE(options[0], options[1]);
  EXPECT_EQ(options[1], options[2]);
  EXPECT_THAT(plan.matches()[1].options, ElementsAre(options[1], options[0], options[0]));
  EXPECT_TRUE(plan.Next().empty());
}

// Plays one iteration in which `plus` takes these places in its games alone, and `minus` in its.
double PathAfter(uint8_t place_of_plus, uint8_t place_of_minus) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.5)}, 6);
  Plan plan(spec);
  plan.Add(plan.Next());
  for (const PlannedMatch& match : plan.matches()) {
    const uint8_t place = match.bots[0] == kPlusCopy ? place_of_plus : place_of_minus;
    for (int64_t index = match.first_game; index < EndOf(match); ++index) {
      GameSummary game;
      game.index = index;
      uint8_t next = 1;
      for (size_t i = 0; i < 3; ++i) {
        const int at = SeatPlaces(match, index)[SeatAt(i)];
        game.bots[SeatAt(i)] = match.bots[static_cast<size_t>(at)];
        if (next == place) ++next;
        game.outcome.place[SeatAt(i)] = at == 0 ? place : next++;
      }
      plan.Add(game);
    }
  }
  EXPECT_TRUE(plan.is_over());
  const Tune& tune = TuneOf(plan);
  const double plus = ParseDouble(plan.matches()[0].options[0].at("risk")).value();
  // The change per unit of the result, towards `plus`.
  return (tune.spsa().path().back()[0] - 0.5) / (plus - 0.5) / FinalRate(spec);
}

TEST(TuneTest, TheResultIsTwelveTimesX) {
  EXPECT_NEAR(PathAfter(1, 3), 6, 1e-9);
  EXPECT_NEAR(PathAfter(3, 1), -6, 1e-9);
  EXPECT_NEAR(PathAfter(1, 1), 0, 1e-9);
  EXPECT_NEAR(PathAfter(2, 3), 3, 1e-9);
}

TEST(TuneTest, FindsTheBestValues) {
  const TournamentSpec spec =
      TuningSpec({RealOption("risk", 0.4), WholeOption("depth", 8)}, 30'000);
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  const Tune& tune = TuneOf(plan);
  EXPECT_EQ(tune.spsa().applied(), 5'000);
  EXPECT_NEAR(tune.spsa().Mean()[0], 0.7, 0.06);
  EXPECT_NEAR(tune.spsa().Mean()[1], 12, 1.2);
  EXPECT_EQ(plan.games(), 30'000);
  EXPECT_TRUE(plan.Next().empty());
}

TEST(TuneTest, TheOrderOfArrivalDoesNotMatter) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.4), WholeOption("depth", 8)}, 3'000);
  Plan in_order(spec);
  SimulateTuning(spec, kTuningWorld, &in_order);
  Plan in_reverse(spec);
  while (!in_reverse.is_over()) {
    const size_t first = in_reverse.matches().size();
    in_reverse.Add(in_reverse.Next());
    std::vector<GameSummary> games = SimulatePlannedGames(spec, kTuningWorld, in_reverse, first);
    std::reverse(games.begin(), games.end());
    for (const GameSummary& game : games) in_reverse.Add(game);
  }
  EXPECT_EQ(in_reverse.matches(), in_order.matches());
  EXPECT_EQ(TuneOf(in_reverse).spsa().path(), TuneOf(in_order).spsa().path());
}

TEST(TuneTest, ResumesFromStoredMatchesAndGames) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.4), WholeOption("depth", 8)}, 3'000);
  Plan whole(spec);
  SimulateTuning(spec, kTuningWorld, &whole);
  Plan first(spec);
  const std::vector<GameSummary> games = SimulateTuning(spec, kTuningWorld, &first, 301);
  ASSERT_FALSE(first.is_over());
  // Only the first match of the next iteration is stored.
  std::vector<PlannedMatch> matches = first.matches();
  ASSERT_FALSE(first.Next().empty());
  matches.push_back(first.Next().front());
  Plan resumed(spec);
  resumed.Add(matches);
  for (const GameSummary& game : games) resumed.Add(game);
  for (const GameSummary& game :
       SimulatePlannedGames(spec, kTuningWorld, resumed, matches.size() - 1)) {
    resumed.Add(game);
  }
  SimulateTuning(spec, kTuningWorld, &resumed);
  EXPECT_EQ(resumed.matches(), whole.matches());
  EXPECT_EQ(TuneOf(resumed).spsa().path(), TuneOf(whole).spsa().path());
}

TEST(TuneTest, ValuesAreNaturalTexts) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.0), WholeOption("depth", 8)}, 1'200);
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  std::set<std::string> depths;
  for (const PlannedMatch& match : plan.matches()) {
    for (const auto& options : match.options) {
      depths.insert(options.at("depth"));
      const std::string& risk = options.at("risk");
      EXPECT_EQ(TunedValueText(RealOption("risk", 0), ParseDouble(risk).value()), risk);
      EXPECT_GE(ParseDouble(risk).value(), 0);
    }
  }
  for (const std::string& depth : depths) EXPECT_TRUE(ParseInt64(depth).has_value()) << depth;
  EXPECT_GT(depths.size(), 3u);
  EXPECT_EQ(TunedValueText(RealOption("risk", 0), 1.0 / 3), "0.333333");
  EXPECT_EQ(TunedValueText(RealOption("risk", 0), -0.0), "0");
  EXPECT_EQ(TunedValueText(WholeOption("nodes", 0), 12'345'678), "12345678");
}

TEST(TuneTest, PlaysTwoGamesPerIterationWithTwoSeats) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.4)}, 10'000, "tri-d");
  ASSERT_TRUE(Schedule::Make(spec).ok());
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  EXPECT_THAT(plan.matches()[0].bots, ElementsAre(0, 1));
  EXPECT_EQ(TuneOf(plan).spsa().applied(), 5'000);
  EXPECT_NEAR(TuneOf(plan).spsa().Mean()[0], 0.7, 0.06);
}

TEST(TuneTest, ShowsItsState) {
  const TournamentSpec spec = TuningSpec({RealOption("risk", 0.2), WholeOption("depth", 8)}, 600);
  Plan plan(spec);
  const PlanState state = TuneOf(plan).State();
  EXPECT_EQ(state.line, "0 of 100 iterations  risk 0.2  depth 8");
  EXPECT_EQ(state.games_expected, 600);
  EXPECT_THAT(state.figures, ElementsAre(Pair("risk", 0), Pair("depth", 0)));
  EXPECT_DOUBLE_EQ(TuneOf(plan).StepsFromStart(0, 0.3), 2);
}

TEST(TuneTest, ChoosesTheRateByTheNumberOfGames) {
  const auto rate = [](int64_t games) {
    return FinalRate(TuningSpec({RealOption("risk", 0)}, games));
  };
  EXPECT_DOUBLE_EQ(rate(6), 0.008);
  EXPECT_DOUBLE_EQ(rate(30'000), 0.008);
  EXPECT_NEAR(rate(54'774), 0.004, 1e-6);  // halfway on both logarithmic scales
  EXPECT_DOUBLE_EQ(rate(600'000), 0.002);
  TournamentSpec given = TuningSpec({RealOption("risk", 0)}, 6);
  given.tune = std::make_shared<const TuneSpec>(TuneSpec{.options = {}, .rate = 0.5});
  EXPECT_EQ(FinalRate(given), 0.5);
}

TEST(TuneTest, TheConfirmingTestComparesTheResultWithTheStart) {
  TournamentSpec spec = TuningSpec({RealOption("risk", 0.4), WholeOption("depth", 8)}, 6'000);
  for (BotSpec& bot : spec.bots) bot.options = {{"risk", "0.4"}, {"resign", "5"}};
  spec.time_control.nodes = 1'000;
  spec.db = "tuning.db";
  spec.tpgn = "tuning.tpgn";
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  const TournamentSpec test = ConfirmingTest(spec, TuneOf(plan));
  EXPECT_TRUE(Schedule::Make(test).ok());
  EXPECT_EQ(SpecToJson(SpecFromJson(SpecToJson(test)).value()), SpecToJson(test));
  EXPECT_EQ(test.name, "tuning confirmation");
  EXPECT_EQ(test.test->elo, (std::array<double, 2>{0, 5}));
  EXPECT_EQ(test.tune, nullptr);
  EXPECT_NE(test.seed, spec.seed);
  EXPECT_EQ(test.games, 200'000);
  EXPECT_EQ(test.time_control.nodes, 1'000);
  EXPECT_EQ(test.db, "tuning.db");
  EXPECT_EQ(test.tpgn, "");
  ASSERT_EQ(test.bots.size(), 2u);
  EXPECT_EQ(test.bots[0].name, "smart-tuned");
  EXPECT_EQ(test.bots[1].name, "smart");
  EXPECT_EQ(BotText(test.bots[1]), "smart:depth=8:resign=5:risk=0.4");
  const double risk = ParseDouble(test.bots[0].options.at("risk")).value();
  EXPECT_NEAR(risk, TuneOf(plan).spsa().Mean()[0], 0.0005);
  EXPECT_EQ(test.bots[0].options.at("depth"),
            std::to_string(std::lround(TuneOf(plan).spsa().Mean()[1])));
  EXPECT_EQ(test.bots[0].options.at("resign"), "5");
}

}  // namespace
}  // namespace triarch::experiments
