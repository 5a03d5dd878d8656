// Implements `triarch games`: lists the recorded games of a tournament, or shows one of them.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/tournament/fault_text.h"
#include "cli/tournament/game_selection.h"
#include "cli/tournament/game_table.h"
#include "cli/tournament/recorded_game.h"
#include "cli/tournament/stored_tournament.h"
#include "coordinator/store/store_rules.h"
#include "coordinator/store/stored.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/record/game_summary.h"
#include "core/record/strict_tpgn.h"

namespace triarch {
namespace {

struct GamesOptions {
  RecordedGameOptions game;  // or all games of the tournament, without an ID and a TPGN file
  SelectionOptions selection;
  std::optional<std::string> tpgn;
  bool is_strict = false;
  bool is_json = false;

  bool names_one_game() const { return game.id || !game.tpgn_in.empty(); }
};

// The stored reports about forfeits.
struct Reports {
  std::multimap<int64_t, StoredFault> by_game;  // by its index
  bool is_refused = false;                      // the user may not see them

  std::vector<StoredFault> Of(int64_t index) const {
    std::vector<StoredFault> of_game;
    const auto [begin, end] = by_game.equal_range(index);
    for (auto fault = begin; fault != end; ++fault) of_game.push_back(fault->second);
    return of_game;
  }
};

// Reads the reports. If the coordinator refuses them, says why on standard error.
absl::StatusOr<Reports> ReadReports(RecordedTournament& recorded, const GameFilter& filter) {
  Reports reports;
  const absl::Status status = recorded.VisitFaults(filter, [&](const StoredFault& fault) {
    reports.by_game.emplace(fault.index, fault);
    return absl::OkStatus();
  });
  reports.is_refused = absl::IsPermissionDenied(status);
  if (!status.ok() && !reports.is_refused) return status;
  if (reports.is_refused) Log("no reports about faults: " + std::string(status.message()));
  return reports;
}

// Returns the number of a game's forfeits by the bot with that number or, without it, by any.
int64_t ForfeitsIn(const GameSummary& game, const GameInfo& info, std::optional<int> bot) {
  int64_t count = 0;
  for (size_t i = 0; i < info.seats; ++i) {
    const std::optional<Termination>& ending = game.endings[SeatAt(i)];
    const bool is_counted = !bot || game.bots[SeatAt(i)] == *bot;
    if (is_counted && ending && IsForfeit(*ending)) ++count;
  }
  return count;
}

// What the command prints instead of an empty list.
std::string EmptyListText(const SelectionOptions& selection) {
  if (!selection.has_faults) return "There are no such games.\n";
  return "The selected games have no faults" + (selection.bot ? " of " + *selection.bot : "") +
         ".\n";
}

// Says below the list what it lacks. `missing` is the number of listed forfeits without a report.
std::string FaultsNote(const Reports& reports, int64_t missing) {
  std::string note;
  if (!reports.by_game.empty()) note += "Use --id to see the full report on a game.\n";
  if (missing > 0 && !reports.is_refused) {
    note += absl::StrFormat(
        "%s no report: the first %d for each bot and kind of fault are kept.\n",
        missing == 1 ? "One forfeit has" : Counted(missing, "forfeit") + " have", kFaultsKept);
  }
  return note.empty() ? "" : "\n" + note;
}

// Prints each game as it is read, so that memory does not limit their number.
absl::Status PrintGames(RecordedTournament& recorded, const GameInfo& info,
                        const GamesOptions& options) {
  const GameTable table(recorded.spec(), info, TerminalColumns(stdout));
  const std::optional<std::string>& name = options.selection.bot;
  std::optional<int> bot;
  Reports reports;
  if (name) {
    ASSIGN_OR_RETURN(bot, FindBot(recorded.spec(), *name));
  }
  if (options.selection.has_faults) {
    ASSIGN_OR_RETURN(reports, ReadReports(recorded, {.bot = name}));
  }
  const std::string head = options.is_json ? "[" : table.Head();
  bool is_first = true;
  int64_t missing = 0;  // reports
  RETURN_IF_ERROR(VisitSelected(
      recorded, options.selection, false, [&](const GameSummary& game, std::string_view) {
        // If reading fails at once, only the error is printed.
        if (is_first) Print(head);
        if (options.is_json && !is_first) Print(",\n ");
        const std::vector<StoredFault> of_game = reports.Of(game.index);
        Print(options.is_json ? table.Json(game, of_game) : table.Line(game, of_game));
        missing += ForfeitsIn(game, info, bot) - std::ssize(of_game);
        is_first = false;
        return absl::OkStatus();
      }));
  if (is_first) Print(options.is_json ? head : EmptyListText(options.selection));
  if (options.is_json) {
    Print("]\n");
  } else if (options.selection.has_faults) {
    Print(FaultsNote(reports, missing));
  }
  return absl::OkStatus();
}

absl::Status WriteGame(std::string_view tpgn, bool is_strict, OutputFile& file) {
  if (!is_strict) return file.Write(tpgn);
  ASSIGN_OR_RETURN(const std::string strict, ToStrictTpgn(tpgn));
  return file.Write(strict);
}

absl::Status WriteGames(RecordedTournament& recorded, const GamesOptions& options) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(*options.tpgn, kTpgnFile));
  RETURN_IF_ERROR(VisitSelected(recorded, options.selection, true,
                                [&](const GameSummary&, std::string_view tpgn) {
                                  return WriteGame(tpgn, options.is_strict, file);
                                }));
  return file.Commit();
}

