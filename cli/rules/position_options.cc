#include "cli/rules/position_options.h"

#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Joins "GAME: f(GAME)" over all games.
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

// Returns an example of a cell for messages: the start of the first move in the default start.
std::string ExampleCell(const GameInfo& info) {
  const AnyState start = AnyState::Start(info.name, "").value();
  return start.MoveStart(start.LegalMoves(), 0);
}

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

std::vector<std::string> GameNames() {
  std::vector<std::string> names;
  for (const GameInfo* info : AllGames()) names.emplace_back(info->name);
  return names;
}

void AddGameOption(const Command& command, std::string* game) {
  const std::vector<std::string> games = GameNames();
  command
      .AddText({"--game", "GAME", "Play by the rules of GAME: " + absl::StrJoin(games, ", ")}, game)
      .Completes(games);
}

void AddPositionOptions(const Command& command, PositionOptions* options) {
  AddGameOption(command, &options->game);
  command.AddText({"--position", "POSITION",
                   "Start from this position, in the game's notation\n(" + NotationNames() +
                       ")\nor as position JSON"},
                  &options->position);
  command.AddText({"--start", "NAME",
                   "Start from a named position (default: the game's first)\n(" +
                       PerGame("; ", StartNames) + ")"},
                  &options->start);
}

absl::StatusOr<const GameInfo*> LoadGame(const std::string& game) {
  // FindGame accepts "" for the default game, but --game "" is an error.
  absl::StatusOr<const GameInfo*> info = FindGame(game.empty() ? " " : std::string_view(game));
  if (!info.ok()) return ForOption("--game", info.status());
  return info;
}

absl::StatusOr<AnyState> LoadState(const PositionOptions& options, DrawRules rules) {
  ASSIGN_OR_RETURN(const GameInfo* const info, LoadGame(options.game));
  if (options.position && options.start) {
    return absl::InvalidArgumentError("--position excludes --start; give only one");
  }
  if (options.position) {
    absl::StatusOr<AnyState> state = AnyState::Parse(info->name, *options.position, rules);
    if (state.ok()) return state;
    return absl::InvalidArgumentError("--position: " + std::string(state.status().message()) +
                                      OtherGameHint(options.game, *options.position));
  }
  if (options.start && options.start->empty()) {
    return absl::InvalidArgumentError("--start: expected the name of a start");
  }
  absl::StatusOr<AnyState> state = AnyState::Start(info->name, options.start.value_or(""), rules);
  if (!state.ok()) return ForOption("--start", state.status());
  return state;
}

absl::StatusOr<std::optional<std::string>> ReadFrom(const std::optional<std::string>& from,
                                                    const Names& names, const AnyState& state) {
  if (!from) return std::optional<std::string>();
  const std::optional<std::string> start = state.FindStart(names.Parse(*from));
  if (start) return start;
  return absl::InvalidArgumentError("--from: expected a cell of the board such as " +
                                    names.Write(ExampleCell(state.info())) + ", not " +
                                    Quote(*from));
}

}  // namespace triarch
