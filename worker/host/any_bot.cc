#include "worker/host/any_bot.h"

#include <string>

#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "worker/host/bot_digest.h"
#include "worker/host/plugin.h"

namespace triarch {
namespace {

absl::Status CheckDigest(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const std::string digest, DigestBot(spec));
  if (digest == spec.digest) return absl::OkStatus();
  return absl::FailedPreconditionError("the files of bot " + spec.name +
                                       " have changed since the tournament began");
}

}  // namespace

absl::Status CheckAnyBot(std::string_view game, const BotSpec& spec) {
  if (spec.bot != kPluginBot) return CheckBot(spec);
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  ASSIGN_OR_RETURN(const Plugin* const plugin, Plugin::Load(spec.library));
  // Only the bot itself knows which values it takes.
  return plugin->MakePlayer(*info, spec).status();
}

absl::StatusOr<std::unique_ptr<Player>> MakeAnyPlayer(const GameInfo& game, const BotSpec& spec) {
  if (spec.bot != kPluginBot) return MakePlayer(game, spec);
  RETURN_IF_ERROR(CheckDigest(spec));
  ASSIGN_OR_RETURN(const Plugin* const plugin, Plugin::Load(spec.library));
  return plugin->MakePlayer(game, spec);
}

}  // namespace triarch
