// Simulates sequential tests: error rates, cost, and the estimate after the stop.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/score_curve.h"
#include "coordinator/experiments/sequential_test.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/simulated_games.h"
#include "core/base/check.h"
#include "core/base/normal.h"
#include "core/schedule/test_pairing.h"
#include "tests/statistics/experiments.h"

namespace triarch::statistics {
namespace {

using experiments::SequentialTest;
using experiments::Verdict;
using ratings::kEloPerNatural;

// What the games of a test are drawn from. Elo, except for the shares.
struct TestWorld {
  std::string name;
  TestField field = TestField::kMirror;
  size_t seats = 3;
  double seat = 0;            // advantage of the first seat, and disadvantage of the last
  double draws = 0;           // share of drawn games of the last two
  double seat_deviation = 0;  // of a match's opening, by seat
  double bot_deviation = 0;   // of a match's opening, by bot
};

TournamentSpec SpecOf(const TestSpec& test, size_t seats) {
  TournamentSpec spec;
  spec.game = seats == 2 ? "tri-d" : "triumvirate";
  spec.test = std::make_shared<const TestSpec>(test);
  spec.bots = {{.name = "new", .bot = "new"}, {.name = "base", .bot = "base"}};
  if (test.field == TestField::kPool) spec.bots.push_back({.name = "third", .bot = "third"});
  spec.games = std::numeric_limits<int64_t>::max();
  return spec;
}

// Draws the places of a test's games, in order.
class TestGames {
 public:
  TestGames(const TestWorld& world, double elo, uint64_t seed) : world_(world), random_(seed) {
    strengths_ = {elo / 2 / kEloPerNatural, -elo / 2 / kEloPerNatural, 0};
    model_.seat.resize(world.seats);
    model_.seat.front() = world.seat / kEloPerNatural;
    model_.seat.back() = -world.seat / kEloPerNatural;
    // The probability of a draw of two equal bots is e^τ / (2 + e^τ).
    if (world.draws > 0) model_.tie[2] = std::log(2 * world.draws / (1 - world.draws));
    has_openings_ = world.seat_deviation > 0 || world.bot_deviation > 0;
  }

  GameSummary Play(int64_t index) {
    GameSummary game;
    game.index = index;
    game.bots =
        SeatTestBots(world_.field, world_.field == TestField::kPool ? 3 : 2, world_.seats, index);
    if (has_openings_) {
      if (index % GamesPerTestMatch(world_.field, world_.seats) == 0) DrawOpening();
      game.outcome.place = Draw(game.bots);
    } else {
      game.outcome.place = DrawFromTable(game.bots, index);
    }
    return game;
  }

 private:
  void DrawOpening() {
    for (double& favour : seat_favour_) {
      favour = world_.seat_deviation / kEloPerNatural * NormalDeviate(random_);
    }
    for (double& favour : bot_favour_) {
      favour = world_.bot_deviation / kEloPerNatural * NormalDeviate(random_);
    }
  }
  PerSeat<uint8_t> Draw(const PerSeat<int>& bots) {
    std::vector<double> at_seat;
    for (size_t i = 0; i < world_.seats; ++i) {
      const auto bot = static_cast<size_t>(bots[SeatAt(i)]);
      at_seat.push_back(strengths_[bot] + bot_favour_[bot] + model_.seat[i] + seat_favour_[i]);
    }
    return ratings::SimulatePlaces(model_, at_seat, std::vector<double>(world_.seats, 0), random_);
  }
  // Without openings, each seating has a fixed distribution, estimated once from the model.
  PerSeat<uint8_t> DrawFromTable(const PerSeat<int>& bots, int64_t index) {
    const auto seating = static_cast<size_t>(index % GamesPerTestUnit(world_.seats));
    std::vector<double>& cumulative = cumulative_[seating];
    const std::span<const PerSeat<uint8_t>> placements = ratings::Placements(world_.seats);
    if (cumulative.empty()) {
      double sum = 0;
      for (const PerSeat<uint8_t>& place : placements) {
        cumulative.push_back(sum += ProbabilityOf(bots, place));
      }
    }
    const double draw = random_.Unit() * cumulative.back();
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), draw);
    return placements[std::min(static_cast<size_t>(found - cumulative.begin()),
                               placements.size() - 1)];
  }
  double ProbabilityOf(const PerSeat<int>& bots, const PerSeat<uint8_t>& place) const {
    ratings::GameModel game;
    game.seats = world_.seats;
    const bool can_draw = world_.draws > 0;
    game.can_tie = {can_draw, can_draw && world_.seats == 3, false};
    for (size_t i = 0; i < world_.seats; ++i) {
      const auto bot = static_cast<size_t>(bots[SeatAt(i)]);
      game.parameters[ratings::StrengthIndex(i, false)] = strengths_[bot] + model_.seat[i];
    }
    game.parameters[ratings::TieIndex(ratings::TieKind::kTwoOfTwo)] = model_.tie[2];
    game.parameters[ratings::TieIndex(ratings::TieKind::kTwoOfThree)] = model_.tie[2];
    if (!ratings::IsPossible(game, place)) return 0;
    return std::exp(ratings::Evaluate(game, place).log_likelihood);
  }

