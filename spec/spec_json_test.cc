#include "spec/spec_json.h"

#include <limits>

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
                       .clock_ms = 1000,
                       .increment_ms = 10,
                       .margin_ms = 0,
                       .charges_cpu = true};
  spec.adjudication = {.plies_max = 30, .win_share = 0.9, .win_plies = 4};
  spec.draws = Draws::kClaimed;
  spec.insufficient_material = true;
  spec.anchor = "random";
  spec.slots = 3;
  spec.db = "a.db";
  spec.tpgn = "a.tpgn";
  return spec;
}

TournamentSpec Selfplay() {
  TournamentSpec spec = Small();
  SelfplaySpec selfplay;
  selfplay.weights = {1, 2.5, 0.1};
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
  EXPECT_EQ(read->data, "data");
  EXPECT_EQ(read->run, "0123456789abcdef");
}

TEST(SpecJsonTest, IdentityOfSelfplayLeavesOutHowItIsStored) {
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
  EXPECT_EQ(SpecDifference(spec, other), "selfplay.resign_turns is 5 there, 6 here");
}

TEST(SpecJsonTest, RefusesSelfplayThatIsNone) {
  const auto error = [](const char* json) {
    return std::string(SpecFromJson(json).status().message());
  };
  EXPECT_THAT(error(R"({"selfplay": {"weights": ["1"]}})"),
              HasSubstr("selfplay.weights is not a list of numbers"));
  EXPECT_THAT(error(R"({"selfplay": {"temperature": [[1]]}})"),
              HasSubstr("selfplay.temperature is not a list of pairs"));
  EXPECT_THAT(error(R"({"selfplay": {"is_deflated": 1}})"),
              HasSubstr("selfplay.is_deflated is not true or false"));
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
    EXPECT_EQ(read->draws, spec.draws);
    EXPECT_EQ(read->insufficient_material, spec.insufficient_material);
    EXPECT_EQ(read->format, spec.format);
    EXPECT_EQ(read->slots, spec.slots);
    EXPECT_EQ(read->tpgn, spec.tpgn);
  }
}

TEST(SpecJsonTest, IdentityLeavesOutWhatMayChange) {
  TournamentSpec spec = Small();
  spec.games = 1'000'000;
  spec.slots = 64;
  spec.db = "other.db";
  spec.tpgn = "other.tpgn";
  EXPECT_EQ(SpecIdentity(spec), SpecIdentity(Small()));
  EXPECT_EQ(SpecDifference(spec, Small()), "");
}

TEST(SpecJsonTest, SaysWhatDiffers) {
  TournamentSpec other = Small();
  other.seed = 8;
  EXPECT_EQ(SpecDifference(Small(), other), "seed is 7 there, 8 here");
  other.time_control.nodes = 100;
  other.openings.random_plies = 4;
  EXPECT_EQ(SpecDifference(Small(), other),
            "openings.random_plies is absent there, 4 here; seed is 7 there, 8 here; "
            "time_control.nodes is absent there, 100 here");
}

// A spec that was stored before there was the option is the same tournament as one that leaves it
// off.
TEST(SpecJsonTest, InsufficientMaterialIsWrittenOnlyWhereItIsOn) {
  EXPECT_EQ(SpecToJson(Small()).find("insufficient_material"), std::string::npos);
  TournamentSpec other = Small();
  other.insufficient_material = true;
  EXPECT_THAT(SpecToJson(other), HasSubstr(R"("insufficient_material":"on")"));
  EXPECT_EQ(SpecDifference(Small(), other), "insufficient_material is absent there, on here");
  EXPECT_FALSE(SpecFromJson(R"({"insufficient_material":"off"})")->insufficient_material);
}

TEST(SpecJsonTest, SaysWhichBotDiffers) {
  TournamentSpec other = Small();
  other.bots[1].options["depth"] = "2";
  EXPECT_EQ(SpecDifference(Small(), other),
            "bot p3 is paranoid:depth=3 there, paranoid:depth=2 here");
  other.bots.pop_back();
  EXPECT_EQ(SpecDifference(Small(), other), "the bots are random p3 quick there, random p3 here");
}

TEST(SpecJsonTest, OpeningLinesDiffer) {
  TournamentSpec other = Small();
  other.openings.lines = {{.position = "x", .moves = {}}};
  EXPECT_EQ(SpecDifference(Small(), other), "openings.lines differ");
}

TEST(SpecJsonTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(SpecFromJson("{").status().message(), HasSubstr("not JSON"));
  EXPECT_THAT(SpecFromJson("[]").status().message(), HasSubstr("the spec is not an object"));
  EXPECT_THAT(SpecFromJson(R"({"sed":1})").status().message(), HasSubstr("sed is not a key"));
  EXPECT_THAT(SpecFromJson(R"({"seed":"1"})").status().message(),
              HasSubstr("seed is not a whole number"));
  EXPECT_THAT(SpecFromJson(R"({"time_control":{"nodes":0.5}})").status().message(),
              HasSubstr("time_control.nodes is not a whole number"));
  EXPECT_THAT(SpecFromJson(R"({"openings":{"lines":[{"moves":[1]}]}})").status().message(),
              HasSubstr("openings.lines.moves is not a list of texts"));
  EXPECT_THAT(SpecFromJson(R"({"format":"swiss"})").status().message(),
              HasSubstr("format is not a known word"));
  EXPECT_THAT(SpecFromJson(R"({"insufficient_material":"yes"})").status().message(),
              HasSubstr("insufficient_material is not a known word"));
  EXPECT_THAT(SpecFromJson(R"({"insufficient_material":true})").status().message(),
              HasSubstr("insufficient_material is not text"));
}

}  // namespace
}  // namespace triarch
