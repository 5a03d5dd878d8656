// Implements `triarch standings`: prints the ratings of a recorded tournament.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/fault_text.h"
#include "cli/tournament/stored_tournament.h"
#include "core/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "spec/next_season.h"

namespace triarch {
namespace {

struct StandingsOptions {
  StoredOptions stored;
  bool is_json = false;
  std::string next_season;  // a tournament file to rewrite; empty for none
};

// Rewrites a league's tournament file in the order that its standings give.
absl::Status WriteNextSeason(const RecordedTournament& recorded, const std::string& standings,
                             const std::string& path) {
  if (recorded.spec().format != Format::kLeague) {
    return absl::InvalidArgumentError("--next-season: the tournament is not a league");
  }
  const nlohmann::json json = nlohmann::json::parse(standings, nullptr, /*allow_exceptions=*/false);
  const nlohmann::json::json_pointer key("/event/next_season");
  const nlohmann::json names = json.contains(key) ? json.at(key) : nlohmann::json();
  if (!names.is_array()) {
    return absl::FailedPreconditionError("--next-season: the season is not over");
  }
  std::string text;
  {
    ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
    ASSIGN_OR_RETURN(text, NextSeasonFile(file.text(), path, recorded.spec(),
                                          names.get<std::vector<std::string>>()));
  }
  // The file is a tournament file, or there would be no text.
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, {text.front(), "a tournament"}));
  RETURN_IF_ERROR(file.Write(text));
  RETURN_IF_ERROR(file.Commit());
  Log(path + ": the bots are in the order of the next season");
  return absl::OkStatus();
}

absl::Status PrintStandings(const StandingsOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.stored));
  ASSIGN_OR_RETURN(const StandingsReport standings, recorded->Standings());
  if (!options.next_season.empty()) {
    RETURN_IF_ERROR(WriteNextSeason(*recorded, standings.json, options.next_season));
  }
  Print(options.is_json
            ? standings.json
            : standings.text + HowToSeeFaults(standings.json, ArgumentsOf(options.stored)));
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
  command.AddFile({"--next-season", "FILE",
                   "Put the bots of FILE, the league's tournament file, in the order of its next "
                   "season"},
                  &options->next_season);
  command.Footer(
      "The tournament need not be finished. Ratings are on the Elo scale, with 95 % intervals.\n\n"
      "Examples:\n"
      "  triarch standings --db quickstart.db\n"
      "  triarch standings 3 --coordinator localhost:7071\n"
      "  triarch standings --db quickstart.db --json\n"
      "  triarch standings --db league.db --next-season league.yaml");
  command.OnRun(options, RunStandings);
}

}  // namespace triarch
