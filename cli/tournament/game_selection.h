// Selects and sorts the games that `triarch games` lists.

#ifndef TRIARCH_CLI_TOURNAMENT_GAME_SELECTION_H_
#define TRIARCH_CLI_TOURNAMENT_GAME_SELECTION_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "cli/tournament/stored_tournament.h"

namespace triarch {

struct SelectionOptions {
  std::optional<std::string> bot;
  std::optional<std::string> seat;
  bool has_faults = false;
  std::string termination;  // empty for any
  std::optional<int64_t> round;
  std::string order = "id";

  friend bool operator==(const SelectionOptions&, const SelectionOptions&) = default;
};

// `options` must live as long as the command.
void AddSelectionOptions(const Command& command, SelectionOptions* options);
// Returns a usage error if the options conflict.
absl::Status CheckSelectionOptions(const SelectionOptions& options);

// Visits the selected games of a tournament in the requested order; one game at a time is in
// memory or, if they are sorted, their summaries. Fails if the tournament has no such bot or seat.
absl::Status VisitSelected(RecordedTournament& recorded, const SelectionOptions& options,
                           bool with_tpgn, RecordedTournament::Visitor visit);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_GAME_SELECTION_H_
