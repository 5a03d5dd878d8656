// Formats the analysis of one game: a table, JSON, or TPGN with notes.

#ifndef TRIARCH_CLI_TOURNAMENT_ANALYSIS_TEXT_H_
#define TRIARCH_CLI_TOURNAMENT_ANALYSIS_TEXT_H_

#include <string>
#include <vector>

#include "cli/tournament/game_analysis.h"
#include "core/any_state.h"
#include "core/record/game_record.h"

namespace triarch {

struct AnalyzedGame {
  const GameInfo& info;
  const GameRecord& record;
  std::string analyst;                // its name
  std::vector<EventAnalysis> events;  // one for each of the record's
};

// Returns a line for each event, and the sum for each seat.
std::string AnalysisText(const AnalyzedGame& game);
// Returns one line.
std::string AnalysisJson(const AnalyzedGame& game);
// Returns the game with the analyst's evaluations instead of the bots', the best line for each move
// as a variation, and comments for blunders.
std::string AnalysisTpgn(const AnalyzedGame& game);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_ANALYSIS_TEXT_H_
