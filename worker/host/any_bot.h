// Checks bots of any type and creates players of them.

#ifndef TRIARCH_WORKER_HOST_ANY_BOT_H_
#define TRIARCH_WORKER_HOST_ANY_BOT_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "worker/host/bot_copies.h"
#include "worker/match/player_cache.h"

namespace triarch {

// Checks that the bot, bundled or not, exists, plays the game and has these options. The message
// names the option and, if it is the user's, the bot, but not the tournament file. If the bot's
// bundle is not on this machine, checks only the options.
absl::Status CheckAnyBot(std::string_view game, const BotSpec& spec);

// Returns the path of a plugin's library. Requires: its files are on this machine.
std::string LibraryOf(const BotSpec& spec);

// Returns the folder on this machine of the bundle with that digest.
using BundleFolders = std::function<absl::StatusOr<std::string>(const std::string& digest)>;

struct PlayerMakerOptions {
  BundleFolders folders = nullptr;                    // null where there are no bundles
  std::shared_ptr<const BotCopies> copies = nullptr;  // plays copies of these bots' files
  // Gets all lines to and from process bots: "mine 3.17 > go nodes 9", with < for the bot's output
  // and ! for its standard error.
  std::function<void(std::string_view)> protocol = nullptr;
};

// Returns a maker of players for any bot. The maker fails like CheckAnyBot, with the bot's own
// error, or with FailedPrecondition if the bot's files do not match the spec's digest. `log` gets a
// line for each bot without a sandbox, and for the first, second, fourth, eighth … fault of each
// process bot and fallback move of each bundled bot. Any thread may call it.
PlayerMaker MakePlayerMaker(std::function<void(const std::string&)> log,
                            PlayerMakerOptions options = {});

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_ANY_BOT_H_
