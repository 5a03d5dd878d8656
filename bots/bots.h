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

// Returns InvalidArgument, with a list of the bots, if there is none of that name.
absl::StatusOr<const BundledBot*> FindBot(std::string_view name);

// Returns InvalidArgument if there is no such bot, no such option, or an option does not take its
// value. Messages name the option, not the file.
absl::Status CheckBot(const BotSpec& spec);
// Also returns InvalidArgument if an option's value does not suit the game.
absl::Status CheckBot(const GameInfo& game, const BotSpec& spec);

// Returns FailedPrecondition if this process lacks what the bot needs. Requires: CheckBot.
absl::Status CheckBotHere(const BotSpec& spec);
// Whether this process can play that bot, whatever its options.
bool IsPlayedHere(std::string_view bot);

// Makes a player of that bot for that game. Fails as the checks do.
absl::StatusOr<std::unique_ptr<Player>> MakePlayer(const GameInfo& game, const BotSpec& spec,
                                                   const PlayerLog& log = {});

}  // namespace triarch

#endif  // TRIARCH_BOTS_BOTS_H_
