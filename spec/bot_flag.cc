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

// The parts of a word that begins a text: [NAME=]WHAT[:OPTION=VALUE…], with WHAT in quotes or not.
struct WordParts {
  std::string_view name;
  std::string_view what;     // without quotes
  std::string_view options;  // what follows, in the same text
  bool is_closed = true;     // whether its quote is
};

WordParts PartsOf(std::string_view text) {
  WordParts parts;
  std::string_view rest = text;
  // A path may contain an equals sign, too.
  const size_t equals = rest.starts_with('.') ? 0 : rest.find_first_of("=:,'\"/ ");
  if (equals != std::string_view::npos && equals > 0 && rest[equals] == '=') {
    parts.name = rest.substr(0, equals);
    rest.remove_prefix(equals + 1);
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  size_t end = std::min(rest.find_first_of(":,"), rest.size());
  parts.what = rest.substr(0, end);
  if (rest.starts_with('\'') || rest.starts_with('"')) {
    const size_t close = rest.find(rest[0], 1);
    parts.is_closed = close != std::string_view::npos;
    if (parts.is_closed) {
      parts.what = rest.substr(1, close - 1);
      end = std::min(rest.find_first_of(":,", close), rest.size());
      // Nothing may follow the quote.
      parts.is_closed = end == close + 1;
    }
  }
  parts.options = rest.substr(end);
  return parts;
}

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

absl::StatusOr<BotWord> ParseBotWord(std::string_view text) {
  const WordParts parts = PartsOf(text);
  if (!parts.is_closed) {
    return absl::InvalidArgumentError(
        absl::StrFormat("the quote in %s is not closed; expected a closing quote", Quote(text)));
  }
  BotWord word = {.name = std::string(parts.name), .what = std::string(Trim(parts.what))};
  if (word.what.empty()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is not a bot; expected [NAME=]BOT[:OPTION=VALUE…] as in "
                        "paranoid:depth=2 or mine=./mine/bot.py",
                        Quote(text)));
  }
  for (std::string_view rest = parts.options; !rest.empty();) {
    rest.remove_prefix(1);  // the colon
    const std::string_view part = rest.substr(0, rest.find(':'));
    rest.remove_prefix(part.size());
    const size_t equals = part.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == part.size()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("%s in %s is not an option; expected OPTION=VALUE as in paranoid:depth=2",
                          Quote(part), Quote(text)));
    }
    const std::string option(part.substr(0, equals));
    if (!word.options.try_emplace(option, part.substr(equals + 1)).second) {
      return absl::InvalidArgumentError(
          absl::StrFormat("option %s is given twice in %s; expected once", option, Quote(text)));
    }
  }
  return word;
}

bool NamesFiles(const BotWord& word) { return word.what.find_first_of("/. ") != std::string::npos; }

absl::StatusOr<BotSpec> ParseBotFlag(std::string_view text) {
  ASSIGN_OR_RETURN(const BotWord word, ParseBotWord(text));
  const bool is_name =
      CheckBotName(word.what).ok() && word.what.find_first_of("=:'") == std::string::npos;
  if (NamesFiles(word) || !is_name) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s is not a bundled bot; expected NAME[:OPTION=VALUE…] as in paranoid:depth=2",
        Quote(word.what)));
  }
  BotSpec bot = {.name = word.name.empty() ? std::string(text) : word.name,
                 .bot = word.what,
                 .options = word.options};
  RETURN_IF_ERROR(CheckBotName(bot.name));
  RETURN_IF_ERROR(TakeLimits(&bot));
  return bot;
}

std::vector<std::string_view> SplitBots(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    const size_t comma =
        text.find(',', static_cast<size_t>(PartsOf(text).options.data() - text.data()));
    words.push_back(Trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

absl::StatusOr<std::vector<BotSpec>> ParseBotFlags(std::string_view text) {
  std::vector<BotSpec> bots;
  for (const std::string_view word : SplitBots(text)) {
    ASSIGN_OR_RETURN(BotSpec bot, ParseBotFlag(word));
    bots.push_back(std::move(bot));
  }
  return bots;
}

}  // namespace triarch
