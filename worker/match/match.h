// Plays one game with players that answer at once.

#ifndef TRIARCH_WORKER_MATCH_MATCH_H_
#define TRIARCH_WORKER_MATCH_MATCH_H_

#include <atomic>
#include <chrono>
#include <optional>

#include "absl/status/statusor.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// The game runner: plays one game. A player that throws, answers with no legal move or oversteps
// its time forfeits (is eliminated, its pieces go as after a resignation) and play goes on. A claim
// of a draw that is none is passed over and the player asked again; if it then claims once more it
// forfeits as for an illegal move.
//
// Empty if `stop` was set meanwhile: the game is abandoned. InvalidArgument if the spec's position
// or opening is not one of its game. `now` is the clock; tests have one of their own.
absl::StatusOr<std::optional<GameRecord>> PlayGame(
    const GameSpec& spec, const PerSeat<Player*>& players, const std::atomic<bool>& stop,
    std::chrono::steady_clock::time_point (*now)() = std::chrono::steady_clock::now);

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_MATCH_H_
