#ifndef TRIARCH_BOTS_BOTS_H_
#define TRIARCH_BOTS_BOTS_H_

#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/record/game_spec.h"
#include "worker/match/player.h"

namespace triarch {

struct BotOption {
  std::string_view name;         // "depth"
  std::string_view description;  // with the default and the bounds
};

// A bundled bot.
struct BotInfo {
  std::string_view name;
  std::string_view description;
  std::span<const BotOption> options;
};

std::span<const BotInfo> BundledBots();

// InvalidArgument if there is no such bot (the message lists them), no such option (lists them) or
// the value is not one it takes. Messages name the option, not the file.
absl::Status CheckBot(const BotSpec& spec);

// A player of that bot for that game. Fails as CheckBot does.
absl::StatusOr<std::unique_ptr<Player>> MakePlayer(const GameInfo& game, const BotSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_BOTS_BOTS_H_
