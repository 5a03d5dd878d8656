#include "spec/option_reference.h"

#include <memory>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

// Formats 1000000 as "1 000 000".
std::string Grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto i = static_cast<int64_t>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(static_cast<size_t>(i), " ");
  }
  return digits;
}

std::string ValuesOf(const Option& option) {
  if (const auto* const bounds = std::get_if<IntBounds>(&option.type)) {
    std::string text = Grouped(bounds->min) + " to " + Grouped(bounds->max);
    return option.unit.empty() ? text : text + " " + std::string(option.unit);
  }
  if (const auto* const bounds = std::get_if<NumberBounds>(&option.type)) {
    return absl::StrFormat("above %g, at most %g", bounds->above, bounds->max);
  }
  if (std::holds_alternative<SeedBounds>(option.type)) return "0 to 2⁶⁴ − 1";
  if (std::holds_alternative<Text>(option.type)) return "text";
  if (std::holds_alternative<ClockType>(option.type)) {
    return "`[MOVES/]TIME[+INCREMENT]`, as in `60+0.6`, `40/120`, `2:30+1`";
  }
  if (const auto* const words = std::get_if<Words>(&option.type)) {
    std::string list;
    for (const std::string_view word : *words) {
      list += (list.empty() ? "`" : ", `") + std::string(word) + "`";
    }
    return list;
  }
  return BoundsText(option);
}

}  // namespace

std::string DefaultText(const Option& option) {
  if (!option.default_text.empty()) return std::string(option.default_text);
  std::string text = ToText(option, option.default_value);
  if (text.empty() && option.field.get != nullptr) {
    TournamentSpec spec;
    if (option.mode == OptionMode::kSelfplay) {
      spec.selfplay = std::make_shared<const SelfplaySpec>();
    }
    if (option.mode == OptionMode::kTest) spec.test = std::make_shared<const TestSpec>();
    if (option.mode == OptionMode::kBestOf) spec.best_of = std::make_shared<const BestOfSpec>();
    if (option.mode == OptionMode::kTune) spec.tune = std::make_shared<const TuneSpec>();
    text = ToText(option, option.field.get(spec));
  }
  return text.empty() ? "none" : text;
}

std::string FlagHelp(const Option& option) {
  std::string help(option.help);
  if (!option.needs.empty()) {
    const Option& needed = *FindOption(option.needs);
    help += "; needs " + (needed.has_flag ? FlagName(needed) : std::string(needed.key));
  }
  return help + " (default: " + DefaultText(option) + ")";
}

std::string FlagPlaceholder(const Option& option) {
  if (const auto* const text = std::get_if<Text>(&option.type)) {
    return std::string(text->placeholder);
  }
  if (std::holds_alternative<NumberBounds>(option.type)) return "X";
  if (std::holds_alternative<PairBounds>(option.type)) return "LOW,HIGH";
  if (std::holds_alternative<ClockType>(option.type)) return "[MOVES/]TIME[+INCREMENT]";
  const auto* const words = std::get_if<Words>(&option.type);
  if (words == nullptr) return "N";
  std::string list;
  for (const std::string_view word : *words) list += (list.empty() ? "" : "|") + std::string(word);
  return list;
}

namespace {

std::string NotesOf(const Option& option) {
  std::string notes(option.help);
  if (!option.needs.empty()) notes += absl::StrFormat("; needs `%s`", option.needs);
  if (option.game_has_it == nullptr) return notes;
  std::string games;
  for (const GameInfo* game : AllGames()) {
    if (!option.game_has_it(*game)) continue;
    games += (games.empty() ? "`" : ", `") + std::string(game->name) + "`";
  }
  return notes + "; only in " + games;
}

}  // namespace

std::string OptionReference() {
  std::string text = "| key | values | default | |\n|---|---|---|---|\n";
  for (const Option& option : TournamentOptions()) {
    text +=
        absl::StrFormat("| `%s`%s%s | %s | %s | %s |\n", option.key, option.is_identity ? "" : " *",
                        option.mode == OptionMode::kTournament ? " †" : "", ValuesOf(option),
                        DefaultText(option), NotesOf(option));
  }
  return text;
}

}  // namespace triarch
