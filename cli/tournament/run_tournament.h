// Plays a whole tournament in this process, for `triarch run`.

#ifndef TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_
#define TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_

#include "core/record/tournament_spec.h"

namespace triarch {

// Plays and records the tournament's remaining games, writes its TPGN and prints the standings.
// Returns the exit code: 1 on failure or interruption. Recorded games stay.
int RunTournament(const TournamentSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_
