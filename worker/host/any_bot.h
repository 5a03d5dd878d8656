#ifndef TRIARCH_WORKER_HOST_ANY_BOT_H_
#define TRIARCH_WORKER_HOST_ANY_BOT_H_

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/record/game_spec.h"
#include "worker/match/player.h"

namespace triarch {

// Whether there is such a bot, bundled or not, that plays that game, and has such options. The
// message names the option, not the file.
absl::Status CheckAnyBot(std::string_view game, const BotSpec& spec);

// A player of that bot. Fails as CheckAnyBot does, or with what the bot says itself; also
// (FailedPrecondition) if the bot's files are not what the spec's digest says.
absl::StatusOr<std::unique_ptr<Player>> MakeAnyPlayer(const GameInfo& game, const BotSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_ANY_BOT_H_
