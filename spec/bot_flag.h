// Parses bots as written on the command line: "paranoid:depth=2:nodes=5000".

#ifndef TRIARCH_SPEC_BOT_FLAG_H_
#define TRIARCH_SPEC_BOT_FLAG_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"

namespace triarch {

// Reads a bot from one word, which is also its name. InvalidArgument: the word does not have the
// form NAME[:OPTION=VALUE…]. Does not check that the bot exists.
absl::StatusOr<BotSpec> ParseBotFlag(std::string_view text);
// Reads several bots, separated by commas.
absl::StatusOr<std::vector<BotSpec>> ParseBotFlags(std::string_view text);

// InvalidArgument: the name cannot be a bot's. A name has 1 to 60 visible ASCII characters without
// quotes, backslashes and commas, because it appears in TPGN tags, tables and flags.
absl::Status CheckBotName(std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_FLAG_H_
