#ifndef TRIARCH_CLI_TOURNAMENT_HOOKS_H_
#define TRIARCH_CLI_TOURNAMENT_HOOKS_H_

#include "coordinator/schedule/tournament_file.h"

namespace triarch {

// What tournament files need of the outside: the bundled bots, and files beside them.
TournamentHooks MakeTournamentHooks();

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_HOOKS_H_
