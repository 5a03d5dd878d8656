#include "spec/bot_flag.h"
#include "spec/spec_json.h"
#include "tests/fuzz/fuzz.h"

// Bots as flags: what is read has names that a tournament takes, and its text is read again.
FUZZ_TEXT(text) {
  const absl::StatusOr<std::vector<triarch::BotSpec>> bots = triarch::ParseBotFlags(text);
  if (!bots.ok()) return;
  for (const triarch::BotSpec& bot : *bots) {
    CHECK(triarch::CheckBotName(bot.name).ok());
    const absl::StatusOr<triarch::BotSpec> again = triarch::ParseBotFlag(triarch::BotText(bot));
    CHECK(again.ok());
    CHECK(again->bot == bot.bot && again->options == bot.options);
  }
}
