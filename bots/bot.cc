#include "bots/bot.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Returns "1000" for a whole number, "0.3" for a fraction.
std::string NumberText(double number) {
  if (number == std::floor(number)) return std::to_string(static_cast<int64_t>(number));
  return absl::StrFormat("%g", number);
}

std::string ListChoices(const BotOption& option) {
  std::string list;
  for (const std::string_view choice : option.choices) {
    if (!list.empty()) list += choice == option.choices.back() ? " or " : ", ";
    list += choice;
  }
  return list;
}

bool IsNumber(const BotOption& option) {
  return option.type == BotOption::Type::kWhole || option.type == BotOption::Type::kNumber;
}

std::string DefaultText(const BotOption& option) {
  if (option.type == BotOption::Type::kChoice) return std::string(option.choices.front());
  return option.default_number ? NumberText(*option.default_number) : "";
}

std::optional<double> ReadNumber(const BotOption& option, std::string_view text) {
  if (option.type == BotOption::Type::kNumber) return ParseDouble(text);
  const std::optional<int64_t> whole = ParseInt64(text);
  return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

// Returns the valid values of the option for an error message; empty if `text` is valid.
std::string WhatItTakes(const BotOption& option, std::string_view text) {
  if (option.type == BotOption::Type::kText) return "";
  if (option.type == BotOption::Type::kChoice) {
    const bool is_choice =
        std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end();
    return is_choice ? "" : ListChoices(option);
  }
  const std::optional<double> value = ReadNumber(option, text);
  if (value && *value >= option.low && *value <= option.high) return "";
  const char* const kind = option.type == BotOption::Type::kWhole ? "a whole number" : "a number";
  return absl::StrFormat("%s from %s to %s", kind, NumberText(option.low), NumberText(option.high));
}

const BotOption* Find(const BundledBot& bot, std::string_view name) {
  const auto found = std::find_if(bot.options.begin(), bot.options.end(),
                                  [&](const BotOption& option) { return option.name == name; });
  return found == bot.options.end() ? nullptr : &*found;
}

absl::Status UnknownOption(const BundledBot& bot, std::string_view name) {
  std::string known;
  for (const BotOption& option : bot.options) {
    known += (known.empty() ? "" : ", ") + std::string(option.name);
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("bot %s has no option %s; %s", Quote(bot.name), Quote(name),
                      known.empty() ? "it has no options" : "its options are " + known));
}

}  // namespace

std::string DescribeOption(const BotOption& option) {
  std::string text(option.description);
  if (IsNumber(option)) {
    text += ", " + NumberText(option.low) + " to " + NumberText(option.high);
  }
  if (option.type == BotOption::Type::kChoice) text += ": " + ListChoices(option);
  std::string note = DefaultText(option);
  if (!note.empty() && !option.default_note.empty()) note += ' ';
  note += option.default_note;
  return note.empty() ? text : text + " (" + note + ")";
}

absl::StatusOr<BotOptionValues> BotOptionValues::Read(const BundledBot& bot, const BotSpec& spec) {
  for (const auto& [name, text] : spec.options) {
    const BotOption* const option = Find(bot, name);
    if (option == nullptr) return UnknownOption(bot, name);
    const std::string takes = WhatItTakes(*option, text);
    if (takes.empty()) continue;
    return absl::InvalidArgumentError(absl::StrFormat("option %s of bot %s: expected %s, not %s",
                                                      name, Quote(bot.name), takes, Quote(text)));
  }
  return BotOptionValues(bot, spec);
}

const BotOption* BotOptionValues::FindOption(std::string_view name) const {
  return Find(*bot_, name);
}

std::string BotOptionValues::Text(std::string_view name) const {
  const BotOption* const option = FindOption(name);
  CHECK(option != nullptr);
  const auto given = given_.find(name);
  return given == given_.end() ? DefaultText(*option) : given->second;
}

std::optional<double> BotOptionValues::Number(std::string_view name) const {
  const BotOption* const option = FindOption(name);
  CHECK(option != nullptr && IsNumber(*option));
  const auto given = given_.find(name);
  return given == given_.end() ? option->default_number : ReadNumber(*option, given->second);
}

std::optional<int64_t> BotOptionValues::Whole(std::string_view name) const {
  const std::optional<double> number = Number(name);
  return number ? std::optional(static_cast<int64_t>(*number)) : std::nullopt;
}

absl::StatusOr<const BundledBot*> FindBot(std::span<const BundledBot* const> bots,
                                          std::string_view name) {
  std::string known;
  for (const BundledBot* const bot : bots) {
    if (bot->name == name) return bot;
    known += (known.empty() ? "" : ", ") + std::string(bot->name);
  }
  return absl::InvalidArgumentError("unknown bot " + Quote(name) + "; the bundled bots are " +
                                    known);
}

absl::StatusOr<BotOptionValues> ReadOptions(const BundledBot& bot, const BotSpec& spec,
                                            const GameInfo* game) {
  ASSIGN_OR_RETURN(BotOptionValues options, BotOptionValues::Read(bot, spec));
  if (bot.check != nullptr) RETURN_IF_ERROR(bot.check(options));
  if (bot.check_game != nullptr && game != nullptr) RETURN_IF_ERROR(bot.check_game(options, *game));
  return options;
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> MakePlayer(const BundledBot& bot, const GameInfo& game,
                                                       const BotSpec& spec, const PlayerLog& log) {
  ASSIGN_OR_RETURN(const BotOptionValues options, ReadOptions(bot, spec, &game));
  return bot.make({.game = game, .spec = spec, .options = options, .log = log});
}

}  // namespace triarch
