// Defines scripted and random players for tests.

#ifndef TRIARCH_WORKER_MATCH_SCRIPTED_PLAYER_H_
#define TRIARCH_WORKER_MATCH_SCRIPTED_PLAYER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/event_loop.h"
#include "core/base/random.h"
#include "core/play/player.h"

namespace triarch {

using Script =
    std::function<Decision(const AnyState&, const AnyState::Moves&, const SearchLimits&)>;

// Calls a function for each decision.
class ScriptedPlayer : public SyncPlayer {
 public:
  explicit ScriptedPlayer(Script script) : script_(std::move(script)) {}

  void NewGame(Seat, uint64_t) override {}
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    return script_(state, moves, limits);
  }

 private:
  Script script_;
};

// Plays random moves from the given seed.
class RandomPlayer : public SyncPlayer {
 public:
  void NewGame(Seat, uint64_t seed) override { random_ = Random(seed); }
  Decision Choose(const AnyState&, const AnyState::Moves& moves, const SearchLimits&) override {
    Decision decision;
    decision.move = random_.Below(static_cast<uint32_t>(moves.size()));
    return decision;
  }

 private:
  Random random_ = Random(0);
};

// Like RandomPlayer but asynchronous: answers later from the loop, or never if so configured.
class LateRandomPlayer : public AsyncPlayer {
 public:
  enum class Silence : uint8_t { kNone, kFromTheStart, kInItsTurn };
  explicit LateRandomPlayer(Silence silence = Silence::kNone) : silence_(silence) {}

  absl::Status Prepare() override {
    is_prepared_ = true;
    return absl::OkStatus();
  }
  void BeginGame(EventLoop& loop, const GameSpec& spec, Seat seat,
                 std::function<void(bool)> done) override {
    loop_ = &loop;
    random_.NewGame(seat, PlayerSeed(spec, seat));
    if (silence_ == Silence::kFromTheStart) return;
    const bool is_ready = std::exchange(is_prepared_, false);
    Later([done = std::move(done), is_ready] { done(is_ready); });
  }
  void BeginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits,
                 std::function<void(Decision)> done) override {
    if (silence_ == Silence::kInItsTurn) return;
    Later([done = std::move(done), decision = random_.Choose(state, moves, limits)] {
      done(decision);
    });
  }
  void EndGame() override { answer_.reset(); }

 private:
  // Does nothing if the game has ended by then.
  void Later(std::function<void()> answer) {
    answer_ = std::make_shared<std::function<void()>>(std::move(answer));
    loop_->Post([answer = std::weak_ptr(answer_)] {
      if (const auto kept = answer.lock()) (*kept)();
    });
  }

  const Silence silence_;
  std::shared_ptr<std::function<void()>> answer_;
  RandomPlayer random_;
  EventLoop* loop_ = nullptr;
  bool is_prepared_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_SCRIPTED_PLAYER_H_
