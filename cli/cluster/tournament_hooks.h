// Checks bots and finds bundles for the reader of tournament files.

#ifndef TRIARCH_CLI_CLUSTER_TOURNAMENT_HOOKS_H_
#define TRIARCH_CLI_CLUSTER_TOURNAMENT_HOOKS_H_

#include "absl/status/status.h"
#include "cli/cluster/operator_client.h"
#include "spec/tournament_draft.h"

namespace triarch {

// Returns hooks for tournaments that this program plays: bundled bots, plugins and processes are
// asked for their options, and bundles are folders.
TournamentHooks MakeTournamentHooks();

// Returns hooks for tournaments on a coordinator, which has the bundles. If it cannot be asked,
// `failure` becomes the reason. Both arguments must outlive the hooks.
TournamentHooks MakeSubmitHooks(OperatorClient* client, absl::Status* failure);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_TOURNAMENT_HOOKS_H_
