// Plays games in an event loop that runs in a thread of its own.

#ifndef TRIARCH_WORKER_MATCH_GAME_LOOP_H_
#define TRIARCH_WORKER_MATCH_GAME_LOOP_H_

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"
#include "worker/match/event_loop.h"
#include "worker/match/loop_game.h"

namespace triarch {

// The part of Slots that plays games whose players answer later: any number at once, without a
// thread for each. The loop and its thread start with the first game.
class GameLoop {
 public:
  GameLoop() = default;
  ~GameLoop() { Stop(); }
  GameLoop(const GameLoop&) = delete;
  GameLoop& operator=(const GameLoop&) = delete;

  // Makes a game and does its slow first part, LoopGame::Begin, in the calling thread. `stop`
  // abandons it. The hooks are called in the loop's thread; during `end` the game may be destroyed.
  // ResourceExhausted: there is no thread or descriptor for the loop.
  absl::StatusOr<std::unique_ptr<LoopGame>> Make(const GameSpec& spec,
                                                 const PerSeat<Player*>& players,
                                                 const std::atomic<bool>& stop,
                                                 const LoopGame::Hooks& hooks)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the loop's thread. Requires: no game is left in the loop.
  void Stop();
  // Runs it in the loop's thread, in the order of posting. Requires: a game was made.
  void Post(std::function<void()> errand) { loop_->Post(std::move(errand)); }

 private:
  absl::StatusOr<EventLoop*> Loop() ABSL_LOCKS_EXCLUDED(mutex_);

  Mutex mutex_;                      // for the start
  std::unique_ptr<EventLoop> loop_;  // made once, with mutex_ held
  LoopMoves moves_;                  // used in the loop's thread only
  std::jthread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_GAME_LOOP_H_
