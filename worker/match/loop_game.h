// Drives a game in an event loop, for players that answer later.

#ifndef TRIARCH_WORKER_MATCH_LOOP_GAME_H_
#define TRIARCH_WORKER_MATCH_LOOP_GAME_H_

#include <atomic>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "worker/match/event_loop.h"
#include "worker/match/running_game.h"

namespace triarch {

// Of the players of a game (null beyond the last seat): whether some answer later, or want context.
bool NeedsLoop(const PerSeat<Player*>& players);
bool WantFacts(const PerSeat<Player*>& players);

// A player that answers at once begins the game. False if it cannot.
bool BeginsGame(Player& player, const GameSpec& spec, Seat seat);
// Its answer; empty if it threw.
std::optional<Decision> ChooseOrNothing(Player& player, const AnyState& state,
                                        const AnyState::Moves& moves, const SearchLimits& limits);

class LoopGame;

// The legal moves of the game of a loop that was looked at last. A list takes kilobytes and is made
// in a moment, and of the many games of a loop one is in hand at a time.
class LoopMoves {
 public:
  LoopMoves() = default;
  LoopMoves(const LoopMoves&) = delete;
  LoopMoves& operator=(const LoopMoves&) = delete;

  // `state` of the game has changed.
  const AnyState::Moves& Make(const LoopGame* game, const AnyState& state) {
    moves_ = state.LegalMoves();
    game_ = game;
    return moves_;
  }
  // It is as it was at the game's last Make.
  const AnyState::Moves& Of(const LoopGame* game, const AnyState& state) {
    return game_ == game ? moves_ : Make(game, state);
  }

 private:
  const LoopGame* game_ = nullptr;  // may be gone
  AnyState::Moves moves_;
};

// A game of which some player answers later, played in an event loop: no thread waits for it. The
// turns of players that answer at once are handed out, since they may take long.
class LoopGame {
 public:
  // Both are called in the loop's thread.
  struct Hooks {
    std::function<void()> think;  // have Think called, in some thread
    std::function<void()> end;    // the game is over or abandoned
  };

  // All that is referred to outlives this. `moves` is the loop's. `stop` abandons the game, at the
  // latest when Abandon is called after it was set.
  LoopGame(const GameSpec& spec, const PerSeat<Player*>& players, const std::atomic<bool>& stop,
           EventLoop& loop, LoopMoves& moves, RunningGame::TimePoint (*now)(), Hooks hooks);
  LoopGame(const LoopGame&) = delete;
  LoopGame& operator=(const LoopGame&) = delete;

  // First, in any thread: what may take long. InvalidArgument if the spec's position or opening is
  // not one of its game; what AsyncPlayer::Prepare says.
  absl::Status Begin();
  // Then, in the loop's.
  void Start();
  // `stop` was set: the game ends soon.
  void Abandon();

  // When it was asked for.
  void Think();

  // After the end; empty if it was abandoned.
  std::optional<GameRecord> TakeRecord();

 private:
  void Begun();
  void NextTurn();
  void Ask(const AnyState::Moves& moves);
  void Answered(const std::optional<Decision>& decision);
  void End(bool is_abandoned);

  const GameSpec& spec_;
  const PerSeat<Player*> players_;
  const std::atomic<bool>& stop_;
  EventLoop& loop_;
  LoopMoves& moves_;
  RunningGame::TimePoint (*const now_)();
  const Hooks hooks_;

  std::optional<RunningGame> game_;
  PerSeat<bool> is_ready_{};  // to play, from the start
  size_t beginning_ = 0;      // players that are not ready yet
  SearchLimits limits_;
  bool is_thinking_ = false;  // somewhere else
  bool is_ended_ = false;
  bool is_abandoned_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_LOOP_GAME_H_
