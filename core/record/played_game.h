// Plays a game and records it, for the game runner and for the replay of reports.

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

// Plays a legal move of the seat on turn and describes it in `event`: its text in TPGN, and "+" or
// "#" but not both.
void PlayRecorded(const AnyState::Moves& moves, size_t number, AnyState* state,
                  RecordedEvent* event);

// A game in play with its record and its adjudication.
class PlayedGame {
 public:
  // InvalidArgument if the spec's position is not valid or has no legal move.
  static absl::StatusOr<PlayedGame> Begin(const GameSpec& spec);

  const AnyState& state() const { return state_; }
  const GameRecord& record() const { return record_; }
  // The functions below require: the game is not over.

  // Plays the opening, first. InvalidArgument names the move that is not legal.
  absl::Status PlayOpening(const std::vector<std::string>& opening);
  // Plays a legal move of the seat on turn, with its evaluation. Returns the event, to set its
  // clock.
  RecordedEvent& Play(const AnyState::Moves& moves, size_t number,
                      const std::optional<PerSeat<double>>& eval);
  // Marks the last move as a fallback.
  void NoteFallback();
  // Lets a seat that is still in resign or forfeit.
  void Leave(Seat seat, Termination why);
  // Claims a draw for the seat on turn. Returns false and changes nothing if there is none.
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
