#include "cli/rules/position_options.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

// The error with the flag that it is about before it.
absl::Status About(std::string_view flag, const absl::Status& error) {
  return absl::InvalidArgumentError(std::string(flag) + ": " + std::string(error.message()));
}

// What f says of each game, after the game's name: "triumvirate: …; …".
template <class F>
std::string PerGame(std::string_view separator, F f) {
  std::string text;
  for (const GameInfo* info : AllGames()) {
    if (!text.empty()) text += separator;
    text += std::string(info->name) + ": " + f(*info);
  }
  return text;
}

std::string Join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

std::string StartNames(const GameInfo& info) { return Join(AnyState::Starts(info.name)); }

}  // namespace

std::string MoveFormNames() {
  return PerGame("; ", [](const GameInfo& info) { return Join(AnyState::MoveForms(info.name)); });
}

std::string OtherGameHint(const std::string& game, std::string_view position) {
  for (const GameInfo* info : AllGames()) {
    if (info->name == game || !AnyState::Parse(info->name, position).ok()) continue;
    return absl::StrFormat("; it is a position of %s: --game %s", std::string(info->variant),
                           std::string(info->name));
  }
  return "";
}

std::string NotationNames() {
  return PerGame(", ", [](const GameInfo& info) { return std::string(info.notation); });
}

CLI::Option* AddTextOption(CLI::App* command, const std::string& flag,
                           std::optional<std::string>* value, const std::string& description) {
  return command
      ->add_option_function<std::string>(
          flag, [value](const std::string& given) { *value = given; }, description)
      ->type_name("TEXT");
}

void AddGameOption(CLI::App* command, std::string* game) {
  std::string names;
  for (const GameInfo* info : AllGames()) {
    names += names.empty() ? "" : ", ";
    names += info->name;
  }
  command->add_option("--game", *game, "Whose rules (" + names + ")")
      ->type_name("GAME")
      ->capture_default_str();
}

void AddPositionOptions(CLI::App* command, PositionOptions* options) {
  AddGameOption(command, &options->game);
  AddTextOption(command, "--position", &options->position,
                "The game's notation (" + NotationNames() +
                    "), or\nposition JSON if it begins with '{' (default: --start)")
      ->type_name("P");
  AddTextOption(command, "--start", &options->start,
                "A named start, by default the game's first\n(" + PerGame("; ", StartNames) + ")")
      ->type_name("NAME");
}

absl::StatusOr<const GameInfo*> LoadGame(const std::string& game) {
  // No name is the default game elsewhere; a name that is given must be one.
  absl::StatusOr<const GameInfo*> info = FindGame(game.empty() ? " " : std::string_view(game));
  if (!info.ok()) return About("--game", info.status());
  return info;
}

absl::StatusOr<AnyState> LoadState(const PositionOptions& options, DrawRules rules) {
  ASSIGN_OR_RETURN(const GameInfo* const info, LoadGame(options.game));
  if (options.position && options.start) {
    return absl::InvalidArgumentError("--position and --start exclude each other; give one");
  }
  if (options.position) {
    absl::StatusOr<AnyState> state = AnyState::Parse(info->name, *options.position, rules);
    if (state.ok()) return state;
    return absl::InvalidArgumentError("--position: " + std::string(state.status().message()) +
                                      OtherGameHint(options.game, *options.position));
  }
  if (options.start && options.start->empty()) {
    return absl::InvalidArgumentError("--start: a name was expected");
  }
  absl::StatusOr<AnyState> state = AnyState::Start(info->name, options.start.value_or(""), rules);
  if (!state.ok()) return About("--start", state.status());
  return state;
}

}  // namespace triarch
