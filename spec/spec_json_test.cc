#include "spec/spec_json.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

TournamentSpec Small() {
  TournamentSpec spec;
  spec.name = "Small";
  spec.game = "triumvirate";
  spec.bots = {{.name = "random", .bot = "random", .options = {}},
               {.name = "p3", .bot = "paranoid", .options = {{"depth", "3"}}},
               {.name = "quick", .bot = "mcts", .options = {{"nodes", "2000"}}}};
  spec.games = 60;
  spec.seed = 7;
  return spec;
}

TournamentSpec Full() {
  TournamentSpec spec = Small();
  spec.start = "server";
  spec.format = Format::kGauntlet;
  spec.seed = std::numeric_limits<uint64_t>::max();
  spec.openings.lines = {{.position = "", .moves = {"E2-E4"}}, {.position = "x", .moves = {}}};
  spec.time_control = {.nodes = 100,
                       .depth = 3,
                       .movetime_ms = 5,
                       .clock = ClockSpec{.base_ms = 1000, .increment_ms = 10, .moves = 40},
                       .margin_ms = 0,
                       .charges_cpu = true};
  spec.adjudication = {.plies_max = 30, .win_share = 0.9, .win_plies = 4};
  spec.draw_rules.draws = Draws::kClaimed;
  spec.anchor = "random";
  spec.slots = 3;
  spec.db = "a.db";
  spec.tpgn = "a.tpgn";
  return spec;
}

TournamentSpec Selfplay() {
  TournamentSpec spec = Small();
  spec.bots[1].weight = 2.5;
  SelfplaySpec selfplay;
  selfplay.temperature = {{0, 1.0}, {30, 0.25}};
  selfplay.noise_alpha = 0.3;
  selfplay.noise_share = 0.25;
  selfplay.full_share = 0.25;
  selfplay.fast_nodes = 100;
  selfplay.resign_below = 0.03;
  selfplay.resign_turns = 5;
  selfplay.played_out_share = 0.2;
  selfplay.sample_rate = 0.5;
  selfplay.drops_duplicates = false;
  selfplay.shard_samples = 1000;
  selfplay.is_deflated = false;
  spec.selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  spec.data = "data";
  spec.run = "0123456789abcdef";
  return spec;
}

