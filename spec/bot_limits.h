// Lists the keys with which a bot gets limits of its own.

#ifndef TRIARCH_SPEC_BOT_LIMITS_H_
#define TRIARCH_SPEC_BOT_LIMITS_H_

#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "core/record/game_spec.h"
#include "spec/option.h"

namespace triarch {

// A key such as "tc", which means for one bot what its option means for a tournament.
struct BotLimitKey {
  std::string_view key;
  const Option* option;  // "time_control.tc"
  OptionValue (*get)(const BotLimits&);
  void (*set)(BotLimits&, const OptionValue&);
};

std::span<const BotLimitKey> BotLimitKeys();
// Returns the key if it is a limit of this bot, or null. `nodes` and `depth` are options of bundled
// bots that search, and limits of user-supplied bots.
const BotLimitKey* FindBotLimit(const BotSpec& bot, std::string_view key);

// Moves the limits among a bot's options to its limits. InvalidArgument: a value is wrong.
absl::Status TakeLimits(BotSpec* bot);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_LIMITS_H_
