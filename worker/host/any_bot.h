#ifndef TRIARCH_WORKER_HOST_ANY_BOT_H_
#define TRIARCH_WORKER_HOST_ANY_BOT_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "worker/match/player_cache.h"

namespace triarch {

// Whether there is such a bot, bundled or not, that plays that game, and has such options. The
// message names the option, not the file. Of a bundle whose files are not here only the options
// are looked at.
absl::Status CheckAnyBot(std::string_view game, const BotSpec& spec);

// The folder of a bundle with that digest, on this machine.
using BundleFolders = std::function<absl::StatusOr<std::string>(const std::string& digest)>;

// Makes players of any bot; `folders` finds the files of those whose bundle is fetched. It fails as
// CheckAnyBot does, or with what the bot says itself; also (FailedPrecondition) if the bot's files
// are not what the spec's digest says. `log` gets a line for faults of process bots and fallback
// moves of bundled ones, the first, second, fourth, eighth … of each bot, and for bots that run
// without a sandbox; it is called by any thread.
PlayerMaker MakePlayerMaker(std::function<void(const std::string&)> log,
                            BundleFolders folders = nullptr);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_ANY_BOT_H_
