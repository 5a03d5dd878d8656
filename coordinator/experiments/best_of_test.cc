// Tests the search for the best variant on simulated games.

#include "coordinator/experiments/best_of.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "coordinator/experiments/best_of_text.h"
#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/sequential_test.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/schedule/schedule.h"
#include "core/schedule/test_pairing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The base is named b, the variants are v1, v2, …
TournamentSpec BestOfSpecOf(size_t variants, std::array<double, 2> elo,
                            const std::string& game = "triumvirate") {
  BestOfSpec best_of;
  best_of.elo = elo;
  TournamentSpec spec;
  spec.game = game;
  spec.best_of = std::make_shared<const BestOfSpec>(best_of);
  spec.bots = {{.name = "b", .bot = "smart"}};
  for (size_t i = 1; i <= variants; ++i) {
    spec.bots.push_back({.name = "v" + std::to_string(i), .bot = "smart"});
  }
  spec.games = 100'000;
  spec.seed = 7;
  spec.openings.random_plies = 4;
  CHECK(Schedule::Make(spec).ok());
  return spec;
}

size_t SeatsOfBestOf(const TournamentSpec& spec) { return (*FindGame(spec.game))->seats; }

// Plays games of bots whose strength in Elo is given. A game depends only on its match and index.
class VariantWorld {
 public:
  VariantWorld(const TournamentSpec& spec, const std::vector<double>& elo) {
    for (const double strength : elo) {
      world_.strength.push_back(strength / ratings::kEloPerNatural);
    }
    world_.seat = {0.1, 0, -0.1};
    world_.seat.resize(SeatsOfBestOf(spec));
    if (world_.seat.size() == 2) world_.tie[2] = 0;  // draws
  }

  GameSummary Play(const PlannedMatch& match, int64_t index) const {
    Random random(DeriveSeed(3, static_cast<uint64_t>(index)));
    GameSummary game;
    game.index = index;
    const PerSeat<int> places = SeatPlaces(match, index);
    std::vector<double> at_seat;
    for (size_t i = 0; i < world_.seat.size(); ++i) {
      game.bots[SeatAt(i)] = match.bots[static_cast<size_t>(places[SeatAt(i)])];
      at_seat.push_back(world_.strength[static_cast<size_t>(game.bots[SeatAt(i)])] +
                        world_.seat[i]);
    }
    game.outcome.place = ratings::SimulatePlaces(
        world_, at_seat, std::vector<double>(world_.seat.size(), 0), random);
    return game;
  }
  std::vector<GameSummary> Play(const PlannedMatch& match) const {
    std::vector<GameSummary> games;
    for (int64_t index = match.first_game; index < EndOf(match); ++index) {
      games.push_back(Play(match, index));
    }
    return games;
  }

 private:
  ratings::SimulatedWorld world_;
};

const BestOf& BestOfIn(const Plan& plan) { return dynamic_cast<const BestOf&>(plan.planner()); }

// Plays until the end, with the results in the order of the games.
void PlayBestOf(const VariantWorld& world, Plan* plan) {
  while (!plan->is_over()) {
    const std::vector<PlannedMatch> next = plan->Next();
    plan->Add(next);
    for (const PlannedMatch& match : next) {
      for (const GameSummary& game : world.Play(match)) plan->Add(game);
    }
  }
}

// The same with many games at once, which finish in random order.
void PlayBestOfInDisorder(const VariantWorld& world, uint64_t seed, Plan* plan) {
  Random random(seed);
  std::vector<GameSummary> waiting;
  while (!plan->is_over()) {
    const std::vector<PlannedMatch> next = plan->Next();
    plan->Add(next);
    for (const PlannedMatch& match : next) {
      for (const GameSummary& game : world.Play(match)) waiting.push_back(game);
    }
    ASSERT_FALSE(waiting.empty());
    const size_t one = random.Below(static_cast<uint32_t>(waiting.size()));
    plan->Add(waiting[one]);
    waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(one));
  }
}

std::vector<VariantState> VariantStates(const BestOf& best_of) {
  std::vector<VariantState> states;
  for (const VariantResult& variant : best_of.Variants()) states.push_back(variant.state);
  return states;
}

