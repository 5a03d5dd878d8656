#ifndef TRIARCH_SPEC_BOT_FLAG_H_
#define TRIARCH_SPEC_BOT_FLAG_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"

// Bots in one word, as the command line has them: "paranoid:depth=2:nodes=5000".
namespace triarch {

// The bot of one word; its name is the whole word. InvalidArgument if the word is not of the form
// NAME[:OPTION=VALUE…]. Whether there is such a bot is not looked at.
absl::StatusOr<BotSpec> ParseBotFlag(std::string_view text);
// The same for words with commas between them.
absl::StatusOr<std::vector<BotSpec>> ParseBotFlags(std::string_view text);

// A bot's name in a tournament goes into TPGN tags, tables and flags: 1 to 60 visible ASCII
// characters but quotes, backslashes and commas. InvalidArgument says so.
absl::Status CheckBotName(std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_FLAG_H_
