// Lists the experiments of triarch-statistics.

#ifndef TRIARCH_TESTS_STATISTICS_EXPERIMENTS_H_
#define TRIARCH_TESTS_STATISTICS_EXPERIMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/statistics/figures.h"
#include "tests/statistics/runs.h"

namespace triarch::statistics {

// Simulate events, pools, tunings and tournaments with a planted coalition.
std::vector<Figure> MeasureSwiss(const Runs& runs);
std::vector<Figure> MeasureAdaptive(const Runs& runs);
std::vector<Figure> MeasureSpsa(const Runs& runs);
std::vector<Figure> MeasureCoalition(const Runs& runs);
// Simulate sequential tests: their errors, and their cost and estimates by the true difference.
std::vector<Figure> MeasureTests(const Runs& runs);
std::vector<Figure> MeasureTestCosts(const Runs& runs);
// Simulates searches for the best of several variants.
std::vector<Figure> MeasureBestOf(const Runs& runs);

// Compares the model of the ratings with its reverse, which draws the first place first, on the
// only tournament of each database, and counts the triples that the second layer does not explain.
absl::StatusOr<std::vector<Figure>> MeasureFit(const std::vector<std::string>& databases);

}  // namespace triarch::statistics

#endif  // TRIARCH_TESTS_STATISTICS_EXPERIMENTS_H_
