// Gathers the facts of a turn that players are told: how the game came to it, and the time.

#ifndef TRIARCH_WORKER_MATCH_TURN_FACTS_H_
#define TRIARCH_WORKER_MATCH_TURN_FACTS_H_

#include <string>

#include "core/any_state.h"
#include "core/play/player.h"
#include "core/play/time_control.h"
#include "core/record/game_spec.h"

namespace triarch {

// The game so far, in the form of TurnContext::position.
class GameHistory {
 public:
  // Requires: the game begins at `start`.
  GameHistory(const GameSpec& spec, const AnyState& start);
  // Adds a move in canonical text.
  void Add(const std::string& move);
  // Restarts the history because a seat left: moves alone no longer lead here from the start.
  void BeginAt(const AnyState& state);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool has_moves_ = false;
};

// Returns the facts of the turn of state.to_move(), which points into `history`. `controls` are
// those of the clock.
TurnContext FactsOfTurn(const AnyState& state, const GameHistory& history,
                        const PerSeat<TimeControl>& controls, const GameClock& clock,
                        GameClock::TimePoint began);

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_TURN_FACTS_H_