TEST(SpecJsonTest, RoundTripsSelfplay) {
  const TournamentSpec spec = Selfplay();
  const absl::StatusOr<TournamentSpec> read = SpecFromJson(SpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_NE(read->selfplay, nullptr);
  EXPECT_EQ(*read->selfplay, *spec.selfplay);
  EXPECT_EQ(read->bots, spec.bots);
  EXPECT_EQ(read->data, "data");
  EXPECT_EQ(read->run, "0123456789abcdef");
}

TEST(SpecJsonTest, SelfplayIdentityOmitsStorage) {
  const TournamentSpec spec = Selfplay();
  TournamentSpec other = spec;
  SelfplaySpec selfplay = *spec.selfplay;
  selfplay.shard_samples = 7;
  selfplay.is_deflated = true;
  other.selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  other.data = "s3://bucket/data";
  other.run = "fedcba9876543210";
  EXPECT_EQ(SpecIdentity(other), SpecIdentity(spec));
  selfplay.resign_turns = 6;
  other.selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  EXPECT_EQ(SpecDifference(spec, other), "its selfplay.resign.turns is 5, not 6");
}

TEST(SpecJsonTest, RefusesFaultySelfplay) {
  const auto error = [](const char* json) {
    return std::string(SpecFromJson(json).status().message());
  };
  EXPECT_THAT(error(R"({"bots": [{"weight": 0}]})"),
              HasSubstr("bots.weight is 0; expected a number above 0"));
  EXPECT_THAT(error(R"({"selfplay": {"temperature": [[1]]}})"),
              HasSubstr("selfplay.temperature is [1]; expected a pair [plies, temperature]"));
  EXPECT_THAT(error(R"({"selfplay": {"temperature": [[1, 2], [1, 3]]}})"),
              HasSubstr("expected ascending plies"));
  EXPECT_THAT(error(R"({"selfplay": {"compression": 1}})"),
              HasSubstr("selfplay.compression is 1; expected one of stored, deflate"));
}

TEST(SpecJsonTest, RoundTrips) {
  for (const TournamentSpec& spec : {TournamentSpec(), Small(), Full()}) {
    const std::string json = SpecToJson(spec);
    const absl::StatusOr<TournamentSpec> read = SpecFromJson(json);
    ASSERT_TRUE(read.ok()) << read.status() << " " << json;
    EXPECT_EQ(SpecToJson(*read), json);
    EXPECT_EQ(read->bots, spec.bots);
    EXPECT_EQ(read->seed, spec.seed);
    EXPECT_EQ(read->openings, spec.openings);
    EXPECT_EQ(read->time_control, spec.time_control);
    EXPECT_EQ(read->adjudication, spec.adjudication);
    EXPECT_EQ(read->draw_rules, spec.draw_rules);
    EXPECT_EQ(read->format, spec.format);
    EXPECT_EQ(read->slots, spec.slots);
    EXPECT_EQ(read->tpgn, spec.tpgn);
  }
}

TEST(SpecJsonTest, IdentityOmitsWhatMayChange) {
  TournamentSpec spec = Small();
  spec.games = 1'000'000;
  spec.slots = 64;
  spec.db = "other.db";
  spec.tpgn = "other.tpgn";
  EXPECT_EQ(SpecIdentity(spec), SpecIdentity(Small()));
  EXPECT_EQ(SpecDifference(spec, Small()), "");
}

TEST(SpecJsonTest, NamesDifferences) {
  TournamentSpec other = Small();
  other.seed = 8;
  EXPECT_EQ(SpecDifference(Small(), other), "its seed is 7, not 8");
  other.time_control.nodes = 100;
  other.openings.random_plies = 4;
  EXPECT_EQ(SpecDifference(Small(), other),
            "its openings.random_plies is 0, not 4; its seed is 7, not 8; "
            "its time_control.nodes is unset, not 100");
}

TEST(SpecJsonTest, InsufficientMaterialIsWrittenOnlyForGamesThatHaveIt) {
  EXPECT_EQ(SpecToJson(Small()).find("insufficient_material"), std::string::npos);
  TournamentSpec spec = Small();
  spec.game = "three-way";
  TournamentSpec other = spec;
  other.draw_rules.insufficient_material = true;
  EXPECT_THAT(SpecToJson(other), HasSubstr(R"("insufficient_material":"on")"));
  EXPECT_EQ(SpecDifference(spec, other), "its insufficient_material is off, not on");
  EXPECT_TRUE(SpecFromJson(SpecToJson(other))->draw_rules.insufficient_material);
}

TEST(SpecJsonTest, NamesTheBotThatDiffers) {
  TournamentSpec other = Small();
  other.bots[1].options["depth"] = "2";
  EXPECT_EQ(SpecDifference(Small(), other), "its bot p3 is paranoid:depth=3, not paranoid:depth=2");
  other.bots.pop_back();
  EXPECT_EQ(SpecDifference(Small(), other), "its bots are random p3 quick, not random p3");
}

TEST(SpecJsonTest, OpeningLinesDiffer) {
  TournamentSpec other = Small();
  other.openings.lines = {{.position = "x", .moves = {}}};
  EXPECT_EQ(SpecDifference(Small(), other), "its openings.lines differs");
}

TournamentSpec Tuning() {
  TournamentSpec spec = Small();
  spec.bots.pop_back();
  TuneSpec tune;
  tune.options = {
      {.name = "depth", .start = 3, .min = 1, .max = 5, .step = 1, .is_integer = true},
      {.name = "risk", .start = 0.25, .min = 0, .max = 1, .step = 0.05, .is_integer = false}};
  spec.tune = std::make_shared<const TuneSpec>(tune);
  return spec;
}

TEST(SpecJsonTest, RoundTripsTunedOptions) {
  const TournamentSpec spec = Tuning();
  const absl::StatusOr<TournamentSpec> read = SpecFromJson(SpecToJson(spec));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_NE(read->tune, nullptr);
  EXPECT_EQ(*read->tune, *spec.tune);
  TournamentSpec other = spec;
  TuneSpec tune = *spec.tune;
  tune.options[1].step = 0.1;
  other.tune = std::make_shared<const TuneSpec>(tune);
  EXPECT_EQ(SpecDifference(spec, other), "its tune.options differs");
}

TEST(SpecJsonTest, RefusesFaultyTunedOptions) {
  const auto error = [](const std::string& option) {
    const std::string json = R"({"mode":"tune","tune":{"options":[)" + option + "]}}";
    return std::string(SpecFromJson(json).status().message());
  };
  const std::string good =
      R"({"name":"risk","start":0.5,"min":0,"max":1,"step":0.1,"is_integer":false})";
  EXPECT_EQ(error(good), "");
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& bad :
       {std::string("1"), with(R"("name":"risk")", R"("name":1)"), with("0.5", "2"),
        with(R"("step":0.1)", R"("step":0)"), with("false", "0"), with("step", "steps")}) {
    EXPECT_THAT(error(bad), HasSubstr("tune.options is ")) << bad;
  }
}

