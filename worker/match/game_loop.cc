#include "worker/match/game_loop.h"

#include <chrono>
#include <exception>
#include <utility>

#include "core/base/status_macros.h"

namespace triarch {

void GameLoop::Stop() {
  if (!thread_.joinable()) return;
  loop_->Stop();
  thread_.join();
}

absl::StatusOr<EventLoop*> GameLoop::Loop() {
  MutexLock lock(&mutex_);
  if (loop_) return loop_.get();
  try {
    auto loop = std::make_unique<EventLoop>();
    thread_ = std::jthread([loop = loop.get()] { loop->Run(); });
    loop_ = std::move(loop);
    return loop_.get();
  } catch (const std::exception& error) {  // no thread or descriptor available
    return absl::ResourceExhaustedError(error.what());
  }
}

absl::StatusOr<std::unique_ptr<LoopGame>> GameLoop::Make(const GameSpec& spec,
                                                         const PerSeat<PlayerRef>& players,
                                                         const std::atomic<bool>& stop,
                                                         const LoopGame::Hooks& hooks) {
  ASSIGN_OR_RETURN(EventLoop* const loop, Loop());
  // Destroy the game later: it is still on the stack when it calls `end`.
  const LoopGame::Hooks posted{.think = hooks.think,
                               .end = [loop, end = hooks.end] { loop->Post(end); }};
  auto game = std::make_unique<LoopGame>(spec, players, stop, *loop, moves_,
                                         std::chrono::steady_clock::now, posted);
  RETURN_IF_ERROR(game->Begin());
  return game;
}

}  // namespace triarch
