#ifndef TRIARCH_CLI_RULES_PLAY_MOVE_H_
#define TRIARCH_CLI_RULES_PLAY_MOVE_H_

#include <string_view>

#include "absl/status/status.h"
#include "core/any_state.h"

namespace triarch {

// Plays a move as it is written, or lets a seat resign: "resign:" and its letter. A position may be
// given with the player on turn mated or stalemated, which is judged first. The error says why the
// move is none; then the state may have been judged but has not changed otherwise.
absl::Status PlayMove(AnyState& state, std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_CLI_RULES_PLAY_MOVE_H_
