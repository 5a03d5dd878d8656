#ifndef TRIARCH_WORKER_MATCH_MATCH_H_
#define TRIARCH_WORKER_MATCH_MATCH_H_

#include <atomic>
#include <optional>

#include "absl/status/statusor.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "worker/match/player.h"

namespace triarch {

// The game runner: plays one game. A player that throws, answers with no legal move or oversteps
// its time forfeits (is eliminated, its pieces go as after a resignation) and play goes on.
// Empty if `stop` was set meanwhile: the game is abandoned. InvalidArgument if the spec's position
// or opening is not one of its game.
absl::StatusOr<std::optional<GameRecord>> PlayGame(const GameSpec& spec,
                                                   const PerSeat<Player*>& players,
                                                   const std::atomic<bool>& stop);

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_MATCH_H_
