// Predicts the cost of a sequential test.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_TEST_PLAN_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_TEST_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record/test_spec.h"

namespace triarch::experiments {

struct TestCost {
  double elo = 0;        // true difference, in the unit of the hypotheses
  double passes = 0;     // probability that the test passes
  int64_t games = 0;     // expected number
  int64_t games_95 = 0;  // 95 % of the tests need no more
};
struct TestPlan {
  std::vector<TestCost> costs;  // by ascending difference
  int64_t games_fixed = 0;      // that a test without looking needs for the same errors
};

// Predicts for bots of about equal strength, without seat effects or ties.
TestPlan PlanTest(const TestSpec& test, size_t seats);
// Renders the plan as a table, every line ending with a line break.
std::string RenderPlan(const TestSpec& test, size_t seats);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_TEST_PLAN_H_
