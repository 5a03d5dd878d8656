#include "coordinator/experiments/log_likelihood_ratio.h"

#include <cmath>

namespace triarch::experiments {

double ScoreSums::variance() const {
  const double n = static_cast<double>(units);
  const double deviations = units == 0 ? 0 : sum_of_squares - sum * sum / n;
  return (deviations + kPriorUnits * prior_variance) / (n + kPriorUnits);
}

double LogLikelihoodRatio(const ScoreSums& sums, const Hypotheses& scores) {
  const double variance = sums.variance();
  const double from_h0 = sums.mean() - scores.h0;
  const double from_h1 = sums.mean() - scores.h1;
  return static_cast<double>(sums.units) / 2 *
         std::log((variance + from_h0 * from_h0) / (variance + from_h1 * from_h1));
}

double NormalizedLogLikelihoodRatio(const ScoreSums& sums, const Hypotheses& ratios) {
  const double n = static_cast<double>(sums.units);
  const double mean = sums.mean();
  const double second_moment = sums.variance() + mean * mean;
  // The largest likelihood of scores whose mean is `ratio` deviations.
  const auto likelihood = [&](double ratio) {
    const double product = ratio * mean;
    const double deviation = (std::sqrt(product * product + 4 * second_moment) - product) / 2;
    const double squares =
        second_moment - 2 * ratio * deviation * mean + ratio * ratio * deviation * deviation;
    return -n * std::log(deviation) - n * squares / (2 * deviation * deviation);
  };
  return likelihood(ratios.h1) - likelihood(ratios.h0);
}

}  // namespace triarch::experiments
