#ifndef TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_
#define TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_

#include "core/record/tournament_spec.h"

namespace triarch {

// Plays what is missing of a tournament, records it, writes its games and prints the standings.
// The exit code: 1 if something failed or the run was interrupted, whatever was recorded until
// then.
int RunTournament(const TournamentSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_RUN_TOURNAMENT_H_
