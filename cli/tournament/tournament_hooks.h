#ifndef TRIARCH_CLI_TOURNAMENT_TOURNAMENT_HOOKS_H_
#define TRIARCH_CLI_TOURNAMENT_TOURNAMENT_HOOKS_H_

#include "absl/status/status.h"
#include "cli/cluster/operator_client.h"
#include "spec/tournament_file.h"

namespace triarch {

// Tournaments of this program: bots as they are bundled, as their plugins say, or as their
// processes do; bundles are folders.
TournamentHooks MakeTournamentHooks();

// Tournaments for a coordinator, which has the bundles. `unasked` becomes why it could not be
// asked. Both must outlive the hooks.
TournamentHooks MakeSubmitHooks(OperatorClient* client, absl::Status* unasked);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_TOURNAMENT_HOOKS_H_
