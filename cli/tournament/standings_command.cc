// Implements `triarch standings`: prints the ratings of a recorded tournament.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/stored_tournament.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

struct StandingsOptions {
  StoredOptions stored;
  bool is_json = false;
};

absl::Status PrintStandings(const StandingsOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.stored));
  ASSIGN_OR_RETURN(const std::string text, recorded->Standings(options.is_json));
  Print(text);
  return absl::OkStatus();
}

int RunStandings(const StandingsOptions& options) {
  const absl::Status usage = CheckStoredOptions(options.stored);
  if (!usage.ok()) return UsageError(usage);
  return Finish(PrintStandings(options));
}

}  // namespace

void AddStandingsCommand(const Command& app) {
  auto options = std::make_shared<StandingsOptions>();
  const Command command =
      app.AddCommand("standings", "Print the standings of a recorded tournament.");
  AddStoredOptions(command, &options->stored);
  command.AddFlag({"--json", "", "Print one JSON object (docs/json.md)"}, &options->is_json);
  command.Footer(
      "The tournament need not be finished. Ratings are on the Elo scale, with 95 % intervals.\n\n"
      "Examples:\n"
      "  triarch standings --db quickstart.db\n"
      "  triarch standings 3 --coordinator localhost:7071\n"
      "  triarch standings --db quickstart.db --json");
  command.OnRun(options, RunStandings);
}

}  // namespace triarch
