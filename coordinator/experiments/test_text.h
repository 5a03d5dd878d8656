// Renders the state and result of a sequential test as text and JSON.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_TEST_TEXT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_TEST_TEXT_H_

#include <string>

#include "coordinator/experiments/sequential_test.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// Returns the ratio between its bounds and the estimate, for a progress line:
// "LLR 1.24 in [-2.94, 2.94]  Elo +3.1 (-2.0 to +8.2)".
std::string TestLine(const TestState& state);

// Returns the verdict as one sentence without a line break.
std::string VerdictText(const TournamentSpec& spec, const SequentialTest& test);

// Renders a report of at most 100 columns, every line ending with a line break.
std::string RenderTest(const TournamentSpec& spec, const SequentialTest& test);

// Renders one JSON object, indented by two, ending with a line break (docs/json.md).
std::string TestJson(const TournamentSpec& spec, const SequentialTest& test);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_TEST_TEXT_H_
