// Estimates the score after a sequential test has stopped, and predicts when it will.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_STOPPED_WALK_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_STOPPED_WALK_H_

#include "coordinator/experiments/log_likelihood_ratio.h"

// The log-likelihood ratio is treated as Brownian motion that starts between two bounds.
namespace triarch::experiments {

// The bounds of the log-likelihood ratio: below 0, and above 0.
struct Bounds {
  double lower = 0;
  double upper = 0;
};
// Returns Wald's bounds for these error probabilities.
Bounds WaldBounds(double alpha, double beta);

// A walk's change per unit: mean and variance.
struct Walk {
  double drift = 0;
  double variance = 0;
};
// Returns the walk of the log-likelihood ratio if the expected score of a unit is `score`, its
// variance is `variance`, and the hypotheses expect `scores`.
Walk WalkOf(double score, double variance, const Hypotheses& scores);

// Returns the probability that the walk crosses the upper bound before the lower one: at any time,
// or within `units`.
double ProbabilityOfPassing(const Walk& walk, const Bounds& bounds);
double ProbabilityOfPassing(const Walk& walk, const Bounds& bounds, double units);
// Returns the probability that the walk crosses a bound within `units`.
double ProbabilityOfStopping(const Walk& walk, const Bounds& bounds, double units);
// Returns the expected number of units until the walk crosses a bound.
double ExpectedUnits(const Walk& walk, const Bounds& bounds);

// An estimate with its 95 % interval.
struct IntervalEstimate {
  double low = 0;
  double value = 0;
  double high = 0;
};
// Returns the median-unbiased estimate of a unit's expected score after the test crossed a bound.
// (The mean score is biased: a test stops when it is extreme.) `bounds` contains, for the bound
// that was crossed, the ratio that was reached.
IntervalEstimate EstimateAfterStop(bool has_passed, const Bounds& bounds, const ScoreSums& sums,
                                   const Hypotheses& scores);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_STOPPED_WALK_H_
