#include "coordinator/experiments/stopped_walk.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace triarch::experiments {
namespace {

// Returns (e^x - 1) / (e^y - 1), for x and y of the same sign, without overflow.
double RatioOfExpm1(double x, double y) {
  return std::max(x, y) < 500 ? std::expm1(x) / std::expm1(y) : std::exp(x - y);
}

// Returns e^(x²) erfc(x), for x >= 0.
double ScaledErfc(double x) {
  if (x < 5) return std::exp(x * x) * std::erfc(x);
  const double inverse = 1 / (2 * x * x);
  return (1 - inverse * (1 - 3 * inverse * (1 - 5 * inverse * (1 - 7 * inverse)))) /
         (x * std::sqrt(std::numbers::pi));
}

// Returns the probability that a walk with no lower bound rises by `distance` within `units`
// (inverse Gaussian). Requires: drift >= 0.
double ProbabilityOfReaching(double distance, double drift, double variance, double units) {
  const double deviation = std::sqrt(variance * units);
  const double short_by = (distance - drift * units) / deviation;
  const double beyond = (distance + drift * units) / deviation;
  return std::erfc(short_by / std::numbers::sqrt2) / 2 +
         std::exp(-short_by * short_by / 2) * ScaledErfc(beyond / std::numbers::sqrt2) / 2;
}

}  // namespace

Bounds WaldBounds(double alpha, double beta) {
  return {.lower = std::log(beta / (1 - alpha)), .upper = std::log((1 - beta) / alpha)};
}

Walk WalkOf(double score, double variance, const Hypotheses& scores) {
  const double step = scores.h1 - scores.h0;
  return {.drift = step * (score - (scores.h0 + scores.h1) / 2) / variance,
          .variance = step * step / variance};
}

double ProbabilityOfPassing(const Walk& walk, const Bounds& bounds) {
  const double width = bounds.upper - bounds.lower;
  const double slope = 2 * walk.drift / walk.variance;
  if (std::abs(slope * width) < 1e-9) return -bounds.lower / width;
  return RatioOfExpm1(slope * bounds.lower, -slope * width);
}

// By the method of images. Unlike the Fourier series, it has no terms that cancel if the drift is
// strong.
double ProbabilityOfPassing(const Walk& walk, const Bounds& bounds, double units) {
  const double width = bounds.upper - bounds.lower;
  const double slope = walk.drift / walk.variance;
  // What a walk without the lower bound, reflected so that it starts `distance` below the upper
  // one, contributes.
  const auto image = [&](double distance) {
    const double weight =
        std::exp(slope > 0 ? slope * (bounds.upper - distance) : slope * (bounds.upper + distance));
    return weight * ProbabilityOfReaching(distance, std::abs(walk.drift), walk.variance, units);
  };
  double sum = image(bounds.upper);
  for (int k = 1; k < 100'000; ++k) {
    const double taken = image(2 * k * width - bounds.upper);
    sum += image(2 * k * width + bounds.upper) - taken;
    if (taken < 1e-16) break;
  }
  return std::clamp(sum, 0.0, 1.0);
}

double ProbabilityOfStopping(const Walk& walk, const Bounds& bounds, double units) {
  const Walk mirrored = {.drift = -walk.drift, .variance = walk.variance};
  return ProbabilityOfPassing(walk, bounds, units) +
         ProbabilityOfPassing(mirrored, {.lower = -bounds.upper, .upper = -bounds.lower}, units);
}

double ExpectedUnits(const Walk& walk, const Bounds& bounds) {
  const double width = bounds.upper - bounds.lower;
  if (std::abs(walk.drift) * width < 1e-6 * walk.variance) {
    return -bounds.lower * bounds.upper / walk.variance;
  }
  const double passes = ProbabilityOfPassing(walk, bounds);
  return (passes * bounds.upper + (1 - passes) * bounds.lower) / walk.drift;
}

IntervalEstimate EstimateAfterStop(bool has_passed, const Bounds& bounds, const ScoreSums& sums,
                                   const Hypotheses& scores) {
  const double variance = sums.variance();
  const auto units = static_cast<double>(sums.units);
  // Far from the hypotheses the ratio grows more slowly than the walk's drift, so the walk is
  // scaled to reach what the ratio reached.
  const double reached = has_passed ? bounds.upper : bounds.lower;
  const double expected = units * WalkOf(sums.mean(), variance, scores).drift;
  const double scale = std::clamp(reached / expected, 1e-6, 1.0);
  // The probability of a stop at this bound that is at least as convincing; grows with the score.
  const auto probability = [&](double score) {
    Walk walk = WalkOf(score, variance, scores);
    walk = {.drift = walk.drift * scale, .variance = walk.variance * scale * scale};
    if (has_passed) return ProbabilityOfPassing(walk, bounds, units);
    const Walk mirrored = {.drift = -walk.drift, .variance = walk.variance};
    return 1 -
           ProbabilityOfPassing(mirrored, {.lower = -bounds.upper, .upper = -bounds.lower}, units);
  };
  const auto quantile = [&](double target) {
    const double error = std::sqrt(variance / units);
    double low = sums.mean() - 10 * error;
    double high = sums.mean() + 10 * error;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (probability(middle) < target ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  return {.low = quantile(0.025), .value = quantile(0.5), .high = quantile(0.975)};
}

}  // namespace triarch::experiments
