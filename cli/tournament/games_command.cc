// Implements `triarch games`: lists the recorded games of a tournament, or shows one of them.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/fault_text.h"
#include "cli/tournament/game_selection.h"
#include "cli/tournament/game_table.h"
#include "cli/tournament/recorded_game.h"
#include "cli/tournament/stored_tournament.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

struct GamesOptions {
  StoredOptions stored;
  std::optional<GameNumber> id;
  SelectionOptions selection;
  std::optional<std::string> tpgn;
  bool is_json = false;
};

// The stored reports about forfeits, by the index of their game.
using Faults = std::multimap<int64_t, StoredFault>;

// Reads the reports. A user who may not see them gets none.
absl::StatusOr<Faults> ReadFaults(RecordedTournament& recorded, const GameFilter& filter) {
  Faults faults;
  const absl::Status status = recorded.VisitFaults(filter, [&](const StoredFault& fault) {
    faults.emplace(fault.index, fault);
    return absl::OkStatus();
  });
  if (!status.ok() && !absl::IsPermissionDenied(status)) return status;
  return faults;
}

std::vector<StoredFault> FaultsOf(const Faults& faults, int64_t index) {
  std::vector<StoredFault> of_game;
  const auto [begin, end] = faults.equal_range(index);
  for (auto fault = begin; fault != end; ++fault) of_game.push_back(fault->second);
  return of_game;
}

// Prints each game as it is read, so that memory does not limit their number.
absl::Status PrintGames(RecordedTournament& recorded, const GameInfo& info,
                        const GamesOptions& options) {
  const GameTable table(recorded.spec(), info);
  Faults faults;
  if (options.selection.has_faults) {
    ASSIGN_OR_RETURN(faults, ReadFaults(recorded, {.bot = options.selection.bot}));
  }
  const std::string head = options.is_json ? "[" : table.Head();
  bool is_first = true;
  RETURN_IF_ERROR(VisitSelected(
      recorded, options.selection, false, [&](const GameSummary& game, std::string_view) {
        // If reading fails at once, only the error is printed.
        if (is_first) Print(head);
        if (options.is_json && !is_first) Print(",\n ");
        const auto reports = FaultsOf(faults, game.index);
        Print(options.is_json ? table.Json(game, reports) : table.Line(game, reports));
        is_first = false;
        return absl::OkStatus();
      }));
  if (is_first) Print(head);
  if (options.is_json) Print("]\n");
  if (!options.is_json && !faults.empty()) Print("\nWith --id, the whole report about a game\n");
  return absl::OkStatus();
}

absl::Status WriteGames(RecordedTournament& recorded, const SelectionOptions& selection,
                        const std::string& path) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kTpgnFile));
  RETURN_IF_ERROR(
      VisitSelected(recorded, selection, true,
                    [&](const GameSummary&, std::string_view tpgn) { return file.Write(tpgn); }));
  return file.Commit();
}

absl::Status ShowGame(RecordedTournament& recorded, const GamesOptions& options) {
  ASSIGN_OR_RETURN(const RecordedGame game, ReadRecordedGame(recorded, options.id));
  if (options.tpgn) {
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(*options.tpgn, kTpgnFile));
    RETURN_IF_ERROR(file.Write(game.tpgn));
    RETURN_IF_ERROR(file.Commit());
    if (!options.is_json) return absl::OkStatus();
  }
  const int64_t index = game.record.index;
  ASSIGN_OR_RETURN(const Faults all,
                   ReadFaults(recorded, {.bot = {}, .first = index, .last = index}));
  const std::vector<StoredFault> faults = FaultsOf(all, index);
  ASSIGN_OR_RETURN(std::string text,
                   options.is_json ? FullGameJson(game, faults) : FullGameText(game));
  for (const StoredFault& fault : faults) {
    if (options.is_json) break;
    ASSIGN_OR_RETURN(const std::string report, FaultText(fault, game.record));
    text += "\n" + report;
  }
  Print(text);
  return absl::OkStatus();
}

absl::Status ShowGames(const GamesOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.stored));
  if (options.id) return ShowGame(*recorded, options);
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(recorded->spec().game));
  if (options.tpgn) {
    RETURN_IF_ERROR(WriteGames(*recorded, options.selection, *options.tpgn));
    if (!options.is_json) return absl::OkStatus();
  }
  return PrintGames(*recorded, *info, options);
}

int RunGames(const GamesOptions& options) {
  absl::Status usage = CheckStoredOptions(options.stored);
  usage.Update(CheckSelectionOptions(options.selection));
  if (!usage.ok()) return UsageError(usage);
  if (options.id && options.selection != SelectionOptions{}) {
    return UsageError("--id names one game; expected no other selection");
  }
  if (options.is_json && options.tpgn == "-") {
    return UsageError("--json and --tpgn - both need standard output; give --tpgn a file");
  }
  if (options.tpgn && !options.stored.db.empty() && IsSameFile(*options.tpgn, options.stored.db)) {
    return UsageError("--tpgn: " + *options.tpgn + " is the database; expected another file");
  }
  return Finish(ShowGames(options));
}

}  // namespace

void AddGamesCommand(const Command& app) {
  auto options = std::make_shared<GamesOptions>();
  const Command command =
      app.AddCommand("games", "List the recorded games of a tournament, or show one.");
  AddStoredOptions(command, &options->stored);
  AddGameNumberOption(command, "Show one game: its players, costs and moves", &options->id);
  AddSelectionOptions(command, &options->selection);
  command.AddFile({"--tpgn", "FILE", "Write the games to FILE instead; - means standard output"},
                  &options->tpgn);
  command.AddFlag({"--json", "", "Print a JSON array, one game per line; with --id, one object"},
                  &options->is_json);
  command.Footer(
      "Examples:\n"
      "  triarch games --db quickstart.db\n"
      "  triarch games --db quickstart.db --id 1.1\n"
      "  triarch games --db mine.db --bot mine --faults\n"
      "  triarch games --db quickstart.db --sort plies\n"
      "  triarch games --db quickstart.db --bot greedy --tpgn greedy.tpgn");
  command.OnRun(options, RunGames);
}

}  // namespace triarch
