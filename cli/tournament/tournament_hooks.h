// Checks bots and finds bundles for the reader of tournament files.

#ifndef TRIARCH_CLI_TOURNAMENT_TOURNAMENT_HOOKS_H_
#define TRIARCH_CLI_TOURNAMENT_TOURNAMENT_HOOKS_H_

#include "absl/status/status.h"
#include "cli/cluster/operator_client.h"
#include "spec/tournament_draft.h"

namespace triarch {

// For tournaments that this program plays. Bundled bots, plugins and processes are asked for their
// options; bundles are folders.
TournamentHooks MakeTournamentHooks();

// For tournaments that a coordinator plays, which has the bundles. If it cannot be asked, `failure`
// becomes the reason. Both must outlive the hooks.
TournamentHooks MakeSubmitHooks(OperatorClient* client, absl::Status* failure);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_TOURNAMENT_HOOKS_H_
