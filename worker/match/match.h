// Plays one game with synchronous players.

#ifndef TRIARCH_WORKER_MATCH_MATCH_H_
#define TRIARCH_WORKER_MATCH_MATCH_H_

#include <atomic>
#include <chrono>
#include <optional>

#include "absl/status/statusor.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "worker/match/live_moves.h"

namespace triarch {

// Plays one game. A player that throws, makes an illegal move or exceeds its time forfeits (it is
// eliminated, and its pieces are treated as after a resignation), and play continues. After an
// invalid draw claim the player is asked again; a second one in the same turn forfeits like an
// illegal move.
//
// Returns nothing if the game was abandoned because `stop` was set. Fails with InvalidArgument if
// the spec's position or opening is invalid for the game. `now` is the clock, replaceable in tests.
// With `live`, shows the game there if all players are synchronous.
absl::StatusOr<std::optional<GameRecord>> PlayGame(
    const GameSpec& spec, const PerSeat<PlayerRef>& players, const std::atomic<bool>& stop,
    std::chrono::steady_clock::time_point (*now)() = std::chrono::steady_clock::now,
    LiveMoves* live = nullptr);

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_MATCH_H_
