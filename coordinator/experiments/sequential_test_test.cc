// Tests the sequential test on simulated games.

#include "coordinator/experiments/sequential_test.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "coordinator/experiments/test_plan.h"
#include "coordinator/experiments/test_text.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/any_state.h"
#include "core/schedule/schedule.h"
#include "core/schedule/test_pairing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TournamentSpec SpecOf(const TestSpec& test, const std::string& game = "triumvirate") {
  TournamentSpec spec;
  spec.game = game;
  spec.test = std::make_shared<const TestSpec>(test);
  spec.bots = {{.name = "new", .bot = "smart"}, {.name = "base", .bot = "greedy"}};
  if (test.field == TestField::kPool) {
    spec.bots.push_back({.name = "x", .bot = "random"});
    spec.bots.push_back({.name = "y", .bot = "random"});
  }
  spec.games = 60'000;
  spec.openings.random_plies = 4;
  return spec;
}

size_t SeatsOf(const TournamentSpec& spec) { return (*FindGame(spec.game))->seats; }

// Plays games of bots whose strength in Elo is given.
class Simulation {
 public:
  Simulation(const TournamentSpec& spec, const std::vector<double>& elo, uint64_t seed)
      : spec_(spec), random_(seed) {
    for (const double strength : elo) {
      world_.strength.push_back(strength / ratings::kEloPerNatural);
    }
    world_.seat = {0.1, 0, -0.1};
    world_.seat.resize(SeatsOf(spec));
  }

  GameSummary Play(int64_t index) {
    const size_t seats = world_.seat.size();
    GameSummary game;
    game.index = index;
    game.bots =
        SeatTestBots(spec_.test->field, static_cast<int64_t>(spec_.bots.size()), seats, index);
    std::vector<double> at_seat;
    for (size_t i = 0; i < seats; ++i) {
      const auto bot = static_cast<size_t>(game.bots[SeatAt(i)]);
      at_seat.push_back(world_.strength[bot] + world_.seat[i]);
    }
    game.outcome.place =
        ratings::SimulatePlaces(world_, at_seat, std::vector<double>(seats, 0), random_);
    return game;
  }
  std::vector<GameSummary> Play(int64_t first, int64_t last) {
    std::vector<GameSummary> games;
    for (int64_t index = first; index < last; ++index) games.push_back(Play(index));
    return games;
  }

 private:
  TournamentSpec spec_;
  ratings::SimulatedWorld world_;
  Random random_;
};

SequentialTest RunTest(const TournamentSpec& spec, const std::vector<double>& elo, uint64_t seed) {
  Simulation simulation(spec, elo, seed);
  SequentialTest test(spec, SeatsOf(spec));
  for (int64_t i = 0; test.verdict() == Verdict::kUnderWay; ++i) test.Add(simulation.Play(i));
  return test;
}

TestSpec Elo(double low, double high) {
  TestSpec test;
  test.elo = {low, high};
  return test;
}

TEST(TestPairingTest, TheScheduleSeatsTheBotsOfUnits) {
  const auto text = [](const TournamentSpec& spec, int64_t index) {
    const Schedule schedule = Schedule::Make(spec).value();
    std::string seats;
    for (size_t i = 0; i < SeatsOf(spec); ++i) {
      seats += "ABXY"[schedule.Bots(index)[SeatAt(i)]];
    }
    return seats + std::to_string(schedule.Game(index).match);
  };
  const TournamentSpec mirror = SpecOf(Elo(0, 5));
  const std::vector<std::string> halves = {"ABB0", "BAB0", "BBA0", "BAA1", "ABA1", "AAB1", "ABB2"};
  for (size_t i = 0; i < halves.size(); ++i)
    EXPECT_EQ(text(mirror, static_cast<int64_t>(i)), halves[i]);
  TestSpec pool = Elo(0, 5);
  pool.field = TestField::kPool;
  std::set<std::string> seatings;
  for (int64_t i = 0; i < 6; ++i) seatings.insert(text(SpecOf(pool), i));
  EXPECT_THAT(seatings, testing::ElementsAre("ABX0", "AXB0", "BAX0", "BXA0", "XAB0", "XBA0"));
  EXPECT_EQ(text(SpecOf(pool), 6), "ABY1");
  EXPECT_EQ(text(SpecOf(pool), 12), "ABX2");
  const TournamentSpec two = SpecOf(Elo(0, 5), "tri-d");
  EXPECT_EQ(text(two, 0) + text(two, 1) + text(two, 2), "AB0BA0AB1");
}