// Returns the number of the first match in which the plans differ, or that is not in both.
size_t FirstDifference(const Plan& a, const Plan& b) {
  const size_t common = std::min(a.matches().size(), b.matches().size());
  for (size_t i = 0; i < common; ++i) {
    if (a.matches()[i] != b.matches()[i]) return i;
  }
  return common;
}

// Returns the tables of the first picks.
std::vector<Table> FirstTables(const TournamentSpec& spec) {
  std::vector<Table> tables;
  for (const PlannedMatch& match : BestOf(spec, SeatsOfBestOf(spec)).Next())
    tables.push_back(match.bots);
  return tables;
}

TEST(BestOfTest, EveryVariantGetsTenUnits) {
  for (const int variants : {2, 3, 4, 7}) {
    const TournamentSpec spec = BestOfSpecOf(static_cast<size_t>(variants), {0, 30});
    Plan plan(spec);
    const VariantWorld world(spec, std::vector<double>(spec.bots.size(), 0));
    std::vector<int> units(spec.bots.size(), 0);
    for (int64_t match = 0; match < 5 * variants; ++match) {
      if (match == std::ssize(plan.matches())) plan.Add(std::vector(plan.Next()));
      const PlannedMatch& planned = plan.matches()[static_cast<size_t>(match)];
      EXPECT_EQ(std::set<int>(planned.bots.begin(), planned.bots.end()).size(), 3u);
      for (const int bot : planned.bots) ++units[static_cast<size_t>(bot)];
      for (const GameSummary& game : world.Play(planned)) plan.Add(game);
    }
    EXPECT_EQ(units[0], 5 * variants);
    for (int bot = 1; bot <= variants; ++bot) EXPECT_EQ(units[static_cast<size_t>(bot)], 10);
  }
}

TEST(BestOfTest, TablesOfTheFirstPicks) {
  EXPECT_THAT(std::vector(FirstTables(BestOfSpecOf(3, {0, 10}))[0]), ElementsAre(1, 2, 0));
  EXPECT_THAT(std::vector(FirstTables(BestOfSpecOf(3, {0, 10}))[1]), ElementsAre(3, 1, 0));
  const std::vector<Table> alone = FirstTables(BestOfSpecOf(1, {0, 10}));
  EXPECT_EQ(alone.size(), 40u);  // five picks of four units
  EXPECT_THAT(alone[0], ElementsAre(1, 0, 0));
  EXPECT_THAT(alone[1], ElementsAre(0, 1, 1));
  EXPECT_THAT(FirstTables(BestOfSpecOf(3, {0, 10}, "tri-d"))[1], ElementsAre(2, 0));
}

TEST(BestOfTest, FindsTheBestVariant) {
  const TournamentSpec spec = BestOfSpecOf(4, {0, 30});
  Plan plan(spec);
  PlayBestOf(VariantWorld(spec, {0, -40, 0, 60, 0}), &plan);
  const BestOf& best_of = BestOfIn(plan);
  EXPECT_EQ(best_of.verdict(), Verdict::kBetter);
  EXPECT_EQ(best_of.best(), 3);
  const VariantResult best = best_of.Variants()[2];
  EXPECT_EQ(best.state, VariantState::kPassed);
  EXPECT_GE(best.llr, best_of.bounds().upper);
  EXPECT_NEAR(best.elo->value, 60, 2.6 * best.elo->margin());
  EXPECT_LT(best_of.Variants()[0].games, best.games);  // the weakest plays little
  EXPECT_NEAR(best_of.bounds().upper, std::log(0.95 * 4 / 0.05), 1e-12);
  EXPECT_NEAR(best_of.bounds().lower, std::log(0.05), 1e-12);
}

