// Finds one recorded game in a database, at a coordinator or in a TPGN file.

#ifndef TRIARCH_CLI_TOURNAMENT_RECORDED_GAME_H_
#define TRIARCH_CLI_TOURNAMENT_RECORDED_GAME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "cli/tournament/stored_tournament.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// The number of a game as in the Round tag and the first column of `triarch games`: "3.17" is game
// 17 of the tournament, in match 3.
struct GameNumber {
  int64_t match = 0;  // both from 0
  int64_t index = 0;

  friend bool operator==(const GameNumber&, const GameNumber&) = default;
};
std::string ToString(const GameNumber& number);

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

struct RecordedGame {
  std::string tpgn;  // its text as it was recorded
  // Replayed by the rules; all texts are on one line and Printable (core/base/text.h). `costs` are
  // set only if there is a summary.
  GameRecord record;
  // Where the game comes from a database or a coordinator.
  std::optional<GameSummary> summary = {};
  std::optional<TournamentSpec> spec = {};
};

// Finds the game of a tournament; without an `id`, its only game. NotFound and FailedPrecondition
// say which games there are.
absl::StatusOr<RecordedGame> ReadRecordedGame(RecordedTournament& recorded,
                                              const std::optional<GameNumber>& id);
// Finds the game that the options name. Requires: CheckRecordedGameOptions is ok.
absl::StatusOr<RecordedGame> OpenRecordedGame(const RecordedGameOptions& options);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_RECORDED_GAME_H_
