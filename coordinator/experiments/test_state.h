// Holds the verdict and the progress of a sequential test.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_TEST_STATE_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_TEST_STATE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "coordinator/experiments/stopped_walk.h"

namespace triarch::experiments {

enum class Verdict : uint8_t {
  kUnderWay,
  kBetter,     // the ratio reached the upper bound
  kNotShown,   // the ratio reached the lower bound
  kUndecided,  // all games were played, and the ratio reached no bound
};
// "under_way", "better", "not_shown", "undecided"
std::string_view ToString(Verdict verdict);

struct TestState {
  Verdict verdict = Verdict::kUnderWay;
  int64_t units = 0;  // in the prefix, see SequentialTest
  int64_t games = 0;  // of these units
  double llr = 0;
  Bounds bounds = {};
  // In Elo, with its 95 % interval. After a verdict, adjusted for the stop unless that came at the
  // first look; otherwise the plain mean.
  std::optional<IntervalEstimate> elo = {};
  bool is_adjusted = false;
  // Estimated from the mean so far; empty after the verdict and before the first look.
  std::optional<int64_t> games_left = {};
};

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_TEST_STATE_H_
