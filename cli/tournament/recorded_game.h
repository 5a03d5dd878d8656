// Finds one recorded game in a database, at a coordinator or in a TPGN file.

#ifndef TRIARCH_CLI_TOURNAMENT_RECORDED_GAME_H_
#define TRIARCH_CLI_TOURNAMENT_RECORDED_GAME_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "cli/tournament/stored_tournament.h"
#include "core/record/recorded_game.h"

namespace triarch {

// Adds --id, which `id` holds.
void AddGameNumberOption(const Command& command, const std::string& help,
                         std::optional<GameNumber>* id);

// Names a game: [ID] --db FILE, ID --coordinator HOST:PORT, or --tpgn-in FILE, with --id.
struct RecordedGameOptions {
  StoredOptions stored;
  std::string tpgn_in;
  std::optional<GameNumber> id;
};

// `options` must live as long as the command.
void AddRecordedGameOptions(const Command& command, RecordedGameOptions* options);
// Returns a usage error if the options conflict.
absl::Status CheckRecordedGameOptions(const RecordedGameOptions& options);

// Finds the game of a tournament; without an `id`, its only game. NotFound and FailedPrecondition
// say which games there are.
absl::StatusOr<RecordedGame> ReadRecordedGame(RecordedTournament& recorded,
                                              const std::optional<GameNumber>& id);
// Finds the game that the options name. Requires: CheckRecordedGameOptions is ok.
absl::StatusOr<RecordedGame> OpenRecordedGame(const RecordedGameOptions& options);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_RECORDED_GAME_H_
