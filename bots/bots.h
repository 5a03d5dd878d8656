#ifndef TRIARCH_BOTS_BOTS_H_
#define TRIARCH_BOTS_BOTS_H_

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

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
// Also if the value is none for that game.
absl::Status CheckBot(const GameInfo& game, const BotSpec& spec);

// What a bot needs of the process that plays: FailedPrecondition if its environment lacks it.
// Requires: CheckBot.
absl::Status CheckBotHere(const BotSpec& spec);
// Whether this process can play every bot of that kind, whatever its options.
bool IsPlayedHere(std::string_view bot);

// A player of that bot for that game. Fails as the checks do. `log` is told in one line what the
// player could not do; it is called while it plays.
absl::StatusOr<std::unique_ptr<Player>> MakePlayer(
    const GameInfo& game, const BotSpec& spec,
    std::function<void(const std::string&)> log = [](const std::string&) {});

}  // namespace triarch

#endif  // TRIARCH_BOTS_BOTS_H_
