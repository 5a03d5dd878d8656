// Computes the log-likelihood ratio of a sequential test from the scores of its units.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_LOG_LIKELIHOOD_RATIO_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_LOG_LIKELIHOOD_RATIO_H_

#include <cstdint>

namespace triarch::experiments {

// Two values, of the hypotheses H0 and H1.
struct Hypotheses {
  double h0 = 0;
  double h1 = 0;
};

// The scores of units, from -1/2 to 1/2 each, and a prior for their variance: `prior_units` units
// with variance `prior_variance`. Without it, the variance of the first few units would decide
// tests.
struct ScoreSums {
  static constexpr double kPriorUnits = 10;

  double prior_variance = 0;
  int64_t units = 0;
  double sum = 0;
  double sum_of_squares = 0;

  void Add(double score) {
    ++units;
    sum += score;
    sum_of_squares += score * score;
  }
  // The mean score; 0 without units.
  double mean() const { return units == 0 ? 0 : sum / static_cast<double>(units); }
  // The variance of one unit's score, with the prior.
  double variance() const;
};

// Returns log L(H1) - log L(H0) for normal scores of unknown variance, which is profiled out;
// `scores` are the expected scores of a unit.
double LogLikelihoodRatio(const ScoreSums& sums, const Hypotheses& scores);
// The same for hypotheses on the expected score in standard deviations of a unit.
double NormalizedLogLikelihoodRatio(const ScoreSums& sums, const Hypotheses& ratios);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_LOG_LIKELIHOOD_RATIO_H_
