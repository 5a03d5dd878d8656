#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/standings_text.h"
#include "cli/stored_tournament.h"
#include "coordinator/ratings/standings_text.h"
#include "core/base/status_macros.h"

// standings: the ratings of a recorded tournament, worked out again from its games.
namespace triarch {
namespace {

struct StandingsOptions {
  StoredOptions stored;
  bool is_json = false;
};

absl::Status PrintStandings(const StandingsOptions& options, std::optional<int64_t> id) {
  ASSIGN_OR_RETURN(const OpenedTournament opened, OpenStored(options.stored.db, id));
  ASSIGN_OR_RETURN(const Standings standings, StoredStandings(*opened.store, opened.tournament.id));
  Print(options.is_json ? StandingsJson(standings) : RenderStandings(standings));
  return absl::OkStatus();
}

int RunStandings(const StandingsOptions& options) {
  const absl::StatusOr<std::optional<int64_t>> id = ReadId(options.stored);
  if (!id.ok()) return UsageError(id.status());
  const absl::Status status = PrintStandings(options, *id);
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
      "Ratings are on the Elo scale with their 95 % intervals; docs/formats.md has the JSON.\n\n"
      "Examples:\n"
      "  triarch standings --db quickstart.db\n"
      "  triarch standings --db quickstart.db --json");
  SetRun(command, options, RunStandings, exit_code);
}

}  // namespace triarch
