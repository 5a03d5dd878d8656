// Replays a report's games by the rules before they are recorded.

#ifndef TRIARCH_COORDINATOR_SERVICE_REPLAY_GAMES_H_
#define TRIARCH_COORDINATOR_SERVICE_REPLAY_GAMES_H_

#include <vector>

#include "absl/status/status.h"
#include "core/record/game_record.h"
#include "core/record/planned_match.h"
#include "core/schedule/schedule.h"

namespace triarch {

// Completes the games with what follows from the schedule and the rules. With `are_trusted`, skips
// the check by the rules. `matches` are those of the games, if they are planned. Fails with
// InvalidArgument, naming the invalid game and the reason.
absl::Status ReplayGames(const Schedule& schedule, const std::vector<PlannedMatch>& matches,
                         bool are_trusted, std::vector<GameRecord>& games);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_REPLAY_GAMES_H_
