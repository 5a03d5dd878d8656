#ifndef TRIARCH_CORE_SCHEDULE_RANDOM_OPENING_H_
#define TRIARCH_CORE_SCHEDULE_RANDOM_OPENING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/any_state.h"

namespace triarch {

// `plies` uniformly random legal moves from `start`, as canonical text: always the same for the
// same seed. They neither end the game nor eliminate anybody: moves that do are drawn again. If
// that fails time and again, as near the end of a game, there are fewer moves, or none.
std::vector<std::string> RandomOpening(const AnyState& start, int64_t plies, uint64_t seed);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_RANDOM_OPENING_H_
