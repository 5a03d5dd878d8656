// Renders a tuning as text, JSON and SVG.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_TUNE_TEXT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_TUNE_TEXT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "coordinator/experiments/tune.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// Returns the tuned bot as `--bots` accepts it, "smart:risk=0.712"; of a user-supplied bot only the
// options, "risk=0.712".
std::string TunedBotText(const TournamentSpec& spec, const Tune& tune);

// Renders a report of at most 100 columns, every line ending with a line break.
std::string RenderTune(const TournamentSpec& spec, const Tune& tune);

// Renders one JSON object, indented by two, ending with a line break (docs/json.md).
std::string TuneJson(const TournamentSpec& spec, const Tune& tune);

// Renders an SVG picture of the options' paths in steps from the start.
std::string TuneSvg(const TournamentSpec& spec, const Tune& tune);

// A point of an option's path.
struct PathPoint {
  size_t iteration = 0;  // after so many results
  double value = 0;
};
// Returns points of the path at even intervals, at most `count`, including the first and the last.
// Requires: count >= 2.
std::vector<PathPoint> SamplePath(const Tune& tune, size_t option, size_t count);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_TUNE_TEXT_H_
