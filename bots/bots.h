// Lists the bundled bots, checks specs against them and makes their players.

#ifndef TRIARCH_BOTS_BOTS_H_
#define TRIARCH_BOTS_BOTS_H_

#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bots/bot.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

namespace triarch {

std::span<const BundledBot* const> BundledBots();

// Returns InvalidArgument with a list of all bots if no bot has this name.
absl::StatusOr<const BundledBot*> FindBot(std::string_view name);

// Returns InvalidArgument if the bot or an option is unknown, or if a value is invalid. Messages
// name the option, not the file.
absl::Status CheckBot(const BotSpec& spec);
// Also returns InvalidArgument if an option's value does not suit the game.
absl::Status CheckBot(const GameInfo& game, const BotSpec& spec);

// Returns FailedPrecondition if this process lacks something the bot needs. Requires:
// CheckBot(spec) is OK.
absl::Status CheckBotHere(const BotSpec& spec);
// Returns whether this process can play the bot, whatever its options.
bool IsPlayedHere(std::string_view bot);

// Makes a player of the bot for the game. Returns the same errors as the checks.
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakePlayer(const GameInfo& game, const BotSpec& spec,
                                                       const PlayerLog& log = {});

}  // namespace triarch

#endif  // TRIARCH_BOTS_BOTS_H_
