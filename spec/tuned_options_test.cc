#include "spec/tuned_options.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec/spec_json.h"
#include "spec/test_tournaments.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The third line is the map of options.
std::string TuneFile(const std::string& bot, const std::string& options) {
  return "{game: triumvirate, mode: tune,\nbots: [" + bot + "],\ntune: {options: " + options + "}}";
}

std::string TuneError(const std::string& options, const std::string& bot = "'paranoid:depth=4'") {
  return ErrorOf(TuneFile(bot, options));
}

constexpr char kProcess[] = "{name: mine, command: [./bot], level: 0.5}";

TEST(TunedOptionsTest, TheBotPlaysInTwoCopies) {
  const TournamentSpec spec =
      MustParse(TuneFile("'paranoid:depth=4'", "{depth: {min: 2, max: 42, step: 3, start: 5}}"));
  ASSERT_EQ(spec.bots.size(), 2u);
  EXPECT_EQ(spec.bots[0].name, "paranoid:depth=4+");
  EXPECT_EQ(spec.bots[1].name, "paranoid:depth=4-");
  EXPECT_EQ(spec.bots[1].options, spec.bots[0].options);
  EXPECT_EQ(spec.games, 30'000);
  EXPECT_EQ(spec.name, "Triumvirate tuning");
  ASSERT_EQ(spec.tune->options.size(), 1u);
  EXPECT_EQ(spec.tune->options[0],
            (TunedOption{
                .name = "depth", .start = 5, .min = 2, .max = 42, .step = 3, .is_integer = true}));
  EXPECT_EQ(SpecToJson(SpecFromJson(SpecToJson(spec)).value()), SpecToJson(spec));
}

TEST(TunedOptionsTest, TheBotDeclaresWhatIsNotGiven) {
  const auto option = [](const std::string& bot, const std::string& options) {
    return MustParse(TuneFile(bot, options)).tune->options.at(0);
  };
  const TunedOption own = {
      .name = "depth", .start = 4, .min = 1, .max = 30, .step = 1.45, .is_integer = true};
  EXPECT_EQ(option("'paranoid:depth=4'", "{depth: {}}"), own);
  EXPECT_EQ(option("'paranoid:depth=4'", "{depth: }"), own);
  EXPECT_EQ(option("paranoid", "{depth: {}}").start, 3);
  EXPECT_EQ(option("paranoid", "{depth: {max: 6}}").step, 1);  // not 0.25
  EXPECT_EQ(option(kProcess, "{level: {min: 0, max: 1}}"),
            (TunedOption{.name = "level", .start = 0.5, .min = 0, .max = 1, .step = 0.05}));
  EXPECT_TRUE(option(kProcess, "{whole: {min: 0, max: 9, start: 3, type: integer}}").is_integer);
}

TEST(TunedOptionsTest, SaysWhatIsWrongInAFile) {
  EXPECT_EQ(TuneError("{depth: {min: 9, max: 2}}"),
            "dir/t.yaml:3:39: depth has the bounds 9 and 2; expected min below max");
  EXPECT_EQ(TuneError("{depth: {max: 3}}"),
            "dir/t.yaml:3:18: depth starts at 4; expected a start from 1 to 3");
  EXPECT_EQ(TuneError("{depth: {start: 31}}"),
            "dir/t.yaml:3:33: depth starts at 31; expected a start from 1 to 30");
  EXPECT_EQ(TuneError("{depth: {step: 0}}"),
            "dir/t.yaml:3:32: the step of depth is 0; expected a number above 0, at most 29");
  EXPECT_EQ(TuneError("{depth: {min: 1.5}}"),
            "dir/t.yaml:3:31: min of depth is 1.5; expected a whole number");
  EXPECT_EQ(TuneError("{level: {min: 0, max: 0.12345678}}", kProcess),
            "dir/t.yaml:3:39: max of level is 0.12345678; expected a number with at most six "
            "significant digits");
  EXPECT_EQ(TuneError("{depth: {min: -1}}"),
            "dir/t.yaml:3:31: the bot refuses depth=-1: option depth is -1");
  EXPECT_EQ(TuneError("{dept: {}}"), "dir/t.yaml:3:18: unknown option dept");
  EXPECT_EQ(TuneError("{tc: {min: 1, max: 2}}"),
            "dir/t.yaml:3:18: tc is a limit of the match; expected an option of the bot");
  EXPECT_EQ(TuneError("{depth: {low: 1}}").substr(0, 54),
            "dir/t.yaml:3:26: unknown key \"tune.options.depth.low\";");
  EXPECT_EQ(TuneError("{depth: {min: low}}"),
            "dir/t.yaml:3:31: tune.options.depth.min is \"low\"; expected a number");
  EXPECT_EQ(TuneError("{depth: {type: real}}"),
            "dir/t.yaml:3:32: tune.options.depth.type is \"real\"; expected integer or number");
  EXPECT_THAT(TuneError("{depth: 3}"), HasSubstr("tune.options.depth is text; expected a map"));
  EXPECT_THAT(TuneError("[depth]"), HasSubstr("tune.options is a list; expected a map"));
}

TEST(TunedOptionsTest, SaysWhatABotLeavesOpen) {
  EXPECT_EQ(TuneError("{level: {max: 1}}", kProcess),
            "dir/t.yaml:3:18: level needs bounds, because the bot declares none; expected min and "
            "max, as in level=0..1");
  EXPECT_EQ(TuneError("{other: {min: 0, max: 1}}", kProcess),
            "dir/t.yaml:3:18: other has no default; expected start, or a value among the bot's "
            "options");
  EXPECT_THAT(TuneError("{whole: {min: 0, max: 8, start: 3}}", kProcess),
              HasSubstr("the bot refuses whole=2.66667: whole is 2.66667; expected type: integer"));
}

TEST(TunedOptionsTest, SaysWhatIsWrongWithTheTuning) {
  EXPECT_EQ(TuneError("{depth: {}}", "paranoid, random"),
            "dir/t.yaml:2:7: there are 2 bots; expected one to tune, of which two copies play");
  EXPECT_EQ(TuneError("{}"), "dir/t.yaml:1:27: nothing to tune; expected tune.options");
  EXPECT_EQ(ErrorOf("{game: tri-d, mode: tune, bots: [random]}"),
            "dir/t.yaml:1:21: nothing to tune; expected tune.options");
  EXPECT_THAT(ErrorAfterHead("tune: {options: {depth: {}}}\n"),
              HasSubstr("tune.options applies only to mode: tune"));
  EXPECT_THAT(ErrorOf("games: 100\n" + std::string("game: triumvirate\nmode: tune\nbots: [paranoid]"
                                                   "\ntune: {options: {depth: {}}}\n")),
              HasSubstr("games is 100; expected a multiple of 6"));
}

TEST(TunedOptionsTest, ReadsFlags) {
  const auto given = ParseTunedOption("risk=-0.5..1:0.05").value();
  EXPECT_EQ(given.name, "risk");
  EXPECT_EQ(given.min->value, -0.5);
  EXPECT_EQ(given.max->value, 1);
  EXPECT_EQ(given.step->value, 0.05);
  EXPECT_EQ(given.step->where, "--option: ");
  EXPECT_FALSE(ParseTunedOption("risk=0..1").value().step.has_value());
  EXPECT_FALSE(ParseTunedOption("risk").value().min.has_value());
  for (const std::string wrong :
       {"", "=0..1", "risk=", "risk=1", "risk=0-1", "risk=a..1", "risk=0..1:", "risk=0..1:1:2"}) {
    EXPECT_THAT(std::string(ParseTunedOption(wrong).status().message()),
                StartsWith("--option: \"" + wrong + "\" does not say what to tune; expected"));
  }
}

TEST(TunedOptionsTest, AnOptionIsTunedOnce) {
  const BotSpec bot = {.name = "paranoid", .bot = "paranoid"};
  const auto depth = ParseTunedOption("depth").value();
  EXPECT_EQ(ResolveTunedOptions({depth, depth}, "tri-d", bot, TestHooks()).status().message(),
            "--option: depth is given twice; expected once");
}

TEST(TunedOptionsTest, ThePictureIsNotPartOfTheIdentity) {
  const std::string file = TuneFile("paranoid", "{depth: {}}");
  const TournamentSpec plain = MustParse(file);
  const TournamentSpec drawn =
      MustParse(file.substr(0, file.size() - 1) + ", output: {svg: a.svg}}");
  EXPECT_EQ(drawn.tune->svg, "a.svg");
  EXPECT_EQ(SpecIdentity(drawn), SpecIdentity(plain));
  EXPECT_EQ(SpecFromJson(SpecToJson(drawn)).value().tune->svg, "a.svg");
}

}  // namespace
}  // namespace triarch