  const TestWorld& world_;
  Random random_;
  ratings::SimulatedWorld model_;
  std::array<double, 3> strengths_;
  std::array<double, kSeatsMax> seat_favour_ = {};
  std::array<double, 3> bot_favour_ = {};
  bool has_openings_ = false;
  std::array<std::vector<double>, 6> cumulative_;
};

// Returns the share of a difference that ratings show in such a world. Openings that favour bots or
// seats hide a part of it, and Elo then means "over these openings".
double ShownShare(const TestWorld& world) {
  if (world.seat_deviation == 0 && world.bot_deviation == 0) return 1;
  constexpr double kElo = 100;
  constexpr int64_t kGames = 60'000;
  TestSpec test;
  test.field = world.field;
  const TournamentSpec spec = SpecOf(test, world.seats);
  TestGames games(world, kElo, 1);
  ratings::GameCounter counter(spec.bots.size(), world.seats);
  double score = 0;
  for (int64_t i = 0; i < kGames; ++i) {
    GameSummary game = games.Play(i);
    game.match = i;  // errors, for which blocks matter, are not used
    CHECK(counter.Add(game).ok());
    score += experiments::UnitScoreOf(test, game.bots, game.outcome.place, world.seats);
  }
  const auto curve = experiments::ScoreCurve::Fit(test, counter.Counts().value());
  return curve.value().Elo(score / kGames) / kElo;
}

struct TestRun {
  bool has_passed = false;
  double games = 0;
  bool is_covered = false;  // by the interval after the stop
  bool is_above = false;    // the estimate exceeds the true difference
};

TestRun RunTest(const TestWorld& world, const TestSpec& test, double elo, uint64_t seed) {
  const TournamentSpec spec = SpecOf(test, world.seats);
  SequentialTest sequential(spec, world.seats);
  TestGames games(world, elo, seed);
  for (int64_t i = 0; sequential.verdict() == Verdict::kUnderWay; ++i) {
    sequential.Add(games.Play(i));
  }
  const experiments::TestState state = sequential.State();
  return {.has_passed = state.verdict == Verdict::kBetter,
          .games = static_cast<double>(state.games),
          .is_covered = state.elo->low <= elo && elo <= state.elo->high,
          .is_above = state.elo->value > elo};
}

// ---- The rows.

struct ErrorRow {
  TestWorld world;
  std::array<double, 2> elo = {0, 0};
  std::array<double, 2> nelo = {0, 0};
  std::optional<double> games = {};  // reference, under H0
  double alpha = 0;                  // reference, in percent
  double beta = 0;
};

const TestWorld& Plain() {
  static const TestWorld kWorld = {.name = "mirror, plain"};
  return kWorld;
}

