#ifndef TRIARCH_CORE_RECORD_PLAYED_GAME_H_
#define TRIARCH_CORE_RECORD_PLAYED_GAME_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/record/adjudicator.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// Plays a legal move of the seat on turn; `event` becomes what is recorded of it: its text in TPGN,
// and "+" or "#", not both.
void PlayRecorded(const AnyState::Moves& moves, size_t number, AnyState* state,
                  RecordedEvent* event);

// A game in play and its record: what is recorded of each thing that happens, and when the match
// ends the game. The game runner plays with it, and the replay of what a game runner reports.
class PlayedGame {
 public:
  // InvalidArgument if the spec's position is not one of its game, or nobody can move in it.
  static absl::StatusOr<PlayedGame> Begin(const GameSpec& spec);

  const AnyState& state() const { return state_; }
  const GameRecord& record() const { return record_; }
  // The rest of these require: the game is not over.

  // Before all else. InvalidArgument names the move that is none.
  absl::Status PlayOpening(const std::vector<std::string>& opening);
  // A legal move of the seat on turn, and its opinion. What comes back is the event, for its clock.
  RecordedEvent& Play(const AnyState::Moves& moves, size_t number,
                      const std::optional<PerSeat<double>>& eval);
  // The move just played was a fallback.
  void NoteFallback();
  // A seat that is in resigns or forfeits.
  void Leave(Seat seat, Termination why);
  // The seat on turn claims a draw; false, and nothing changes, if there is none.
  bool ClaimDraw();
  SeatCost& cost(Seat seat) { return record_.costs[seat]; }

  // Requires: the game is over.
  GameRecord TakeRecord() &&;

 private:
  PlayedGame(const GameSpec& spec, AnyState state);

  RecordedEvent& AddEvent(RecordedEvent::Kind kind, Seat seat);
  void Adjudicate();

  Adjudicator adjudicator_;
  GameRecord record_;
  AnyState state_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_PLAYED_GAME_H_