// Returns the reports about a game, of one bot if it is named.
absl::StatusOr<std::vector<StoredFault>> ReportsOn(RecordedTournament& recorded,
                                                   const GameSummary& game,
                                                   const std::optional<std::string>& name) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(recorded.spec().game));
  std::optional<int> bot;
  if (name) {
    ASSIGN_OR_RETURN(bot, FindBot(recorded.spec(), *name));
    if (std::find(game.bots.begin(), game.bots.begin() + info->seats, *bot) ==
        game.bots.begin() + info->seats) {
      return absl::InvalidArgumentError("--bot: " + *name + " does not play this game");
    }
  }
  if (ForfeitsIn(game, *info, bot) == 0) return std::vector<StoredFault>();
  ASSIGN_OR_RETURN(const Reports reports,
                   ReadReports(recorded, {.bot = name, .first = game.index, .last = game.index}));
  return reports.Of(game.index);
}

absl::Status ShowGame(const RecordedGame& game, const std::vector<StoredFault>& faults,
                      const GamesOptions& options) {
  if (options.tpgn) {
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(*options.tpgn, kTpgnFile));
    RETURN_IF_ERROR(WriteGame(game.tpgn, options.is_strict, file));
    RETURN_IF_ERROR(file.Commit());
    if (!options.is_json) return absl::OkStatus();
  }
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
  if (!options.game.tpgn_in.empty()) {
    ASSIGN_OR_RETURN(const RecordedGame game, OpenRecordedGame(options.game));
    return ShowGame(game, {}, options);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.game.stored));
  if (options.game.id) {
    ASSIGN_OR_RETURN(const RecordedGame game, ReadRecordedGame(*recorded, options.game.id));
    std::vector<StoredFault> faults;
    if (!options.tpgn || options.is_json) {
      ASSIGN_OR_RETURN(faults, ReportsOn(*recorded, *game.summary, options.selection.bot));
    }
    return ShowGame(game, faults, options);
  }
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(recorded->spec().game));
  if (options.tpgn) {
    RETURN_IF_ERROR(WriteGames(*recorded, options));
    if (!options.is_json) return absl::OkStatus();
  }
  return PrintGames(*recorded, *info, options);
}

// Returns an error if the options select games although they name one.
absl::Status CheckOneGame(const GamesOptions& options) {
  if (!options.names_one_game()) return absl::OkStatus();
  SelectionOptions other = options.selection;
  if (options.game.tpgn_in.empty()) other.bot = std::nullopt;
  if (other == SelectionOptions{}) return absl::OkStatus();
  return absl::InvalidArgumentError(
      options.game.tpgn_in.empty()
          ? "--id names one game; expected no other selection than --bot, for its faults"
          : "--tpgn-in shows one game; expected no other selection than --id");
}

int RunGames(const GamesOptions& options) {
  absl::Status usage = CheckRecordedGameOptions(options.game);
  usage.Update(CheckOneGame(options));
  usage.Update(CheckSelectionOptions(options.selection));
  if (!usage.ok()) return UsageError(usage);
  if (options.is_json && options.tpgn == "-") {
    return UsageError("--json and --tpgn - both need standard output; give --tpgn a file");
  }
  for (const std::string& input : {options.game.stored.db, options.game.tpgn_in}) {
    if (options.tpgn && !input.empty() && IsSameFile(*options.tpgn, input)) {
      return UsageError("--tpgn: " + *options.tpgn + " is the input; expected another file");
    }
  }
  return Finish(ShowGames(options));
}

}  // namespace

void AddGamesCommand(const Command& app) {
  auto options = std::make_shared<GamesOptions>();
  const Command command =
      app.AddCommand("games", "List the recorded games of a tournament, or show one.");
  AddStoredOptions(command, &options->game.stored, /*has_tpgn_in=*/true);
  command.AddFile({"--tpgn-in", "FILE", "Show a game of a TPGN file; - means standard input"},
                  &options->game.tpgn_in);
  AddGameNumberOption(command,
                      "Show one game: its players, costs, moves and reports about\n"
                      "faults (with --bot: of that bot)",
                      &options->game.id);
  AddSelectionOptions(command, &options->selection);
  const CommandOption tpgn = command.AddFile(
      {"--tpgn", "FILE", "Write the games to FILE instead; - means standard output"},
      &options->tpgn);
  command
      .AddFlag({"--strict", "",
                "Write every move as from-to, for simple readers: E4-D5 and E1-G1\n"
                "instead of E4xD5+ and O-O"},
               &options->is_strict)
      .Needs(tpgn);
  command.AddFlag({"--json", "", "Print a JSON array, one game per line; with --id, one object"},
                  &options->is_json);
  command.Footer(
      "Examples:\n"
      "  triarch games --db quickstart.db\n"
      "  triarch games --db quickstart.db --id 1.1\n"
      "  triarch games --tpgn-in quickstart.tpgn --id 1.1\n"
      "  triarch games --db mine.db --bot mine --faults\n"
      "  triarch games --db quickstart.db --sort plies\n"
      "  triarch games --db quickstart.db --bot greedy --tpgn greedy.tpgn");
  command.OnRun(options, RunGames);
}

}  // namespace triarch
