#include "spec/bot_flag.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_limits.h"

namespace triarch {
namespace {

constexpr size_t kNameSizeMax = 60;

bool IsNameCharacter(char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != ','; }

}  // namespace

absl::Status CheckBotName(std::string_view name) {
  if (!name.empty() && name.size() <= kNameSizeMax &&
      std::all_of(name.begin(), name.end(), IsNameCharacter)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("%s cannot be a bot's name; expected 1 to %d letters, digits and symbols "
                      "without spaces, commas, quotes and backslashes",
                      Quote(name, kNameSizeMax), kNameSizeMax));
}

absl::StatusOr<BotSpec> ParseBotFlag(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, ':');
  BotSpec bot = {.name = std::string(text), .bot = std::string(parts[0]), .options = {}};
  if (bot.bot.empty()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s is not a bot; expected NAME[:OPTION=VALUE…] as in paranoid:depth=2", Quote(text)));
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t equals = parts[i].find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == parts[i].size()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s in %s is not an option; expected OPTION=VALUE as in paranoid:depth=2",
                          Quote(parts[i]), Quote(text)));
    }
    const std::string option(parts[i].substr(0, equals));
    if (!bot.options.try_emplace(option, parts[i].substr(equals + 1)).second) {
      return absl::InvalidArgumentError(
          absl::StrFormat("option %s is given twice in %s; expected once", option, Quote(text)));
    }
  }
  RETURN_IF_ERROR(CheckBotName(text));
  RETURN_IF_ERROR(TakeLimits(&bot));
  return bot;
}

absl::StatusOr<std::vector<BotSpec>> ParseBotFlags(std::string_view text) {
  std::vector<BotSpec> bots;
  for (const std::string_view word : Split(text, ',')) {
    ASSIGN_OR_RETURN(BotSpec bot, ParseBotFlag(Trim(word)));
    bots.push_back(std::move(bot));
  }
  return bots;
}

}  // namespace triarch
