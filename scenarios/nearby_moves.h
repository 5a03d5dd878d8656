// Finds legal moves that resemble an illegal one, to help the user find the mistake.

#ifndef TRIARCH_SCENARIOS_NEARBY_MOVES_H_
#define TRIARCH_SCENARIOS_NEARBY_MOVES_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/any_state.h"

namespace triarch {

// Returns at most 12 of `moves`, the most similar first. If some begin where `text` begins, returns
// only those.
std::vector<std::string> NearbyMoves(const AnyState& state, const AnyState::Moves& moves,
                                     std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_NEARBY_MOVES_H_
