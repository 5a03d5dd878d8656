#ifndef TRIARCH_WORKER_MATCH_RUNNING_GAME_H_
#define TRIARCH_WORKER_MATCH_RUNNING_GAME_H_

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/any_state.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "core/record/played_game.h"
#include "worker/match/player.h"
#include "worker/match/time_control.h"
#include "worker/match/turn_timer.h"

namespace triarch {

// One game in play: whose turn it is, what limits it, what an answer means. It asks nobody and
// waits for nothing: those who do (match.cc, loop_game.cc) drive it, a turn at a time.
class RunningGame {
 public:
  using TimePoint = GameClock::TimePoint;
  using Duration = GameClock::Duration;

  // `game` has just begun with `spec`, which outlives this. `now` is the clock.
  RunningGame(const GameSpec& spec, PlayedGame game, TimePoint (*now)());
  RunningGame(const RunningGame&) = delete;
  RunningGame& operator=(const RunningGame&) = delete;

  // Before all else. `tells_facts`: some player wants them. InvalidArgument names the move of the
  // opening that is none.
  absl::Status PlayOpening(bool tells_facts);

  const AnyState& state() const { return game_.state(); }
  size_t seats() const { return seats_; }
  bool is_over() const { return state().outcome().has_value(); }
  // Requires: it is not over, and the seat is in.
  void Leave(Seat seat, Termination why);

  // The turn of state().to_move() begins; the facts hold until the next one. Requires: not over.
  SearchLimits BeginTurn(const std::atomic<bool>& stop);
  // Does what the player answered (empty: it threw), or makes it forfeit. False after a false claim
  // of a draw: nothing has changed, and the player is to be asked again. `moves` are those of
  // state(), in which it is still that turn.
  bool Answer(const AnyState::Moves& moves, const std::optional<Decision>& decision);

  // Requires: it is over.
  GameRecord TakeRecord();

 private:
  // The game so far, as TurnFacts have it.
  class History {
   public:
    // Of a game that begins. `start` is its start.
    History(const GameSpec& spec, const AnyState& start);
    // Before the opening is played.
    absl::Status AddOpening(AnyState state);
    void Add(const std::string& move);
    // Somebody left the game: no moves lead here from the start.
    void BeginAt(const AnyState& state);
    const std::string& text() const { return text_; }

   private:
    const std::vector<std::string>& opening_;
    std::string text_;
    bool has_moves_ = false;
  };

  const TurnFacts& TellFacts(Seat seat);
  bool Obey(Seat seat, const AnyState::Moves& moves, const std::optional<Decision>& decision);
  void PlayMove(Seat seat, const AnyState::Moves& moves, const Decision& decision, Duration used);

  const GameSpec& spec_;
  const size_t seats_;
  GameClock clock_;
  TurnTimer timer_;
  PlayedGame game_;
  int answers_ = 0;                 // in this turn
  Duration charged_{};              // processor time of those before, where that counts
  std::optional<History> history_;  // if facts are told
  TurnFacts facts_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_RUNNING_GAME_H_