// A variant that dropped out plays only in the five picks that were planned before. Their games no
// longer count for it.
TEST(BestOfTest, WeakVariantsDropOut) {
  const TournamentSpec spec = BestOfSpecOf(6, {0, 40});
  const VariantWorld world(spec, {0, -30, -30, -30, -30, -30, -30});
  Plan plan(spec);
  std::array<int64_t, 6> counted = {};  // matches until the variant dropped out
  while (!plan.is_over()) {
    const std::vector<PlannedMatch> next = plan.Next();
    plan.Add(next);
    for (const PlannedMatch& match : next) {
      const std::vector<VariantState> states = VariantStates(BestOfIn(plan));
      for (size_t i = 0; i < states.size(); ++i) {
        if (states[i] == VariantState::kLeft) counted[i] = match.number + 1;
      }
      for (const GameSummary& game : world.Play(match)) plan.Add(game);
    }
  }
  const BestOf& best_of = BestOfIn(plan);
  EXPECT_EQ(best_of.verdict(), Verdict::kNotShown);
  EXPECT_EQ(best_of.left(), 0);
  EXPECT_LT(*std::min_element(counted.begin(), counted.end()) + 20, std::ssize(plan.matches()));
  for (const VariantResult& variant : best_of.Variants()) {
    EXPECT_EQ(variant.state, VariantState::kDroppedOut);
    EXPECT_LE(variant.llr, best_of.bounds().lower);
    const int64_t end = counted[static_cast<size_t>(variant.bot) - 1];
    int64_t games = 0;
    for (const PlannedMatch& match : plan.matches()) {
      if (!testing::Value(match.bots, testing::Contains(variant.bot))) continue;
      EXPECT_LT(match.number, end + 40);  // at most eight matches each
      if (match.number < end) games += GamesOf(match);
    }
    EXPECT_EQ(variant.games, games);
  }
}

// Two weak variants drop out, and the last one plays the mirror.
TEST(BestOfTest, TheLastVariantPlaysTheMirror) {
  const TournamentSpec spec = BestOfSpecOf(3, {0, 20});
  Plan plan(spec);
  PlayBestOf(VariantWorld(spec, {0, -300, 25, -300}), &plan);
  const BestOf& best_of = BestOfIn(plan);
  EXPECT_EQ(best_of.best(), 2);
  const std::vector<PlannedMatch>& matches = plan.matches();
  size_t mirrors = 0;
  for (size_t i = 0; i + 1 < matches.size(); ++i) {
    if (matches[i].bots != Table{2, 0, 0}) continue;
    EXPECT_THAT(matches[i + 1].bots, ElementsAre(0, 2, 2));
    ++mirrors;
  }
  EXPECT_GT(mirrors, 20u);
  // Units of both kinds: six games each.
  const VariantResult best = best_of.Variants()[1];
  EXPECT_EQ(best.games, 6 * best.units);
  EXPECT_NEAR(best.elo->value, 25, 2.6 * best.elo->margin());
}

// With one variant, the same games give the same ratio as in a sequential test.
TEST(BestOfTest, OneVariantIsAMirrorTest) {
  for (const char* const game : {"triumvirate", "tri-d"}) {
    const TournamentSpec spec = BestOfSpecOf(1, {0, 20}, game);
    TournamentSpec test_spec = spec;
    test_spec.best_of = nullptr;
    TestSpec asked;
    asked.elo = {0, 20};
    test_spec.test = std::make_shared<const TestSpec>(asked);
    SequentialTest test(test_spec, SeatsOfBestOf(spec));
    Plan plan(spec);
    const VariantWorld world(spec, {0, 40});
    PlayBestOf(world, &plan);
    const BestOf& best_of = BestOfIn(plan);
    const VariantResult variant = best_of.Variants()[0];
    EXPECT_EQ(best_of.verdict(), Verdict::kBetter);
    EXPECT_EQ(best_of.games(), GamesPerTestUnit(SeatsOfBestOf(spec)) * variant.units);
    for (const PlannedMatch& match : plan.matches()) {
      for (const GameSummary& played : world.Play(match)) {
        if (played.index < best_of.games()) test.Add(played);
      }
    }
    EXPECT_EQ(test.State().games, best_of.games());
    EXPECT_NEAR(test.State().llr, variant.llr, 1e-6);
  }
}

TEST(BestOfTest, TwoSeats) {
  const TournamentSpec spec = BestOfSpecOf(3, {0, 40}, "tri-d");
  Plan plan(spec);
  PlayBestOf(VariantWorld(spec, {0, -20, 60, 0}), &plan);
  const BestOf& best_of = BestOfIn(plan);
  EXPECT_EQ(best_of.verdict(), Verdict::kBetter);
  EXPECT_EQ(best_of.best(), 2);
  for (const VariantResult& variant : best_of.Variants()) {
    EXPECT_EQ(variant.games, 2 * variant.units);
    EXPECT_GE(variant.units, 10);
  }
  EXPECT_NEAR(best_of.Variants()[1].elo->value, 60, 2.6 * best_of.Variants()[1].elo->margin());
}

