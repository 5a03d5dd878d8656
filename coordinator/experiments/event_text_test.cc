#include "coordinator/experiments/event_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/simulated_plan.h"
#include "coordinator/ratings/display_width.h"
#include "core/any_state.h"
#include "core/base/text.h"
#include "core/schedule/format_games.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

// A tournament with its games and the reports about it.
struct Reported {
  TournamentSpec spec;
  Plan plan;
  Standings standings;

  std::string Text() const { return RenderEvent(spec, plan, standings); }
  Json ToJson() const { return EventJson(spec, plan, standings); }
};

// Plays up to that many games with simulated results.
Reported PlayAndReport(const TournamentSpec& spec, int64_t games, double step = 0.4) {
  const GameInfo& game = **FindGame(spec.game);
  const SimulatedResults results(spec.bots.size(), game.seats, step, 5);
  Plan plan(spec);
  Play(results, plan, 1, 1, games);
  std::vector<GameSummary> played;
  for (int64_t index = 0; index < std::min(games, plan.games()); ++index) {
    played.push_back(results.GameOf(*FindMatch(plan.matches(), index), index));
  }
  return {
      .spec = spec, .plan = std::move(plan), .standings = *ComputeStandings(spec, played, game)};
}

Reported ReportOf(Format format, size_t bots, int64_t games = INT64_MAX, size_t seats = 3) {
  TournamentSpec spec = PlannedSpecOf(format, bots, seats);
  spec.format_options.swiss_rounds = 3;
  spec.format_options.league_division = 4;
  spec.games = GamesOfFormat(spec);
  return PlayAndReport(spec, games);
}

void ExpectLinesFit(const std::string& text) {
  ASSERT_TRUE(text.empty() || text.ends_with('\n'));
  for (const std::string_view line : Split(text, '\n')) EXPECT_LE(DisplayWidth(line), 100u) << line;
}

TEST(EventTextTest, RendersASwissEvent) {
  const Reported event = ReportOf(Format::kSwiss, 8);
  ExpectLinesFit(event.Text());
  EXPECT_EQ(event.Text(),
            "Swiss event, 3 of 3 rounds\n"
            "#  bot  points  opponents  byes   Elo  ±95%\n"
            "1  a      15.5       2.51        +340  ±250\n"
            "2  b        11       2.23     1  +100  ±600\n"
            "3  c       9.5       3.60        +110  ±320\n"
            "4  f       9.5       2.90     1   +10  ±180\n"
            "5  e       7.5       3.52     1   -10  ±260\n"
            "6  d       6.5       3.23     1  -130  ±370\n"
            "7  g       6.5       2.98     1  -160  ±230\n"
            "8  h         6       2.98     1  -220  ±180\n");
  const Json json = event.ToJson();
  EXPECT_EQ(json["format"], "swiss");
  EXPECT_EQ(json["rounds"].dump(), R"({"finished":3,"asked":3})");
  EXPECT_EQ(json["bots"].size(), 8u);
  EXPECT_EQ(json["bots"][1]["name"], "b");
  EXPECT_EQ(json["bots"][1]["rank"], 2);
  EXPECT_EQ(json["bots"][1]["points"], 11);
  EXPECT_EQ(json["bots"][1]["byes"], 1);
}

TEST(EventTextTest, RendersAnEventWithoutResults) {
  for (const Format format : {Format::kSwiss, Format::kKnockout, Format::kLeague}) {
    const Reported event = ReportOf(format, 8, 0);
    ExpectLinesFit(event.Text());
    EXPECT_FALSE(event.ToJson().dump().empty());
  }
  EXPECT_THAT(ReportOf(Format::kSwiss, 8, 0).Text(), StartsWith("Swiss event, 0 of 3 rounds\n"));
  EXPECT_THAT(ReportOf(Format::kKnockout, 8, 0).Text(),
              HasSubstr("  table 1   c · f · g · undecided\n"));
}

TEST(EventTextTest, RendersAKnockout) {
  const Reported event = ReportOf(Format::kKnockout, 8);
  ExpectLinesFit(event.Text());
  EXPECT_EQ(event.Text(),
            "Knock-out (points; ✓ advances)\n"
            "round 1\n"
            "  table 1   c 4.5 ✓ · f 2.5 · g 2\n"
            "  table 2   e 4 ✓ · d 2.5 · h 2.5\n"
            "  bye       a · b\n"
            "round 2\n"
            "  table 1   b 5 ✓ · c 2.5 ✓ · e 1.5\n"
            "  bye       a\n"
            "final\n"
            "  table 1   a 4.5 ✓ · b 2.5 · c 2\n"
            "ranking     1. a · 2. b · 3. c · 4. e · 5. d · 6. f · 7. h · 8. g\n");
  const Json json = event.ToJson();
  EXPECT_EQ(json["ranking"].dump(), R"(["a","b","c","e","d","f","h","g"])");
  ASSERT_EQ(json["rounds"].size(), 3u);
  EXPECT_EQ(json["rounds"][0]["byes"].dump(), R"(["a","b"])");
  EXPECT_EQ(json["rounds"][0]["tables"][1].dump(),
            R"({"bots":[{"name":"e","points":4.0,"advances":true},)"
            R"({"name":"d","points":2.5,"advances":false},)"
            R"({"name":"h","points":2.5,"advances":false}],"matches":1})");
}

