#include "bots/bots.h"

#include <string>
#include <vector>

#include "bots/nnue/network_file.h"
#include "bots/nnue/networks.h"
#include "bots/searchers.h"
#include "core/base/status_macros.h"

namespace triarch {

extern const BundledBot kTorchModelBot;
extern const BundledBot kLlmBot;

std::span<const BundledBot* const> BundledBots() {
  static const std::vector<const BundledBot*> bots = [] {
    nnue::ReadNetworksWith(nnue::ShareNetwork);
    std::vector<const BundledBot*> all(Searchers().begin(), Searchers().end());
    all.insert(all.end(), {&kTorchModelBot, &kLlmBot});
    return all;
  }();
  return bots;
}

absl::StatusOr<const BundledBot*> FindBot(std::string_view name) {
  return FindBot(BundledBots(), name);
}

absl::Status CheckBot(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const BundledBot* const bot, FindBot(spec.bot));
  return ReadOptions(*bot, spec, nullptr).status();
}

absl::Status CheckBot(const GameInfo& game, const BotSpec& spec) {
  ASSIGN_OR_RETURN(const BundledBot* const bot, FindBot(spec.bot));
  return ReadOptions(*bot, spec, &game).status();
}

absl::Status CheckBotHere(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const BundledBot* const bot, FindBot(spec.bot));
  // Does not call `check`, because invalid options must not hide what the process lacks.
  ASSIGN_OR_RETURN(const BotOptionValues options, BotOptionValues::Read(*bot, spec));
  return bot->check_here == nullptr ? absl::OkStatus() : bot->check_here(options);
}

bool IsPlayedHere(std::string_view bot) {
  return CheckBotHere({.name = std::string(bot), .bot = std::string(bot)}).ok();
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> MakePlayer(const GameInfo& game, const BotSpec& spec,
                                                       const PlayerLog& log) {
  ASSIGN_OR_RETURN(const BundledBot* const bot, FindBot(spec.bot));
  return MakePlayer(*bot, game, spec, log);
}

}  // namespace triarch
