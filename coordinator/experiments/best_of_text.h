// Renders the state and result of a search for the best variant as text and JSON.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_BEST_OF_TEXT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_BEST_OF_TEXT_H_

#include <string>

#include "coordinator/experiments/best_of.h"
#include "core/record/tournament_spec.h"

namespace triarch::experiments {

// Returns the verdict as one sentence without a line break.
std::string BestOfVerdict(const TournamentSpec& spec, const BestOf& best_of);

// Renders a report of at most 100 columns, every line ending with a line break.
std::string RenderBestOf(const TournamentSpec& spec, const BestOf& best_of);

// Renders one JSON object, indented by two, ending with a line break (docs/json.md).
std::string BestOfJson(const TournamentSpec& spec, const BestOf& best_of);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_BEST_OF_TEXT_H_
