// Fuzzes bot flags: names are valid in a tournament, and the text form parses again.

#include "spec/bot_flag.h"
#include "spec/spec_json.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const absl::StatusOr<std::vector<triarch::BotSpec>> bots = triarch::ParseBotFlags(text);
  if (!bots.ok()) return;
  for (const triarch::BotSpec& bot : *bots) {
    CHECK(triarch::CheckBotName(bot.name).ok());
    // Without a name, the text itself must be one.
    const absl::StatusOr<triarch::BotSpec> again =
        triarch::ParseBotFlag("name=" + triarch::BotText(bot));
    CHECK(again.ok());
    CHECK(again->bot == bot.bot && again->options == bot.options && again->limits == bot.limits);
  }
}
