#ifndef TRIARCH_SELFPLAY_DATASET_REPLAY_SAMPLES_H_
#define TRIARCH_SELFPLAY_DATASET_REPLAY_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "selfplay/shard/shard.h"

namespace triarch {

// What a shard says that the rules do not.
struct SampleFault {
  std::optional<size_t> sample = {};  // its number in the shard; empty: the fault is the game's
  int64_t game = 0;                   // its index in the tournament
  size_t ply = 0;
  std::string what = {};  // the array, what it says, and what was expected
};

// "sample 12 (game 7, ply 31): cells: …", "game 7, ply 31: …".
std::string ToString(const SampleFault& fault);

// Plays all games again from game_start by game_moves, and tells each fault: a move that is none;
// seat, cells, state or legal of a sample that are not the position's; a ply at which a seat was to
// have resigned that is not its turn; and points that the end of the game does not give. Where the
// rules do not end it, that is a draw of those still in, or a win of one of them. After an illegal
// move the rest of that game is not looked at. Requires: CheckShard, which has checked the rest,
// has nothing to say.
void ReplaySamples(const Shard& shard, const std::function<void(const SampleFault&)>& on_fault);

}  // namespace triarch

#endif  // TRIARCH_SELFPLAY_DATASET_REPLAY_SAMPLES_H_
