// Formats recorded games: a line of a table or of JSON for each, or one game in full.

#ifndef TRIARCH_CLI_TOURNAMENT_GAME_TABLE_H_
#define TRIARCH_CLI_TOURNAMENT_GAME_TABLE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/store/stored.h"
#include "core/any_state.h"
#include "core/record/game_steps.h"
#include "core/record/game_summary.h"
#include "core/record/recorded_game.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Formats the games of one tournament.
class GameTable {
 public:
  // Both must outlive the table. If the lines of most games would be longer than `columns`
  // otherwise, the bots' names are shortened (short_names.h), or else take several lines.
  GameTable(const TournamentSpec& spec, const GameInfo& info, std::optional<int> columns);

  std::string Head() const;
  // `faults` are reports about the game's forfeits, if they are to be shown: in the table, each has
  // a line of its own.
  std::string Line(const GameSummary& game, std::span<const StoredFault> faults = {}) const;
  // Returns the JSON on one line.
  std::string Json(const GameSummary& game, std::span<const StoredFault> faults = {}) const;

 private:
  const std::string& Bot(const GameSummary& game, size_t seat) const;
  const std::string& ShortBot(const GameSummary& game, size_t seat) const;
  // Why play stopped, and the faults: "checkmate; mine crash".
  std::string Ending(const GameSummary& game) const;

  const TournamentSpec& spec_;
  const GameInfo& info_;
  std::vector<std::string> short_names_;  // by bot
  size_t name_width_ = 5;
};

// Returns the moves, one line per round with a column per seat.
std::string MovesText(const GameSteps& game);

// Returns a game with its players, moves and, unless it comes from a TPGN file, costs.
absl::StatusOr<std::string> FullGameText(const RecordedGame& game);
absl::StatusOr<std::string> FullGameJson(const RecordedGame& game,
                                         std::span<const StoredFault> faults);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_GAME_TABLE_H_
