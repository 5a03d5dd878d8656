// Adds the options --game, --position and --start, which name a game and a position.

#ifndef TRIARCH_CLI_RULES_POSITION_OPTIONS_H_
#define TRIARCH_CLI_RULES_POSITION_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/command.h"
#include "cli/rules/names_option.h"
#include "core/any_state.h"

namespace triarch {

struct PositionOptions {
  std::string game = "triumvirate";
  std::optional<std::string> position;
  std::optional<std::string> start;
};

// Returns the names of all games, to complete them.
std::vector<std::string> GameNames();

// Adds only --game.
void AddGameOption(const Command& command, std::string* game);
// Adds all three. `options` must live as long as the command.
void AddPositionOptions(const Command& command, PositionOptions* options);

// Lists the position notation of each game: "triumvirate: 3PF, …".
std::string NotationNames();
// Lists the move forms of each game: "triumvirate: canonical, tpgn; …".
std::string MoveFormNames();

// Returns a hint to append to an error when `position` belongs to another game, or "".
std::string OtherGameHint(const std::string& game, std::string_view position);

// Returns the game state that the options ask for. An error is a usage error that names the option.
absl::StatusOr<AnyState> LoadState(const PositionOptions& options, DrawRules rules);
// Returns the game with that name, with errors like those of LoadState.
absl::StatusOr<const GameInfo*> LoadGame(const std::string& game);

// Returns the start of moves that --from names, if it was given. The error names the option.
absl::StatusOr<std::optional<std::string>> ReadFrom(const std::optional<std::string>& from,
                                                    const Names& names, const AnyState& state);

}  // namespace triarch

#endif  // TRIARCH_CLI_RULES_POSITION_OPTIONS_H_
