// Drives a game with asynchronous players in an event loop.

#ifndef TRIARCH_WORKER_MATCH_LOOP_GAME_H_
#define TRIARCH_WORKER_MATCH_LOOP_GAME_H_

#include <atomic>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/event_loop.h"
#include "core/play/player.h"
#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "worker/match/running_game.h"

namespace triarch {

// Returns the players of a game that needs no loop, or nothing if any of them is asynchronous.
std::optional<PerSeat<SyncPlayer*>> AllSync(const PerSeat<PlayerRef>& players);
// Returns whether any player of a game needs SearchLimits::context.
bool WantContext(const PerSeat<PlayerRef>& players);

// Begins a game with a synchronous player. Fails with what it throws.
absl::Status BeginGame(SyncPlayer& player, const GameSpec& spec, Seat seat);
// Returns the player's decision. Fails with what it throws.
absl::StatusOr<Decision> AskPlayer(SyncPlayer& player, const AnyState& state,
                                   const AnyState::Moves& moves, const SearchLimits& limits);

class LoopGame;

// Caches the legal moves of the game that a loop handled last. A list takes kilobytes but is quick
// to make, and the loop handles only one of its many games at a time.
class LoopMoves {
 public:
  LoopMoves() = default;
  LoopMoves(const LoopMoves&) = delete;
  LoopMoves& operator=(const LoopMoves&) = delete;

  // Makes the list after `state` of the game has changed.
  AnyState::Moves& Make(const LoopGame* game, const AnyState& state) {
    moves_ = state.LegalMoves();
    game_ = game;
    return moves_;
  }
  // Returns the list. Requires: since the game's last Make, the state has changed only together
  // with the list, and the game is not over.
  AnyState::Moves& Of(const LoopGame* game, const AnyState& state) {
    return game_ == game ? moves_ : Make(game, state);
  }

 private:
  const LoopGame* game_ = nullptr;  // may be dangling
  AnyState::Moves moves_;
};

// A game with at least one asynchronous player, played in an event loop: no thread waits for it.
// Turns of synchronous players may take long, so they are handed to other threads.
class LoopGame {
 public:
  // Both are called in the loop's thread.
  struct Hooks {
    std::function<void()> think;  // requests a call of Think on some thread
    std::function<void()> end;    // the game is over or abandoned
    LiveMoves* live = nullptr;    // where to show the game, if anywhere
  };

  // All references must outlive this object. `moves` belongs to the loop. Setting `stop` abandons
  // the game at its next step, or sooner if Abandon is then called.
  LoopGame(const GameSpec& spec, const PerSeat<PlayerRef>& players, const std::atomic<bool>& stop,
           EventLoop& loop, LoopMoves& moves, RunningGame::TimePoint (*now)(), Hooks hooks);
  LoopGame(const LoopGame&) = delete;
  LoopGame& operator=(const LoopGame&) = delete;

  // Does the slow first step; call it first, in any thread. Fails with InvalidArgument if the
  // spec's position or opening is invalid for the game, or with an error of AsyncPlayer::Prepare.
  absl::Status Begin();
  // Starts the game; call it after Begin, in the loop's thread.
  void Start();
  // Makes the game end soon. Requires: `stop` is set.
  void Abandon();

  // Takes a synchronous player's turn. Requires: Hooks::think requested it.
  void Think();

  // Returns the record after the end, or nothing if the game was abandoned.
  std::optional<GameRecord> TakeRecord();

 private:
  void Begun();
  void NextTurn();
  void Ask(const AnyState::Moves& moves);
  void Answered(const absl::StatusOr<Decision>& decision);
  void End(bool is_abandoned);

  const GameSpec& spec_;
  const PerSeat<PlayerRef> players_;
  const std::atomic<bool>& stop_;
  EventLoop& loop_;
  LoopMoves& moves_;
  RunningGame::TimePoint (*const now_)();
  const Hooks hooks_;

  std::optional<RunningGame> game_;
  PerSeat<absl::Status> begun_{};  // why a player cannot play, if it failed to begin
  size_t beginning_ = 0;           // players that have not begun yet
  SearchLimits limits_;
  bool is_thinking_ = false;  // Think was requested or is running
  bool is_ended_ = false;
  bool is_abandoned_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_LOOP_GAME_H_
