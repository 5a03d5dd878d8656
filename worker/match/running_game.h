// Decides what a turn is and what an answer means, in one game.

#ifndef TRIARCH_WORKER_MATCH_RUNNING_GAME_H_
#define TRIARCH_WORKER_MATCH_RUNNING_GAME_H_

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/any_state.h"
#include "core/play/player.h"
#include "core/play/time_control.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "core/record/played_game.h"
#include "worker/match/cpu_meter.h"
#include "worker/match/turn_timer.h"
#include "worker/selfplay/selfplay_game.h"

namespace triarch {

// One game in play: whose turn it is, what limits it, what an answer means. It asks nobody and
// waits for nothing: those who do (match.cc, loop_game.cc) drive it, a turn at a time.
class RunningGame {
 public:
  using TimePoint = GameClock::TimePoint;
  using Duration = GameClock::Duration;

  // `game` has just begun with `spec`, which outlives this. `now` is the clock. `is_one_thread`:
  // it is made, played and its record taken by this one.
  RunningGame(const GameSpec& spec, PlayedGame game, TimePoint (*now)(), bool is_one_thread);
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

  // The turn of state().to_move() begins; the context hold until the next one. Requires: not over.
  SearchLimits BeginTurn(const std::atomic<bool>& stop);
  // Does what the player answered (empty: it threw), or makes it forfeit. False after a false claim
  // of a draw: nothing has changed, and the player is to be asked again. `moves` are those of
  // state(), in which it is still that turn.
  bool Answer(const AnyState::Moves& moves, const std::optional<Decision>& decision);

  // Of a player that tells what it has used of the processor in the whole game, or does not know.
  void SetCpuOfGame(Seat seat, std::optional<Duration> cpu);

  // Requires: it is over.
  GameRecord TakeRecord();

 private:
  // The game so far, as TurnContext have it.
  class History {
   public:
    // Of a game that begins. `start` is its start.
    History(const GameSpec& spec, const AnyState& start);
    void Add(const std::string& move);
    // Somebody left the game: no moves lead here from the start.
    void BeginAt(const AnyState& state);
    const std::string& text() const { return text_; }

   private:
    std::string text_;
    bool has_moves_ = false;
  };

  // The opening once more, for those who follow the moves beside the game.
  absl::Status FollowOpening();
  const TurnContext& TellFacts(Seat seat);
  // What self-play makes of the answer.
  Decision Explored(Seat seat, const AnyState::Moves& moves, Decision decision);
  bool Obey(Seat seat, const AnyState::Moves& moves, const std::optional<Decision>& decision,
            Duration wall);
  // `wall`: how long the turn has taken; `used`: what is charged of it.
  void PlayMove(Seat seat, const AnyState::Moves& moves, const Decision& decision, Duration wall,
                Duration used);

  const GameSpec& spec_;
  const size_t seats_;
  GameClock clock_;
  TimePoint (*const now_)();
  const TimePoint began_;
  TurnTimer timer_;
  CpuMeter cpu_;
  PerSeat<bool> has_cpu_of_game_{};  // it was told; it may still be unknown
  PlayedGame game_;
  int answers_ = 0;                      // in this turn
  std::optional<Duration> cpu_of_turn_;  // processor time of these, where it is read
  std::optional<History> history_;       // if context are told
  std::optional<SelfplayGame> selfplay_;
  TurnContext context_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_RUNNING_GAME_H_