TEST(BestOfTest, NothingDependsOnTheOrderOfTheGames) {
  for (const char* const game : {"triumvirate", "tri-d"}) {
    const TournamentSpec spec = BestOfSpecOf(3, {0, 20}, game);
    const VariantWorld world(spec, {0, 10, 20, -20});
    Plan in_order(spec);
    PlayBestOf(world, &in_order);
    const auto matches = static_cast<size_t>(in_order.matches().size());
    for (const uint64_t seed : {1u, 2u, 3u}) {
      Plan plan(spec);
      PlayBestOfInDisorder(world, seed, &plan);
      EXPECT_EQ(BestOfJson(spec, BestOfIn(plan)), BestOfJson(spec, BestOfIn(in_order)));
      // One of them may have planned more matches than the verdict needed.
      EXPECT_EQ(FirstDifference(plan, in_order), std::min(matches, plan.matches().size()));
    }
    TournamentSpec other = spec;
    other.seed = 8;
    Plan plan(other);
    PlayBestOf(world, &plan);
    EXPECT_LT(FirstDifference(plan, in_order), 50u);
  }
}

// Results beyond a match that is missing count once it is there.
TEST(BestOfTest, CountsOnlyThePrefix) {
  const TournamentSpec spec = BestOfSpecOf(2, {0, 50});
  const VariantWorld world(spec, {0, 100, 100});
  Plan plan(spec);
  plan.Add(std::vector(plan.Next()));
  const std::vector<PlannedMatch> matches = plan.matches();
  for (size_t i = 1; i < matches.size(); ++i) {
    for (const GameSummary& game : world.Play(matches[i])) plan.Add(game);
  }
  EXPECT_EQ(BestOfIn(plan).games(), 0);
  EXPECT_TRUE(plan.Next().empty());
  for (const GameSummary& game : world.Play(matches[0])) plan.Add(game);
  EXPECT_EQ(BestOfIn(plan).games(), 6 * std::ssize(matches));
  EXPECT_FALSE(plan.Next().empty());
}

// A planner that is told of the stored matches, then of the games, goes on with the same tables.
TEST(BestOfTest, ContinuesFromStoredMatches) {
  const TournamentSpec spec = BestOfSpecOf(4, {0, 50});
  const VariantWorld world(spec, {0, 10, 20, 30, 40});
  Plan whole(spec);
  PlayBestOf(world, &whole);
  for (const size_t stored : {size_t{3}, whole.matches().size() / 2}) {
    const std::vector<PlannedMatch> matches(
        whole.matches().begin(), whole.matches().begin() + static_cast<ptrdiff_t>(stored));
    Plan plan(spec);
    plan.Add(matches);
    for (const PlannedMatch& match : matches) {
      for (const GameSummary& game : world.Play(match)) plan.Add(game);
    }
    PlayBestOf(world, &plan);
    EXPECT_EQ(FirstDifference(plan, whole),
              std::min(plan.matches().size(), whole.matches().size()));
    EXPECT_EQ(BestOfJson(spec, BestOfIn(plan)), BestOfJson(spec, BestOfIn(whole)));
  }
}

TEST(BestOfTest, IsUndecidedWhenTheGamesAreOver) {
  TournamentSpec spec = BestOfSpecOf(3, {0, 1});
  spec.games = 601;  // 100 matches
  const VariantWorld world(spec, {0, 0, 0, 0});
  Plan plan(spec);
  PlayBestOf(world, &plan);
  EXPECT_EQ(plan.games(), 600);
  EXPECT_EQ(BestOfIn(plan).verdict(), Verdict::kUndecided);
  EXPECT_EQ(BestOfIn(plan).games(), 600);
  // More games go on from there.
  spec.games = 1200;
  Plan longer(spec);
  longer.Add(plan.matches());
  for (const PlannedMatch& match : plan.matches()) {
    for (const GameSummary& game : world.Play(match)) longer.Add(game);
  }
  EXPECT_EQ(BestOfIn(longer).verdict(), Verdict::kUnderWay);
  EXPECT_FALSE(longer.is_over());
}