// 0 is the new bot, 1 the base, 2 a third bot.
TEST(ScoreCurveTest, ScoresAGame) {
  struct Row {
    TestField field;
    size_t seats;
    PerSeat<int> bots;
    PerSeat<uint8_t> place;
    double points;
    double firsts;
  };
  constexpr TestField kMirror = TestField::kMirror;
  constexpr TestField kPool = TestField::kPool;
  for (const Row& row :
       {Row{kMirror, 3, {{0, 1, 1}}, {{1, 2, 3}}, 1, 1},
        Row{kMirror, 3, {{1, 0, 1}}, {{1, 1, 3}}, 0.75, 0.5},
        Row{kMirror, 3, {{1, 1, 0}}, {{1, 2, 2}}, 0.25, 0},
        Row{kMirror, 3, {{0, 1, 1}}, {{1, 1, 1}}, 0.5, 1.0 / 3},
        Row{kMirror, 3, {{0, 1, 0}}, {{2, 1, 3}}, -1, -1},
        Row{kMirror, 3, {{1, 0, 0}}, {{2, 1, 2}}, -0.25, 0},
        Row{kPool, 3, {{0, 1, 2}}, {{2, 1, 3}}, -0.25, -0.5},
        Row{kPool, 3, {{2, 0, 1}}, {{1, 2, 2}}, 0, 0},
        Row{kPool, 3, {{1, 3, 0}}, {{1, 1, 3}}, -0.375, -0.25},
        Row{kMirror, 2, {{0, 1}}, {{1, 2}}, 0.5, 0.5}, Row{kMirror, 2, {{1, 0}}, {{1, 1}}, 0, 0}}) {
    TestSpec test = Elo(0, 5);
    test.field = row.field;
    EXPECT_DOUBLE_EQ(UnitScoreOf(test, row.bots, row.place, row.seats), row.points);
    test.score = TestScore::kFirsts;
    EXPECT_DOUBLE_EQ(UnitScoreOf(test, row.bots, row.place, row.seats), row.firsts);
  }
}

TEST(SequentialTestTest, FindsTheStrongerBot) {
  for (const std::string game : {"triumvirate", "tri-d"}) {
    EXPECT_EQ(RunTest(SpecOf(Elo(0, 20), game), {60, 0}, 1).verdict(), Verdict::kBetter);
    EXPECT_EQ(RunTest(SpecOf(Elo(0, 20), game), {-30, 0}, 2).verdict(), Verdict::kNotShown);
  }
  TestSpec pool = Elo(0, 20);
  pool.field = TestField::kPool;
  EXPECT_EQ(RunTest(SpecOf(pool), {60, 0, 50, -50}, 3).verdict(), Verdict::kBetter);
  TestSpec normalized;
  normalized.nelo = {0, 20};
  EXPECT_EQ(RunTest(SpecOf(normalized), {60, 0}, 4).verdict(), Verdict::kBetter);
  TestSpec firsts = Elo(0, 20);
  firsts.score = TestScore::kFirsts;
  EXPECT_EQ(RunTest(SpecOf(firsts), {60, 0}, 5).verdict(), Verdict::kBetter);
  TournamentSpec few = SpecOf(Elo(0, 5));
  few.games = 123;
  const SequentialTest undecided = RunTest(few, {2.5, 0}, 6);
  EXPECT_EQ(undecided.verdict(), Verdict::kUndecided);
  EXPECT_EQ(undecided.State().units, 20);
}

// Whatever the order in which games arrive, and even if some arrive twice.
TEST(SequentialTestTest, TheVerdictDoesNotDependOnTheOrder) {
  const TournamentSpec spec = SpecOf(Elo(0, 20));
  const SequentialTest expected = RunTest(spec, {15, 0}, 11);
  std::vector<GameSummary> games =
      Simulation(spec, {15, 0}, 11).Play(0, expected.State().games + 300);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    for (size_t i = games.size(); i > 1; --i) {
      std::swap(games[i - 1], games[random.Below(static_cast<uint32_t>(i))]);
    }
    SequentialTest test(spec, 3);
    for (const GameSummary& game : games) {
      test.Add(game);
      test.Add(games.front());
    }
    EXPECT_EQ(test.verdict(), expected.verdict());
    EXPECT_EQ(test.State().units, expected.State().units);
    EXPECT_EQ(test.State().llr, expected.State().llr);
    EXPECT_EQ(TestJson(spec, test), TestJson(spec, expected));
  }
}

TEST(SequentialTestTest, CountsOnlyThePrefix) {
  const TournamentSpec spec = SpecOf(Elo(0, 5));
  const std::vector<GameSummary> games = Simulation(spec, {0, 0}, 5).Play(0, 60);
  SequentialTest test(spec, 3);
  for (size_t i = 0; i < games.size(); ++i) {
    if (i != 14) test.Add(games[i]);
  }
  EXPECT_EQ(test.State().units, 2);
  test.Add(games[14]);
  EXPECT_EQ(test.State().units, 10);
}