TEST(EventTextTest, ShowsTheTableThatIsUndecided) {
  const Reported event = ReportOf(Format::kKnockout, 8, 6);
  EXPECT_THAT(event.Text(), HasSubstr("  table 1   c 4.5 ✓ · f 2.5 · g 2\n"
                                      "  table 2   d · e · h · undecided\n"));
  EXPECT_EQ(event.Text().find("ranking"), std::string::npos);
  const Json json = event.ToJson();
  EXPECT_EQ(json["ranking"].dump(), "[]");
  EXPECT_TRUE(json["rounds"][0]["tables"][1]["bots"][0]["advances"].is_null());
}

TEST(EventTextTest, RendersALeague) {
  const Reported event = ReportOf(Format::kLeague, 8);
  ExpectLinesFit(event.Text());
  EXPECT_EQ(event.Text(),
            "League, 8 of 8 matches\n"
            "division 1\n"
            "#  bot  points  opponents  next\n"
            "1  a      10.5       2.83\n"
            "2  b         9       3.00\n"
            "3  d       8.5       3.06\n"
            "4  c         8       3.11  down\n"
            "division 2\n"
            "#  bot  points  opponents  mutual  next\n"
            "1  e      10.5       2.83      +0    up\n"
            "2  g       8.5       3.06    +1.5\n"
            "3  f       8.5       3.06    +0.5\n"
            "4  h       8.5       3.06      -2\n"
            "next season: triarch standings --next-season FILE reorders the tournament file\n");
  const Json json = event.ToJson();
  EXPECT_EQ(json["matches"].dump(), R"({"finished":8,"asked":8})");
  EXPECT_EQ(json["divisions"][1][0]["name"], "e");
  EXPECT_EQ(json["divisions"][1][0]["next_division"], 1);
  EXPECT_EQ(json["next_season"].dump(), R"(["a","b","d","e","c","g","f","h"])");
  EXPECT_TRUE(ReportOf(Format::kLeague, 8, 30).ToJson()["next_season"].is_null());
}

Reported Adaptive(AdaptiveGoal goal, double error, int64_t games) {
  TournamentSpec spec = PlannedSpecOf(Format::kAdaptive, 6, 3);
  spec.format_options.adaptive_goal = goal;
  spec.format_options.adaptive_error = error;
  spec.games = games;
  return PlayAndReport(spec, INT64_MAX);
}

TEST(EventTextTest, SaysWhetherTheBestBotIsKnown) {
  const Reported known = Adaptive(AdaptiveGoal::kBest, 0, 10'000);
  EXPECT_THAT(known.Text(), StartsWith("The goal is reached: a is the best bot (99."));
  EXPECT_EQ(known.ToJson()["reached"], true);
  EXPECT_EQ(known.ToJson()["leader"], "a");
  const Reported unknown = Adaptive(AdaptiveGoal::kBest, 0, 24);
  EXPECT_THAT(unknown.Text(), StartsWith("The goal is not reached: "));
  EXPECT_THAT(unknown.Text(), HasSubstr("; the goal is 99.5%.\n"));
  EXPECT_EQ(unknown.ToJson()["reached"], false);
}

TEST(EventTextTest, SaysWhetherTheErrorsAreSmall) {
  const Reported small = Adaptive(AdaptiveGoal::kRatings, 80, 10'000);
  EXPECT_EQ(small.Text(), "The goal is reached: half of the ratings are within ±80 Elo.\n");
  const Reported large = Adaptive(AdaptiveGoal::kRatings, 10, 60);
  EXPECT_THAT(large.Text(), HasSubstr("The goal is not reached: half of the ratings are within ±"));
  EXPECT_THAT(large.Text(), HasSubstr(" Elo; the goal is ±10.\n"));
  EXPECT_EQ(large.ToJson()["error"], 10);
  const Reported without = Adaptive(AdaptiveGoal::kRatings, 0, 60);
  EXPECT_EQ(without.Text(), "");
  EXPECT_TRUE(without.ToJson()["error"].is_null());
}

}  // namespace
}  // namespace triarch::experiments
