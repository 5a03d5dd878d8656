#include "spec/option_values.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/record/spec_words.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

// Returns the game among the values, or null.
const GameInfo* GameOf(const OptionValues& values) {
  const auto name = values.find("game");
  if (name == values.end()) return nullptr;
  const absl::StatusOr<const GameInfo*> game = FindGame(std::get<std::string>(name->second));
  return game.ok() ? *game : nullptr;
}

bool HasMode(const Option& option, const OptionValues& values) {
  return option.mode == OptionMode::kAny || option.mode == ModeOf(values);
}

bool HasGame(const Option& option, const OptionValues& values) {
  const GameInfo* const game = GameOf(values);
  return option.game_has_it == nullptr || game == nullptr || option.game_has_it(*game);
}

Format FormatOf(const OptionValues& values) {
  const auto format = values.find("format");
  if (format == values.end()) return Format::kRoundRobin;
  return static_cast<Format>(std::get<int64_t>(format->second));
}

bool HasFormat(const Option& option, const OptionValues& values) {
  return !option.format || option.format == FormatOf(values);
}

bool HasNeeded(const Option& option, const OptionValues& values) {
  return option.needs.empty() || values.contains(option.needs);
}

// Returns why the option conflicts with the others; empty if it does not.
std::string ConflictOf(const Option& option, const OptionValues& values) {
  if (!HasMode(option, values)) {
    const Words words = std::get<Words>(FindOption("mode")->type);
    return absl::StrFormat("%s applies only to mode: %s", option.key,
                           words[static_cast<size_t>(option.mode) - 1]);
  }
  if (!HasFormat(option, values)) {
    return absl::StrFormat("%s applies only to format: %s", option.key,
                           kFormatWords[static_cast<size_t>(*option.format)]);
  }
  if (!HasGame(option, values)) {
    return absl::StrFormat("%s is not an option of %s, whose rules decide it", option.key,
                           GameOf(values)->name);
  }
  if (!HasNeeded(option, values)) {
    const Option& needed = *FindOption(option.needs);
    return absl::StrFormat("%s needs %s%s; give both", option.key, needed.key,
                           needed.has_flag ? " (" + FlagName(needed) + ")" : "");
  }
  return {};
}

}  // namespace

OptionMode ModeOf(const OptionValues& values) {
  const auto mode = values.find("mode");
  if (mode == values.end()) return OptionMode::kTournament;
  return static_cast<OptionMode>(std::get<int64_t>(mode->second) + 1);
}

std::optional<OptionConflict> FindConflict(const OptionValues& values) {
  for (const Option& option : TournamentOptions()) {
    if (!values.contains(option.key)) continue;
    if (std::string message = ConflictOf(option, values); !message.empty()) {
      return OptionConflict{option.key, std::move(message)};
    }
  }
  return std::nullopt;
}

void SetOptions(const OptionValues& values, TournamentSpec* spec) {
  for (const Option& option : TournamentOptions()) {
    const auto value = values.find(option.key);
    if (value != values.end() && option.field.set) option.field.set(*spec, value->second);
  }
}

OptionValues OptionsOf(const TournamentSpec& spec) {
  OptionValues all;
  for (const Option& option : TournamentOptions()) {
    if (!option.field.get) continue;
    OptionValue value = option.field.get(spec);
    if (IsValid(option, value)) all.emplace(option.key, std::move(value));
  }
  OptionValues values;
  for (const auto& [key, value] : all) {
    const Option& option = *FindOption(key);
    if (HasMode(option, all) && HasFormat(option, all) && HasGame(option, all) &&
        HasNeeded(option, all)) {
      values.emplace(key, value);
    }
  }
  return values;
}

}  // namespace triarch
