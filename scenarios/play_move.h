// Plays a move in a user's notation, or a resignation.

#ifndef TRIARCH_SCENARIOS_PLAY_MOVE_H_
#define TRIARCH_SCENARIOS_PLAY_MOVE_H_

#include <string_view>

#include "absl/status/status.h"
#include "core/any_state.h"

namespace triarch {

// Plays a move, or a resignation written as "resign:" and the seat's letter. First judges the
// player to move, who may be mated or stalemated in a given position. An error says why the move is
// not legal; `state` is then unchanged, except that it may have been judged.
absl::Status PlayMove(AnyState& state, std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_PLAY_MOVE_H_
