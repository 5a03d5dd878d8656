// Registers the bot `random`, which plays random legal moves.

#include "core/base/random.h"

#include <cstdint>
#include <memory>

#include "bots/bot.h"
#include "core/play/player.h"

namespace triarch {
namespace {

// The weakest bot, independent of the game.
class RandomPlayer final : public SyncPlayer {
 public:
  void NewGame(Seat /*seat*/, uint64_t seed) override { random_ = Random(seed); }

  Decision Choose(const AnyState& /*state*/, const AnyState::Moves& moves,
                  const SearchLimits& /*limits*/) override {
    return {.move = random_.Below(static_cast<uint32_t>(moves.size())), .eval = std::nullopt};
  }

 private:
  Random random_{0};
};

absl::StatusOr<std::unique_ptr<SyncPlayer>> Make(const PlayerRequest& /*request*/) {
  return std::make_unique<RandomPlayer>();
}

}  // namespace

extern constinit const BundledBot kRandomBot{
    .name = "random", .description = "plays any legal move", .make = Make};

}  // namespace triarch
