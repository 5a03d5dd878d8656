// Plays games in an event loop with its own thread.

#ifndef TRIARCH_WORKER_MATCH_GAME_LOOP_H_
#define TRIARCH_WORKER_MATCH_GAME_LOOP_H_

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/base/event_loop.h"
#include "core/base/mutex.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"
#include "worker/match/loop_game.h"

namespace triarch {

// The part of Slots that plays games with asynchronous players: any number in parallel, without a
// thread per game. The loop and its thread start with the first game.
class GameLoop {
 public:
  GameLoop() = default;
  ~GameLoop() { Stop(); }
  GameLoop(const GameLoop&) = delete;
  GameLoop& operator=(const GameLoop&) = delete;

  // Makes a game and runs its slow first step, LoopGame::Begin, in the calling thread. `stop`
  // abandons the game. The hooks are called in the loop's thread; the game may be destroyed during
  // `end`. Fails with ResourceExhausted if the loop cannot get a thread or a descriptor.
  absl::StatusOr<std::unique_ptr<LoopGame>> Make(const GameSpec& spec,
                                                 const PerSeat<PlayerRef>& players,
                                                 const std::atomic<bool>& stop,
                                                 const LoopGame::Hooks& hooks)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the loop's thread. Requires: no games are left in the loop.
  void Stop();
  // Runs the errand in the loop's thread, in order of posting. Requires: a game was made.
  void Post(std::function<void()> errand) { loop_->Post(std::move(errand)); }

 private:
  absl::StatusOr<EventLoop*> Loop() ABSL_LOCKS_EXCLUDED(mutex_);

  Mutex mutex_;                      // guards the start
  std::unique_ptr<EventLoop> loop_;  // created once, with mutex_ held
  LoopMoves moves_;                  // used only in the loop's thread
  std::jthread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_GAME_LOOP_H_
