#include "coordinator/experiments/tune_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "coordinator/experiments/simulated_tuning.h"
#include "coordinator/ratings/display_width.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TournamentSpec Spec(int64_t games = 6'000) {
  return TuningSpec(
      {{.name = "risk", .start = 0.4, .min = 0, .max = 1, .step = 0.05},
       {.name = "depth", .start = 8, .min = 1, .max = 20, .step = 1, .is_integer = true}},
      games);
}

TEST(TuneTextTest, ShowsThePathsAndWhatConfirmsThem) {
  const TournamentSpec spec = Spec();
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  const std::string text = RenderTune(spec, TuneOf(plan));
  EXPECT_THAT(text, StartsWith("tuning of smart: 1000 of 1000 iterations\n\n"
                               "Option  Start  Result  Steps   Low  Path in steps "));
  const std::string bot = TunedBotText(spec, TuneOf(plan));
  EXPECT_THAT(bot, StartsWith("smart:depth=1"));
  EXPECT_THAT(text,
              AllOf(HasSubstr("█"), HasSubstr("\nresult: " + bot + "\n"), HasSubstr("no\nevidence"),
                    EndsWith("  triarch test " + bot + " smart:depth=8:risk=0.4 --elo 0,5\n")));
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(DisplayWidth(text.substr(begin, end - begin)), 100u);
    begin = end + 1;
  }
}

TEST(TuneTextTest, ShowsATuningThatHasNotBegun) {
  const TournamentSpec spec = Spec();
  const Plan plan(spec);
  const std::string text = RenderTune(spec, TuneOf(plan));
  EXPECT_THAT(text, HasSubstr("0 of 1000 iterations"));
  EXPECT_THAT(text, HasSubstr("result: smart:depth=8:risk=0.4\n"));
  EXPECT_THAT(text, Not(HasSubstr("still moving")));
}

// The best value is far away.
TEST(TuneTextTest, SaysWhatIsStillMoving) {
  const TournamentSpec spec = Spec(600);
  Plan plan(spec);
  SimulateTuning(spec, {.best = {{"risk", 0.4}, {"depth", 20}}, .elo_per_step = 10}, &plan);
  const std::string text = RenderTune(spec, TuneOf(plan));
  const size_t depth = text.find("\ndepth");
  ASSERT_NE(depth, std::string::npos);
  EXPECT_THAT(text.substr(depth + 1, text.find('\n', depth + 1) - depth),
              HasSubstr("still moving"));
}

TEST(TuneTextTest, NamesOnlyTheOptionsOfAUserSuppliedBot) {
  TournamentSpec spec = Spec();
  for (BotSpec& bot : spec.bots) {
    bot.bot = kProcessBot;
    bot.command = {"./bot"};
  }
  const Plan plan(spec);
  EXPECT_EQ(TunedBotText(spec, TuneOf(plan)), "depth=8:risk=0.4");
  EXPECT_THAT(RenderTune(spec, TuneOf(plan)), Not(HasSubstr("triarch test")));
}

TEST(TuneTextTest, SamplesThePath) {
  const TournamentSpec spec = Spec();
  Plan plan(spec);
  EXPECT_EQ(SamplePath(TuneOf(plan), 0, 5).size(), 1u);
  SimulateTuning(spec, kTuningWorld, &plan);
  const std::vector<PathPoint> points = SamplePath(TuneOf(plan), 0, 5);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[1].iteration, 250u);
  EXPECT_EQ(points[4].iteration, 1'000u);
  EXPECT_EQ(points[4].value, TuneOf(plan).spsa().path().back()[0]);
}

TEST(TuneTextTest, WritesJson) {
  const TournamentSpec spec = Spec();
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  const auto json = nlohmann::json::parse(TuneJson(spec, TuneOf(plan)));
  EXPECT_EQ(json["iterations"], 1'000);
  EXPECT_EQ(json["iterations_asked"], 1'000);
  EXPECT_EQ(json["rate"], 0.008);
  EXPECT_EQ(json["bot"], TunedBotText(spec, TuneOf(plan)));
  ASSERT_EQ(json["options"].size(), 2u);
  const auto& depth = json["options"][1];
  EXPECT_EQ(depth["name"], "depth");
  EXPECT_EQ(depth["integer"], true);
  EXPECT_EQ(depth["mean"], TuneOf(plan).spsa().Mean()[1]);
  EXPECT_EQ(depth["steps"], depth["mean"].get<double>() - 8);
  EXPECT_EQ(depth["path"].size(), 101u);
  EXPECT_EQ(depth["path"][0], nlohmann::json::parse("[0, 8.0]"));
}

TEST(TuneTextTest, DrawsThePaths) {
  TournamentSpec spec = Spec();
  spec.bots[0].name = "a<b+";
  Plan plan(spec);
  SimulateTuning(spec, kTuningWorld, &plan);
  const std::string svg = TuneSvg(spec, TuneOf(plan));
  EXPECT_THAT(svg, StartsWith("<svg xmlns"));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("tuning of a&lt;b: 1000 of 1000 iterations"));
  EXPECT_THAT(svg, HasSubstr(">risk: 0.4 → 0."));
  size_t lines = 0;
  for (size_t at = svg.find("<polyline"); at != std::string::npos;
       at = svg.find("<polyline", at + 1)) {
    ++lines;
  }
  EXPECT_EQ(lines, 2u);
}

}  // namespace
}  // namespace triarch::experiments
