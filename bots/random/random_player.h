#ifndef TRIARCH_BOTS_RANDOM_RANDOM_PLAYER_H_
#define TRIARCH_BOTS_RANDOM_RANDOM_PLAYER_H_

#include <cstdint>

#include "core/base/random.h"
#include "core/play/player.h"

namespace triarch {

// Any legal move, all alike: the bottom of every standings. It need not know what game it plays.
class RandomPlayer final : public Player {
 public:
  void NewGame(Seat /*seat*/, uint64_t seed) override { random_ = Random(seed); }

  Decision Choose(const AnyState& /*state*/, const AnyState::Moves& moves,
                  const SearchLimits& /*limits*/) override {
    return {.move = random_.Below(static_cast<uint32_t>(moves.size())), .eval = std::nullopt};
  }

 private:
  Random random_{0};
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_RANDOM_RANDOM_PLAYER_H_
