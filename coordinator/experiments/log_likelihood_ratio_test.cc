// Tests the log-likelihood ratio, and the walk that it makes.

#include "coordinator/experiments/log_likelihood_ratio.h"

#include <cmath>
#include <fstream>
#include <string>

#include "coordinator/experiments/stopped_walk.h"
#include "core/base/normal.h"
#include "core/base/random.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

// tests/data/experiments/likelihood_ratios.py computes the same by numerical search.
TEST(LogLikelihoodRatioTest, AgreesWithAnIndependentProgram) {
  std::ifstream file(std::string(TRIARCH_SOURCE_DIR) +
                     "/tests/data/experiments/likelihood_ratios.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  ASSERT_EQ(cases.size(), 18u);
  for (const nlohmann::json& one : cases) {
    ScoreSums sums{.prior_variance = one["prior_variance"]};
    for (const double steps : one["scores_in_24ths"]) sums.Add(steps / 24);
    const Hypotheses hypotheses = {.h0 = one["h0"], .h1 = one["h1"]};
    EXPECT_NEAR(LogLikelihoodRatio(sums, hypotheses), one["ratio"], 1e-9);
    EXPECT_NEAR(NormalizedLogLikelihoodRatio(sums, hypotheses), one["normalized_ratio"], 1e-9);
  }
}

TEST(LogLikelihoodRatioTest, ThePriorKeepsTheFirstUnitsFromDeciding) {
  ScoreSums sums{.prior_variance = 1.0 / 36};
  for (int i = 0; i < 3; ++i) sums.Add(0.25);
  EXPECT_LT(LogLikelihoodRatio(sums, {.h0 = 0, .h1 = 0.1}), 2);
}

TEST(StoppedWalkTest, BoundsAreWalds) {
  const Bounds bounds = WaldBounds(0.05, 0.1);
  EXPECT_NEAR(bounds.upper, std::log(18), 1e-12);
  EXPECT_NEAR(bounds.lower, std::log(2.0 / 19), 1e-12);
}

// Under H0 and H1, a walk between Wald's bounds has the error probabilities that define them.
TEST(StoppedWalkTest, ErrorsAreThoseOfTheBounds) {
  const Hypotheses scores = {.h0 = 0, .h1 = 0.0072};
  const Bounds bounds = WaldBounds(0.05, 0.1);
  EXPECT_NEAR(ProbabilityOfPassing(WalkOf(0, 1.0 / 36, scores), bounds), 0.05, 1e-9);
  EXPECT_NEAR(ProbabilityOfPassing(WalkOf(0.0072, 1.0 / 36, scores), bounds), 0.9, 1e-9);
  const Walk strong = WalkOf(0.5, 1.0 / 36, {.h0 = 0, .h1 = 0.0001});
  EXPECT_NEAR(ProbabilityOfPassing(strong, bounds), 1, 1e-12);
  EXPECT_NEAR(ProbabilityOfPassing({.drift = -strong.drift, .variance = strong.variance}, bounds),
              0, 1e-12);
}

TEST(StoppedWalkTest, ProbabilitiesGrowWithTime) {
  const Bounds bounds = WaldBounds(0.05, 0.05);
  for (const double score : {-0.01, 0.0, 0.0036, 0.01}) {
    const Walk walk = WalkOf(score, 1.0 / 36, {.h0 = 0, .h1 = 0.0072});
    double before = 0;
    for (double units = 100; units < 1e5; units *= 2) {
      const double now = ProbabilityOfPassing(walk, bounds, units);
      EXPECT_GE(now, before - 1e-9);
      before = now;
    }
    EXPECT_NEAR(before, ProbabilityOfPassing(walk, bounds), 1e-5);
    EXPECT_NEAR(ProbabilityOfStopping(walk, bounds, 1e6), 1, 1e-9);
  }
}

// The same quantities by simulation in small steps.
TEST(StoppedWalkTest, AgreesWithSimulatedWalks) {
  const Bounds bounds = {.lower = -1.5, .upper = 2.5};
  const Walk walk = {.drift = 0.02, .variance = 0.01};
  constexpr int kWalks = 4000;
  constexpr double kStep = 0.05;
  constexpr double kUnits = 60;
  Random random(7);
  double units = 0;
  int passed = 0;
  int passed_early = 0;
  for (int i = 0; i < kWalks; ++i) {
    double at = 0;
    double time = 0;
    while (at > bounds.lower && at < bounds.upper) {
      at += walk.drift * kStep + std::sqrt(walk.variance * kStep) * NormalDeviate(random);
      time += kStep;
    }
    units += time;
    if (at < bounds.upper) continue;
    ++passed;
    if (time <= kUnits) ++passed_early;
  }
  const auto share = [](int count) { return static_cast<double>(count) / kWalks; };
  EXPECT_NEAR(ProbabilityOfPassing(walk, bounds), share(passed), 0.025);
  EXPECT_NEAR(ProbabilityOfPassing(walk, bounds, kUnits), share(passed_early), 0.03);
  EXPECT_NEAR(ExpectedUnits(walk, bounds), units / kWalks, 0.03 * units / kWalks);
}

// A large difference ends a test at once, so that there is nothing to correct.
TEST(StoppedWalkTest, TheEstimateOfALargeDifferenceIsItsMean) {
  const Hypotheses scores = {.h0 = 0, .h1 = 0.0288};
  ScoreSums sums{.prior_variance = 1.0 / 36};
  for (int i = 0; i < 50; ++i) sums.Add(i % 2 == 0 ? 0.5 : 0.3);
  Bounds reached = WaldBounds(0.05, 0.05);
  reached.upper = LogLikelihoodRatio(sums, scores);
  const IntervalEstimate estimate = EstimateAfterStop(true, reached, sums, scores);
  EXPECT_NEAR(estimate.value, 0.4, 0.02);
  EXPECT_NEAR(estimate.low, 0.37, 0.02);
  EXPECT_NEAR(estimate.high, 0.43, 0.02);
}

TEST(StoppedWalkTest, TheEstimateCorrectsTheStop) {
  const Hypotheses scores = {.h0 = 0, .h1 = 0.0072};
  ScoreSums sums{.prior_variance = 1.0 / 36};
  // 500 units with the mean 1/60.
  for (int i = 0; i < 500; ++i) sums.Add(i % 2 == 0 ? 0.2 : -1.0 / 6);
  Bounds reached = WaldBounds(0.05, 0.05);
  reached.upper = LogLikelihoodRatio(sums, scores);
  const IntervalEstimate estimate = EstimateAfterStop(true, reached, sums, scores);
  EXPECT_LT(estimate.value, sums.mean()) << "a test that passes stops when the mean is high";
  EXPECT_LT(estimate.low, estimate.value);
  EXPECT_GT(estimate.high, estimate.value);
  // The mirror image.
  ScoreSums mirrored{.prior_variance = 1.0 / 36};
  for (int i = 0; i < 500; ++i) mirrored.Add(i % 2 == 0 ? -0.2 : 1.0 / 6);
  const IntervalEstimate other =
      EstimateAfterStop(false, {.lower = -reached.upper, .upper = -reached.lower}, mirrored,
                        {.h0 = -0.0072, .h1 = 0});
  EXPECT_NEAR(other.value, -estimate.value, 1e-9);
  EXPECT_NEAR(other.low, -estimate.high, 1e-9);
}

}  // namespace
}  // namespace triarch::experiments
