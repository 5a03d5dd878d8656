#include "bots/bots.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {

// Each is defined in its own folder.
extern const BundledBot kRandomBot;
extern const BundledBot kGreedyBot;
extern const BundledBot kSmartBot;
extern const BundledBot kParanoidBot;
extern const BundledBot kMaxnBot;
extern const BundledBot kMctsBot;
extern const BundledBot kTorchModelBot;
extern const BundledBot kLlmBot;

namespace {

constexpr std::array<const BundledBot*, 8> kBots = {&kRandomBot,     &kGreedyBot, &kSmartBot,
                                                    &kParanoidBot,   &kMaxnBot,   &kMctsBot,
                                                    &kTorchModelBot, &kLlmBot};

// Null allows any game.
absl::StatusOr<BotOptionValues> ReadOptions(const BundledBot& bot, const BotSpec& spec,
                                            const GameInfo* game) {
  ASSIGN_OR_RETURN(BotOptionValues options, BotOptionValues::Read(bot, spec));
  if (bot.check != nullptr) RETURN_IF_ERROR(bot.check(options));
  if (bot.check_game != nullptr && game != nullptr) RETURN_IF_ERROR(bot.check_game(options, *game));
  return options;
}

}  // namespace

std::span<const BundledBot* const> BundledBots() { return kBots; }

absl::StatusOr<const BundledBot*> FindBot(std::string_view name) {
  std::string known;
  for (const BundledBot* const bot : kBots) {
    if (bot->name == name) return bot;
    known += (known.empty() ? "" : ", ") + std::string(bot->name);
  }
  return absl::InvalidArgumentError("unknown bot " + Quote(name) + "; the bundled bots are " +
                                    known);
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
  ASSIGN_OR_RETURN(const BotOptionValues options, ReadOptions(*bot, spec, &game));
  return bot->make({.game = game, .spec = spec, .options = options, .log = log});
}

}  // namespace triarch
