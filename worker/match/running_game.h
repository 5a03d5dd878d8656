// Decides the limits of each turn and the meaning of each answer in one game.

#ifndef TRIARCH_WORKER_MATCH_RUNNING_GAME_H_
#define TRIARCH_WORKER_MATCH_RUNNING_GAME_H_

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/any_state.h"
#include "core/play/player.h"
#include "core/play/time_control.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "core/record/played_game.h"
#include "worker/match/cpu_meter.h"
#include "worker/match/live_moves.h"
#include "worker/match/turn_facts.h"
#include "worker/match/turn_timer.h"
#include "worker/selfplay/selfplay_game.h"

namespace triarch {

// One game in progress: whose turn it is, which limits apply, and what an answer means. It never
// calls players or waits; its drivers (match.cc, loop_game.cc) do, turn by turn.
class RunningGame {
 public:
  using TimePoint = GameClock::TimePoint;
  using Duration = GameClock::Duration;

  // Requires: `game` has just begun with `spec`, which outlives this object. `now` is the clock.
  // `is_one_thread` means that the calling thread also plays the game and takes its record.
  RunningGame(const GameSpec& spec, PlayedGame game, TimePoint (*now)(), bool is_one_thread);
  RunningGame(const RunningGame&) = delete;
  RunningGame& operator=(const RunningGame&) = delete;

  // Plays the opening; call it first. `tells_facts` means that some player wants the turn context.
  // Fails with InvalidArgument, naming the first illegal move of the opening.
  absl::Status PlayOpening(bool tells_facts);

  // From now on shows the game there after each turn, unless it is null. It must outlive the game.
  void ShowIn(LiveMoves* live) { live_ = live; }

  const AnyState& state() const { return game_.state(); }
  size_t seats() const { return seats_; }
  bool is_over() const { return state().outcome().has_value(); }
  // Makes a seat forfeit; `message` says what happened if the caller knows more than the player.
  // Requires: the game is not over, and the seat is still in it.
  void Forfeit(Seat seat, Termination why, std::string message);

  // Begins the turn of state().to_move(). The returned context is valid until the next turn.
  // Requires: the game is not over.
  SearchLimits BeginTurn(const std::atomic<bool>& stop);
  // Applies the player's decision (an error if it threw) or makes it forfeit. Returns false after
  // an invalid draw claim: nothing has changed, and the player must be asked again. `moves` are the
  // legal moves of state(), before and, unless the game is over, after the call.
  bool Answer(AnyState::Moves& moves, const absl::StatusOr<Decision>& decision);

  // Sets the CPU time of a player that measures the whole game itself. Empty means unknown.
  void SetCpuOfGame(Seat seat, std::optional<Duration> cpu);

  // Lets the players that forfeited describe their faults. Requires: the game is over, and the
  // asynchronous players have not ended it yet.
  void DescribeFaults(const PerSeat<PlayerRef>& players);

  // Requires: the game is over.
  GameRecord TakeRecord();

 private:
  // Adds the opening's moves to the history and the self-play data.
  absl::Status FollowOpening();
  void Leave(Seat seat, Termination why);
  const TurnContext& TellFacts();
  // Returns the decision after self-play's exploration.
  Decision Explored(Seat seat, const AnyState::Moves& moves, Decision decision);
  // Lets the player report what it says about its move.
  void AskForInfo(SearchLimits* limits);
  // Returns what the player said about the move, before it is played.
  MoveInfo TakeInfo(const AnyState::Moves& moves, const Decision& decision) const;
  bool Obey(Seat seat, AnyState::Moves& moves, const absl::StatusOr<Decision>& decision,
            Duration wall);
  // Returns what to say about a turn that took `used`, which is too long.
  std::string LateMessage(Seat seat, Duration used) const;
  // `wall` is the duration of the turn, and `used` the part charged to the player.
  void PlayMove(Seat seat, AnyState::Moves& moves, const Decision& decision, Duration wall,
                Duration used);

  const GameSpec& spec_;
  const size_t seats_;
  const PerSeat<TimeControl> controls_;
  GameClock clock_;
  TimePoint (*const now_)();
  const TimePoint began_;
  TurnTimer timer_;
  CpuMeter cpu_;
  PerSeat<bool> has_cpu_of_game_{};  // whether it was set; it may still be unknown
  PlayedGame game_;
  LiveMoves* live_ = nullptr;
  std::vector<GameFault> faults_;        // of the seats that forfeited
  int answers_ = 0;                      // in this turn
  std::optional<Duration> cpu_of_turn_;  // CPU time of the turn's answers, if it is read
  std::optional<GameHistory> history_;   // if some player wants the turn context
  std::optional<SelfplayGame> selfplay_;
  SearchInfo own_info_;               // where self-play does not ask for one
  const SearchInfo* info_ = nullptr;  // about the turn's move; null if it is not to be recorded
  TurnContext context_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_RUNNING_GAME_H_
