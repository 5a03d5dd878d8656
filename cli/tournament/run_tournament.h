// Plays a whole tournament in this process, for `triarch run`.

#ifndef TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_
#define TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_

#include "cli/tournament/run_settings.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Plays and records the tournament's remaining games, writes its TPGN and prints the standings.
// Returns the exit code: 1 on failure or interruption, and for a finished test that of its verdict.
// Recorded games stay. With `settings.is_json`, standard output is only the standings or the report
// of a test, as JSON.
int RunTournament(const TournamentSpec& spec, const RunSettings& settings);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_
