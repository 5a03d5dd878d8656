// Plays a game and records it, for the game runner and for the replay of reports.

#ifndef TRIARCH_CORE_RECORD_PLAYED_GAME_H_
#define TRIARCH_CORE_RECORD_PLAYED_GAME_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/record/adjudicator.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"

namespace triarch {

// Plays a legal move of the seat to move and describes it in `event`: its text in TPGN, and "+" or
// "#" but not both.
void PlayRecorded(const AnyState::Moves& moves, size_t number, AnyState* state,
                  RecordedEvent* event);

// A game in progress with its record and adjudication.
class PlayedGame {
 public:
  // InvalidArgument: the spec's position is invalid or has no legal move.
  static absl::StatusOr<PlayedGame> Begin(const GameSpec& spec);

  const AnyState& state() const { return state_; }
  const GameRecord& record() const { return record_; }
  // The functions below require that the game is not over.

  // Makes room for that many events.
  void Reserve(size_t events) { record_.events.reserve(events); }
  // Plays the opening; call it first. InvalidArgument names an illegal move.
  absl::Status PlayOpening(const std::vector<std::string>& opening);
  // Plays a legal move of the seat to move, with its evaluation. Returns the event, so that the
  // caller can set its clock. `text` is the move's text in TPGN if the caller has it.
  RecordedEvent& Play(const AnyState::Moves& moves, size_t number,
                      const std::optional<PerSeat<double>>& eval, std::string_view text = {});
  // The same, and replaces `moves` by the legal moves of the new state, unless the game is over.
  RecordedEvent& PlayAndList(AnyState::Moves& moves, size_t number,
                             const std::optional<PerSeat<double>>& eval);
  // Marks the last move as a fallback.
  void NoteFallback();
  // Adds what the bot said about the last move, unless it said nothing.
  void NoteInfo(MoveInfo info);
  // Makes a remaining seat resign or forfeit.
  void Leave(Seat seat, Termination why);
  // Claims a draw for the seat to move. Returns false and changes nothing if no draw can be
  // claimed.
  bool ClaimDraw();
  SeatCost& cost(Seat seat) { return record_.costs[seat]; }
  // Sets the name of who plays the seat now.
  void Rename(Seat seat, std::string name) { record_.bots[seat] = std::move(name); }

  // Requires: the game is over.
  GameRecord TakeRecord() &&;

 private:
  PlayedGame(const GameSpec& spec, AnyState state);

  // Completes a move that has been played.
  void AddPly(RecordedEvent& event, const std::optional<PerSeat<double>>& eval);
  RecordedEvent& AddEvent(RecordedEvent::Kind kind, Seat seat);
  void End(const EarlyEnd& end);

  Adjudicator adjudicator_;
  GameRecord record_;
  AnyState state_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_PLAYED_GAME_H_
