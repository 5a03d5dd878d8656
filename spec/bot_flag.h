// Parses bots as written on the command line: "paranoid:depth=2:nodes=5000", "v1=./v1/bot.py".

#ifndef TRIARCH_SPEC_BOT_FLAG_H_
#define TRIARCH_SPEC_BOT_FLAG_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"

namespace triarch {

// A bot in one word: [NAME=]WHAT[:OPTION=VALUE…]. Quotes ('…' or "…") around WHAT, which are
// removed, allow commas and colons in it.
struct BotWord {
  std::string name = {};  // empty if not given
  std::string what = {};  // "paranoid", "./mine/bot.py", "python3 ./mine/bot.py --fast"
  std::map<std::string, std::string> options = {};
};

// InvalidArgument: the text does not have that form.
absl::StatusOr<BotWord> ParseBotWord(std::string_view text);
// Whether the word names a path or a command rather than a bundled bot. Paths contain a slash or a
// dot, and commands a space.
bool NamesFiles(const BotWord& word);
// Returns the words of a list, which commas separate.
std::vector<std::string_view> SplitBots(std::string_view text);

// Reads a bundled bot. Without a NAME, the word is also its name. Does not check that the bot
// exists. InvalidArgument: the word does not have the form above, or names files (read these with
// ReadBotWord, spec/bot_word.h).
absl::StatusOr<BotSpec> ParseBotFlag(std::string_view text);
// Reads several bundled bots.
absl::StatusOr<std::vector<BotSpec>> ParseBotFlags(std::string_view text);

// InvalidArgument: the name cannot be a bot's. A name has 1 to 60 visible ASCII characters without
// quotes, backslashes and commas, because it appears in TPGN tags, tables and flags.
absl::Status CheckBotName(std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_SPEC_BOT_FLAG_H_