// Without seat effects or ties, the fitted curve is the one that is assumed at first.
TEST(ScoreCurveTest, AgreesWithTheKnownSlopes) {
  struct Row {
    TestField field;
    TestScore score;
    double slope;
  };
  for (const Row& row : {Row{TestField::kMirror, TestScore::kPoints, 0.00144},
                         Row{TestField::kPool, TestScore::kPoints, 0.00108},
                         Row{TestField::kMirror, TestScore::kFirsts, 0.00160},
                         Row{TestField::kPool, TestScore::kFirsts, 0.00120}}) {
    TestSpec test = Elo(0, 5);
    test.field = row.field;
    test.score = row.score;
    const TournamentSpec spec = SpecOf(test);
    const std::vector<GameSummary> games = Simulation(spec, {0, 0, 0, 0}, 9).Play(0, 12'000);
    const auto counts = ratings::CountGames(spec.bots.size(), 3, games);
    const ScoreCurve fitted = ScoreCurve::Fit(test, counts.value()).value();
    EXPECT_NEAR(fitted.Score(5) / 5, row.slope, 0.02 * row.slope);
    EXPECT_NEAR(ScoreCurve(test, 3).Score(5) / 5, row.slope, 1e-12);
    EXPECT_NEAR(fitted.Score(0), 0, 1e-12) << "by symmetry";
    for (const double elo : {-300.0, -10.0, 0.0, 7.0, 250.0}) {
      EXPECT_NEAR(fitted.Elo(fitted.Score(elo)), elo, 0.5);
    }
    EXPECT_EQ(fitted.Elo(0.6), ScoreCurve::kEloMax);
  }
}

TEST(TestTextTest, SaysWhatWasFound) {
  const TournamentSpec spec = SpecOf(Elo(0, 20));
  const SequentialTest better = RunTest(spec, {60, 0}, 1);
  EXPECT_EQ(VerdictText(spec, better), "better: new is stronger than base in mirror games");
  EXPECT_THAT(RenderTest(spec, better),
              AllOf(HasSubstr("new against two base"), HasSubstr("base against two new"),
                    HasSubstr("0 against 20 Elo"), Not(HasSubstr("not adjusted"))));
  const SequentialTest not_shown = RunTest(spec, {-30, 0}, 2);
  EXPECT_EQ(VerdictText(spec, not_shown),
            "not shown: new is less than 20 Elo stronger than base, if at all, in mirror games");
  const SequentialTest fresh(spec, 3);
  EXPECT_EQ(VerdictText(spec, fresh), "under way: is new stronger than base in mirror games?");
  const SequentialTest weaker = RunTest(SpecOf(Elo(-20, 0)), {-90, 0}, 3);
  EXPECT_EQ(VerdictText(SpecOf(Elo(-20, 0)), weaker),
            "not shown: new is weaker than base in mirror games");
}

TEST(TestTextTest, MentionsForfeitsAndHalvesThatDiffer) {
  const TournamentSpec spec = SpecOf(Elo(0, 20));
  SequentialTest test(spec, 3);
  // The new bot always wins alone against two of the base, and never gains against one.
  for (int64_t index = 0; test.verdict() == Verdict::kUnderWay; ++index) {
    GameSummary game;
    game.index = index;
    const PerSeat<int> bots = SeatTestBots(TestField::kMirror, 2, 3, index);
    const bool is_new_alone = std::count(bots.begin(), bots.end(), kNewBot) == 1;
    game.outcome.place = index % 2 == 0 ? PerSeat<uint8_t>{{1, 2, 3}} : PerSeat<uint8_t>{{3, 2, 1}};
    for (size_t i = 0; is_new_alone && i < 3; ++i) {
      game.outcome.place[SeatAt(i)] = bots[SeatAt(i)] == kNewBot ? 1 : 2;
    }
    for (size_t i = 0; i < 3; ++i) {
      if (bots[SeatAt(i)] == kBaseBot) game.endings[SeatAt(i)] = Termination::kTimeForfeit;
    }
    test.Add(game);
  }
  EXPECT_EQ(test.verdict(), Verdict::kBetter);
  EXPECT_THAT(VerdictText(spec, test), testing::EndsWith("time forfeits by base"));
  EXPECT_THAT(RenderTest(spec, test), HasSubstr("The halves of the mirror differ by"));
}

TEST(TestPlanTest, AgreesWithSimulations) {
  const TestPlan plan = PlanTest(Elo(0, 5), 3);
  const auto cost = [&](double elo) {
    return *std::find_if(plan.costs.begin(), plan.costs.end(),
                         [elo](const TestCost& one) { return one.elo == elo; });
  };
  // From 10 000 simulated tests each.
  EXPECT_NEAR(static_cast<double>(cost(0).games), 17'300, 500);
  EXPECT_NEAR(static_cast<double>(cost(0).games_95), 42'800, 1500);
  EXPECT_NEAR(static_cast<double>(cost(2.5).games), 28'400, 800);
  EXPECT_NEAR(static_cast<double>(cost(10).games), 6'400, 200);
  EXPECT_NEAR(static_cast<double>(cost(-5).games), 6'400, 200);
  EXPECT_NEAR(cost(2).passes, 0.35, 0.02);
  EXPECT_NEAR(cost(5).passes, 0.95, 1e-6);
  EXPECT_NEAR(static_cast<double>(plan.games_fixed), 34'800, 500);
}

}  // namespace
}  // namespace triarch::experiments
