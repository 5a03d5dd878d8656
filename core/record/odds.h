// Gives a bot its own limits instead of its tournament's.

#ifndef TRIARCH_CORE_RECORD_ODDS_H_
#define TRIARCH_CORE_RECORD_ODDS_H_

#include "core/record/game_spec.h"

namespace triarch {

// Returns the limits of one bot. Its own limits, if it has any, replace the nodes and depth of
// `common`; its own time, if it has any, also replaces the clock and the time per move.
TimeControl TimeControlOf(const TimeControl& common, const BotSpec& bot);

// Returns the limits of all seats of a game.
PerSeat<TimeControl> TimeControlsOf(const GameSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_ODDS_H_
