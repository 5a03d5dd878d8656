#include "coordinator/experiments/test_plan.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/score_curve.h"
#include "coordinator/experiments/stopped_walk.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/text_table.h"
#include "core/schedule/test_pairing.h"

namespace triarch::experiments {
namespace {

// Returns x with Φ(x) = probability.
double NormalQuantile(double probability) {
  double low = -10;
  double high = 10;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (ratings::NormalCdf(middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Returns the number of units within which 95 % of the tests stop.
double UnitsOf95(const Walk& walk, const Bounds& bounds) {
  double low = 0;
  double high = 1;
  while (ProbabilityOfStopping(walk, bounds, high) < 0.95) high *= 2;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (ProbabilityOfStopping(walk, bounds, middle) < 0.95 ? low : high) = middle;
  }
  return high;
}

}  // namespace

TestPlan PlanTest(const TestSpec& test, size_t seats) {
  const double variance = PriorVariance(test, seats);
  const auto games = static_cast<double>(GamesPerTestUnit(seats));
  const ScoreCurve curve(test, seats);
  const auto score = [&](double elo) {
    if (!test.is_normalized()) return curve.Score(elo);
    return elo / (2 * ratings::kEloPerNatural) * std::sqrt(variance * games);
  };
  const auto& [low, high] = test.bounds();
  const double width = high - low;
  const Hypotheses scores = {.h0 = score(low), .h1 = score(high)};
  const Bounds bounds = WaldBounds(test.alpha, test.beta);
  const auto games_of = [&](double units) {
    return static_cast<int64_t>(std::max<double>(kTestUnitsMin, std::ceil(units)) * games);
  };
  TestPlan plan;
  for (const double elo : {low - width, low, low + 0.4 * width, low + 0.5 * width, high,
                           high + width, high + 3 * width}) {
    const Walk walk = WalkOf(score(elo), variance, scores);
    plan.costs.push_back({.elo = elo,
                          .passes = ProbabilityOfPassing(walk, bounds),
                          .games = games_of(ExpectedUnits(walk, bounds)),
                          .games_95 = games_of(UnitsOf95(walk, bounds))});
  }
  const double deviations = NormalQuantile(1 - test.alpha) + NormalQuantile(1 - test.beta);
  plan.games_fixed = games_of(variance * std::pow(deviations / (scores.h1 - scores.h0), 2));
  return plan;
}

std::string RenderPlan(const TestSpec& test, size_t seats) {
  const TestPlan plan = PlanTest(test, seats);
  TextTable table;
  table.AddColumn(test.is_normalized() ? "True nElo" : "True Elo");
  for (const std::string_view heading : {"Passes", "Games", "95% within"}) table.AddColumn(heading);
  for (const TestCost& cost : plan.costs) {
    table.AddRow({absl::StrFormat("%g", cost.elo), absl::StrFormat("%.0f%%", 100 * cost.passes),
                  std::to_string(cost.games), std::to_string(cost.games_95)});
  }
  return table.Render(100, 0) +
         absl::StrFormat(
             "\nA fixed number of games with the same errors: %d. The figures hold "
             "without ties; see docs/experiments.md.\n",
             plan.games_fixed);
}

}  // namespace triarch::experiments
