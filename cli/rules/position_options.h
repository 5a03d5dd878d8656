#ifndef TRIARCH_CLI_RULES_POSITION_OPTIONS_H_
#define TRIARCH_CLI_RULES_POSITION_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/any_state.h"

// --game, --position and --start, which several commands take.
namespace triarch {

struct PositionOptions {
  std::string game = "triumvirate";
  std::optional<std::string> position;
  std::optional<std::string> start;
};

// What each game calls the text form of a position: "triumvirate: 3PF", more of them with commas.
std::string NotationNames();

// Adds --game alone.
void AddGameOption(CLI::App* command, std::string* game);
// Adds all three. `options` must live as long as the command.
void AddPositionOptions(CLI::App* command, PositionOptions* options);
// An option whose value may be empty: what was given is told from what was not.
CLI::Option* AddTextOption(CLI::App* command, const std::string& flag,
                           std::optional<std::string>* value, const std::string& description);

// What to say after a fault of a text that is a position of another game; else empty.
std::string OtherGameHint(const std::string& game, std::string_view position);

// What each game calls the forms of its moves: "triumvirate: canonical, tpgn; …".
std::string MoveFormNames();

// The game as the options begin it. An error is one of usage and names the flag.
absl::StatusOr<AnyState> LoadState(const PositionOptions& options, DrawRules rules);
// The same of a position alone; the error is that of the position.
absl::StatusOr<const GameInfo*> LoadGame(const std::string& game);

}  // namespace triarch

#endif  // TRIARCH_CLI_RULES_POSITION_OPTIONS_H_
