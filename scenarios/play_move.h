// Plays moves in a user's notation, as TPGN writes them, or as JSON.

#ifndef TRIARCH_SCENARIOS_PLAY_MOVE_H_
#define TRIARCH_SCENARIOS_PLAY_MOVE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/any_state.h"
#include "core/record/game_record.h"

namespace triarch {

using RecordedEvents = std::vector<RecordedEvent>;

// Plays a move, or a resignation or draw claim written as "resign:" or "claim:" and the seat's
// letter. First judges the player to move, who may be mated or stalemated in a given position. An
// error says why the move is not legal; `state` is then unchanged, except that it may have been
// judged. Appends the event to `events` if that is not null.
absl::Status PlayMove(AnyState& state, std::string_view text, RecordedEvents* events = nullptr);

// Plays the moves of several texts. A text holds a JSON object (json_move.h), or one or more moves
// in the same forms and anything else that occurs among the moves of TPGN: numbers, "--", "+", "#",
// a result, comments. Comments of resignations, forfeits and draw claims take effect; an automatic
// draw is not claimed again. An error names the move by its number, from 1; `state` is then as
// before that move.
absl::Status PlayMoves(AnyState& state, const std::vector<std::string>& texts,
                       RecordedEvents* events = nullptr);

}  // namespace triarch

#endif  // TRIARCH_SCENARIOS_PLAY_MOVE_H_
