// Draws random opening moves.

#ifndef TRIARCH_CORE_SCHEDULE_RANDOM_OPENING_H_
#define TRIARCH_CORE_SCHEDULE_RANDOM_OPENING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/any_state.h"

namespace triarch {

// Returns `plies` uniformly random legal moves from `start` as canonical text, always the same for
// a seed. They neither end the game nor eliminate a seat; draws that would are repeated. If that
// fails many times, as it may near the end of a game, returns fewer moves or none.
std::vector<std::string> RandomOpening(const AnyState& start, int64_t plies, uint64_t seed);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_RANDOM_OPENING_H_