TEST(BestOfTest, PlansFourPicksAheadThenATenth) {
  const TournamentSpec spec = BestOfSpecOf(4, {0, 1});
  const VariantWorld world(spec, {0, 0, 0, 0, 0});
  Plan plan(spec);
  while (plan.matches().size() < 2000) {
    const std::vector<PlannedMatch> next = plan.Next();
    plan.Add(next);
    for (const PlannedMatch& match : next) {
      for (const GameSummary& game : world.Play(match)) plan.Add(game);
      const int64_t ahead = std::ssize(plan.matches()) - match.number - 1;
      if (ahead > 0) continue;
      // All that is planned is finished: five picks of four matches, later one in ten.
      const int64_t picks = (match.number + 1) / 4;
      EXPECT_GE(std::ssize(plan.Next()) / 4, std::max<int64_t>(5, picks / 10));
      EXPECT_LE(std::ssize(plan.Next()) / 4, std::max<int64_t>(5, picks / 8 + 1));
    }
  }
}

TEST(BestOfTest, CountsFaultsAndForfeits) {
  const TournamentSpec spec = BestOfSpecOf(2, {0, 50});
  const VariantWorld world(spec, {0, 0, 0});
  Plan plan(spec);
  plan.Add(std::vector(plan.Next()));
  for (const PlannedMatch& match : plan.matches()) {
    for (GameSummary game : world.Play(match)) {
      const auto seat = std::find(game.bots.begin(), game.bots.end(), 2) - game.bots.begin();
      game.endings[SeatAt(static_cast<size_t>(seat))] = Termination::kTimeForfeit;
      plan.Add(game);
    }
    if (match.number == 4) break;
  }
  EXPECT_EQ(BestOfIn(plan).Variants()[1].faults.time_forfeit, 30);
  EXPECT_EQ(BestOfIn(plan).Variants()[0].faults.total(), 0);
  EXPECT_EQ(BestOfIn(plan).base().faults.total(), 0);
}

// ---- Reports.

TEST(BestOfTextTest, NamesTheBest) {
  const TournamentSpec spec = BestOfSpecOf(3, {0, 40});
  Plan plan(spec);
  EXPECT_EQ(BestOfVerdict(spec, BestOfIn(plan)),
            "under way: is any of the 3 variants stronger than b?");
  EXPECT_EQ(BestOfIn(plan).State().line, "3 of 3 variants left  best: v1 LLR 0.00 of 4.04");
  PlayBestOf(VariantWorld(spec, {0, -100, 60, -100}), &plan);
  const BestOf& best_of = BestOfIn(plan);
  EXPECT_EQ(BestOfVerdict(spec, best_of),
            "better: v2 is stronger than b, and the best variant so far");
  const std::string report = RenderBestOf(spec, best_of);
  EXPECT_THAT(report, AllOf(StartsWith("better: v2 is stronger than b"),
                            HasSubstr("of each in [-3.00, 4.04], 0 against 40 Elo, alpha 0.05"),
                            HasSubstr("passed\n"), HasSubstr("dropped out\n"),
                            HasSubstr("not adjusted for looking")));
  EXPECT_THAT(best_of.State().line, HasSubstr(" left  best: v2 LLR "));
  EXPECT_EQ(best_of.State().figures.size(), 3u);
  EXPECT_EQ(best_of.State().figures[1].first, "v2");
  const auto json = nlohmann::json::parse(BestOfJson(spec, best_of));
  EXPECT_EQ(json["verdict"], "better");
  EXPECT_EQ(json["best"], "v2");
  EXPECT_EQ(json["games"], best_of.games());
  EXPECT_EQ(json["variants"].size(), 3u);
  EXPECT_EQ(json["variants"][1]["state"], "passed");
  EXPECT_EQ(json["variants"][1]["llr"], best_of.Variants()[1].llr);
}

TEST(BestOfTextTest, SaysThatNoneIsShown) {
  const TournamentSpec spec = BestOfSpecOf(2, {0, 40});
  Plan plan(spec);
  PlayBestOf(VariantWorld(spec, {0, -100, -100}), &plan);
  EXPECT_EQ(BestOfVerdict(spec, BestOfIn(plan)),
            "not shown: each of the 2 variants is less than 40 Elo stronger than b, if at all");
  EXPECT_EQ(BestOfIn(plan).State().line, "0 of 2 variants left");
  EXPECT_THAT(RenderBestOf(spec, BestOfIn(plan)), Not(HasSubstr("so far")));
  EXPECT_TRUE(nlohmann::json::parse(BestOfJson(spec, BestOfIn(plan)))["best"].is_null());
}

}  // namespace
}  // namespace triarch::experiments