TournamentSpec ThreeBots() {
  TournamentSpec spec;
  spec.game = "triumvirate";
  spec.bots.resize(3);
  return spec;
}

TEST(SpecJsonTest, RoundTripsPlannedMatches) {
  const std::vector<PlannedMatch> matches = {
      {.number = 7, .first_game = 42, .bots = {2, 0, 1}},
      {.number = 8,
       .first_game = 48,
       .bots = {0, 1, 1},
       .options = {{{"risk", "0.3"}}, {{"risk", "0.2"}}, {{"risk", "0.2"}}}},
      {.number = 9, .first_game = 51, .bots = {1, 2, 0}}};
  const absl::StatusOr<std::vector<PlannedMatch>> read =
      MatchesFromJson(MatchesToJson(matches), ThreeBots());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, matches);
  EXPECT_EQ(*MatchesFromJson("[]", ThreeBots()), std::vector<PlannedMatch>());
}

TEST(SpecJsonTest, RefusesFaultyMatches) {
  const auto error = [](const char* json) {
    return std::string(MatchesFromJson(json, ThreeBots()).status().message());
  };
  EXPECT_EQ(error("{"), "matches: they are not a JSON list");
  EXPECT_EQ(error("{}"), "matches: they are not a JSON list");
  for (const char* match :
       {R"([1])", R"([{"number":0,"first_game":0}])",
        R"([{"number":0,"first_game":0,"bots":[0,1]}])",
        R"([{"number":0,"first_game":9223372036854775807,"bots":[0,1,2]}])",
        R"([{"number":0,"first_game":0,"bots":[0,1,3]}])",
        R"([{"number":0,"first_game":0,"bots":[0,-1,2]}])",
        R"([{"number":0,"first_game":0,"bots":[0]}])",
        R"([{"number":-1,"first_game":0,"bots":[0,1,2]}])",
        R"([{"number":0,"first_game":-6,"bots":[0,1,2]}])",
        R"([{"number":0,"first_game":0,"bots":[0,1,2],"options":[{}]}])",
        R"([{"number":0,"first_game":0,"bots":[0,1],"options":[{"risk":1},{}]}])"}) {
    EXPECT_THAT(error(match), HasSubstr("expected number, first_game and the bots at a table"))
        << match;
  }
}

TEST(SpecJsonTest, RefusesUnknownKeysAndValues) {
  EXPECT_THAT(SpecFromJson("{").status().message(), HasSubstr("it is not JSON"));
  EXPECT_THAT(SpecFromJson("[]").status().message(), HasSubstr("spec: it is not an object"));
  EXPECT_THAT(SpecFromJson(R"({"sed":1})").status().message(),
              HasSubstr("\"sed\" is not a key of this version"));
  EXPECT_THAT(SpecFromJson(R"({"seed":"1"})").status().message(),
              HasSubstr("seed is \"1\"; expected a whole number"));
  EXPECT_THAT(SpecFromJson(R"({"time_control":{"nodes":0.5}})").status().message(),
              HasSubstr("time_control.nodes is 0.5; expected a whole number"));
  EXPECT_THAT(SpecFromJson(R"({"openings":{"lines":[{"moves":[1]}]}})").status().message(),
              HasSubstr("openings.lines.moves is 1; expected text"));
  EXPECT_THAT(SpecFromJson(R"({"format":"ladder"})").status().message(),
              HasSubstr("format is \"ladder\"; expected one of round_robin, gauntlet"));
  EXPECT_THAT(SpecFromJson(R"({"insufficient_material":"yes"})").status().message(),
              HasSubstr("insufficient_material is \"yes\"; expected one of off, on"));
  EXPECT_THAT(SpecFromJson(R"({"insufficient_material":true})").status().message(),
              HasSubstr("insufficient_material is true; expected one of off, on"));
}

}  // namespace
}  // namespace triarch
