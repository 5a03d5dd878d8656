#ifndef TRIARCH_WORKER_MATCH_SCRIPTED_PLAYER_H_
#define TRIARCH_WORKER_MATCH_SCRIPTED_PLAYER_H_

#include <functional>
#include <utility>

#include "core/base/random.h"
#include "worker/match/player.h"

// Test doubles for a seat.
namespace triarch {

using Script =
    std::function<Decision(const AnyState&, const AnyState::Moves&, const SearchLimits&)>;

// Does what a function says.
class ScriptedPlayer : public Player {
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

// Moves at random, by the seed it was given.
class RandomPlayer : public Player {
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

}  // namespace triarch

#endif  // TRIARCH_WORKER_MATCH_SCRIPTED_PLAYER_H_