std::vector<ErrorRow> ErrorRows() {
  const TestWorld ties = {.name = "mirror, seats ±30, 10 % draws", .seat = 30, .draws = 0.1};
  const TestWorld openings = {.name = "mirror, openings 150 by seat, 40 by bot",
                              .seat_deviation = 150,
                              .bot_deviation = 40};
  const TestWorld pool = {
      .name = "pool, seats ±30, 10 % draws", .field = TestField::kPool, .seat = 30, .draws = 0.1};
  const TestWorld two = {.name = "two players, no draws", .seats = 2};
  const TestWorld drawn = {.name = "two players, 50 % draws", .seats = 2, .draws = 0.5};
  return {
      {.world = Plain(), .elo = {0, 5}, .games = 17'300, .alpha = 5.13, .beta = 4.68},
      {.world = ties, .elo = {0, 5}, .alpha = 4.97, .beta = 4.96},
      {.world = ties, .elo = {0, 10}, .alpha = 4.49, .beta = 5.03},
      {.world = ties, .elo = {0, 20}, .alpha = 4.73, .beta = 4.53},
      {.world = ties, .elo = {-5, 0}, .alpha = 5.38, .beta = 4.70},
      {.world = openings, .elo = {0, 20}, .alpha = 4.96, .beta = 4.5},
      {.world = openings, .elo = {0, 50}, .alpha = 4.14, .beta = 4.2},
      {.world = pool, .elo = {0, 5}, .alpha = 5.01, .beta = 4.89},
      {.world = two, .elo = {0, 5}, .games = 25'700, .alpha = 4.85, .beta = 4.71},
      {.world = drawn, .elo = {0, 5}, .games = 51'300, .alpha = 4.80, .beta = 4.91},
      {.world = Plain(), .nelo = {0, 5}, .alpha = 4.72, .beta = 4.87},
      {.world = Plain(), .nelo = {0, 20}, .alpha = 4.63, .beta = 4.51},
      {.world = Plain(), .nelo = {0, 50}, .alpha = 4.24, .beta = 3.99},
  };
}

// Returns the difference in Elo of plain worlds that is one normalized Elo.
double EloPerNormalized() {
  // The score per Elo, over that per normalized Elo: √(variance of a unit × its games).
  return std::sqrt(6.0 / 36) / (2 * kEloPerNatural) / 0.00144;
}

// Within a point of 5 %. Tests of a few units may be conservative.
Bar ErrorBar(double reference, double width) {
  return {.reference = reference, .low = width < 20 ? 4.0 : 0.0, .high = 6};
}

void MeasureErrors(const ErrorRow& row, uint64_t setting, const Runs& runs,
                   std::vector<Figure>* figures) {
  TestSpec test;
  test.elo = row.elo;
  test.nelo = row.nelo;
  test.field = row.world.field;
  const auto& [low, high] = test.bounds();
  const double unit = (test.is_normalized() ? EloPerNormalized() : 1) / ShownShare(row.world);
  const std::string name = absl::StrFormat("%s, [%g, %g]%s", row.world.name, low, high,
                                           test.is_normalized() ? " normalized" : "");
  const auto under = [&](double elo, uint64_t hypothesis) {
    return RunAll(runs, 2 * setting + hypothesis,
                  [&](uint64_t seed) { return RunTest(row.world, test, elo * unit, seed); });
  };
  const std::vector<TestRun> h0 = under(low, 0);
  std::vector<bool> failed;
  for (const TestRun& run : under(high, 1)) failed.push_back(!run.has_passed);
  figures->push_back({name, "passes under H0, %", PercentageOf(Column(h0, &TestRun::has_passed)),
                      ErrorBar(row.alpha, high - low), 2});
  figures->push_back(
      {name, "fails under H1, %", PercentageOf(failed), ErrorBar(row.beta, high - low), 2});
  figures->push_back({name, "games under H0", MeanOf(Column(h0, &TestRun::games)),
                      row.games ? WithinShare(*row.games, 0.1) : Bar(), 0});
}

struct CostRow {
  double elo;
  double passes;  // reference, in percent
  double games;   // reference
};
constexpr CostRow kCostRows[] = {{-5, 0, 6'400},    {0, 5, 17'300},  {2, 35, 27'600},
                                 {2.5, 50, 28'400}, {5, 95, 17'300}, {10, 100, 6'400},
                                 {20, 100, 2'800}};

}  // namespace

std::vector<Figure> MeasureTests(const Runs& runs) {
  std::vector<Figure> figures;
  uint64_t setting = 0;
  for (const ErrorRow& row : ErrorRows()) MeasureErrors(row, setting++, runs, &figures);
  return figures;
}

std::vector<Figure> MeasureTestCosts(const Runs& runs) {
  std::vector<Figure> figures;
  TestSpec test;
  test.elo = {0, 5};
  uint64_t setting = 1000;
  for (const CostRow& row : kCostRows) {
    const std::string name = absl::StrFormat("mirror, plain, [0, 5], true %g", row.elo);
    const std::vector<TestRun> all = RunAll(
        runs, setting++, [&](uint64_t seed) { return RunTest(Plain(), test, row.elo, seed); });
    figures.push_back({name, "passes, %", PercentageOf(Column(all, &TestRun::has_passed)),
                       Within(row.passes, 2), 1});
    figures.push_back(
        {name, "games", MeanOf(Column(all, &TestRun::games)), WithinShare(row.games, 0.1), 0});
    figures.push_back({name,
                       "interval covers, %",
                       PercentageOf(Column(all, &TestRun::is_covered)),
                       {.reference = 95, .low = 93, .high = 97},
                       1});
    figures.push_back({name, "estimate above the truth, %",
                       PercentageOf(Column(all, &TestRun::is_above)), Within(50, 3), 1});
  }
  return figures;
}

}  // namespace triarch::statistics
