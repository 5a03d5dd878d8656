// Checks the samples of a shard against the rules.

#ifndef TRIARCH_SELFPLAY_DATASET_REPLAY_SAMPLES_H_
#define TRIARCH_SELFPLAY_DATASET_REPLAY_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "selfplay/shard/shard.h"

namespace triarch {

// A contradiction between a shard and the rules.
struct SampleFault {
  std::optional<size_t> sample = {};  // row in the shard; empty if the fault concerns the game
  int64_t game = 0;                   // index in the tournament
  size_t ply = 0;
  std::string what = {};  // array, value, and what was expected
};

// Returns "sample 12 (game 7, ply 31): cells: …" or "game 7, ply 31: …".
std::string ToString(const SampleFault& fault);

// Replays all games from game_start and reports each fault: an illegal move; a sample whose seat,
// cells, state or legal moves differ from the position's; a resignation ply at which the seat is
// not to move; and points that do not match the end of the game. If the rules do not end the game,
// the points must be a draw of the seats still in it, or a win for one of them. Skips the rest of a
// game after an illegal move. Requires: CheckShard, which checks everything else, succeeds.
void ReplaySamples(const Shard& shard, const std::function<void(const SampleFault&)>& on_fault);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_REPLAY_SAMPLES_H_
