// Replays the games of a report by the rules before they are recorded.

#ifndef TRIARCH_COORDINATOR_SERVICE_REPLAY_GAMES_H_
#define TRIARCH_COORDINATOR_SERVICE_REPLAY_GAMES_H_

#include <vector>

#include "absl/status/status.h"
#include "core/record/game_record.h"
#include "core/schedule/schedule.h"

namespace triarch {

// Completes the games with what only the schedule and the rules say. With `are_trusted` the rules
// do not check them. InvalidArgument: which game is false, and why.
absl::Status ReplayGames(const Schedule& schedule, bool are_trusted,
                         std::vector<GameRecord>& games);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_REPLAY_GAMES_H_
