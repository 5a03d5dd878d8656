#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/stored_tournament.h"
#include "core/base/status_macros.h"

// standings: the ratings of a recorded tournament, worked out again from its games.
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
  const absl::Status status = PrintStandings(options);
  return status.ok() ? kExitDone : Fail(status);
}

}  // namespace

void AddStandingsCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<StandingsOptions>();
  CLI::App* const command = app.add_subcommand(
      "standings", "Show the standings of a recorded tournament, finished or not.");
  AddStoredOptions(command, &options->stored);
  command->add_flag("--json", options->is_json, "One JSON object");
  command->footer(
      "Ratings are on the Elo scale with their 95 % intervals; docs/json.md has the JSON.\n\n"
      "Examples:\n"
      "  triarch standings --db quickstart.db\n"
      "  triarch standings 3 --coordinator localhost:7071\n"
      "  triarch standings --db quickstart.db --json");
  SetRun(command, options, RunStandings, exit_code);
}

}  // namespace triarch
