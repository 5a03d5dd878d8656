// Implements `triarch games`: prints the recorded games of a tournament as a table, JSON or TPGN.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/stored_tournament.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

struct GamesOptions {
  StoredOptions stored;
  std::optional<std::string> bot;
  std::optional<std::string> tpgn;
  bool is_json = false;
};

// Formats the games of one tournament.
class GameWriter {
 public:
  GameWriter(const TournamentSpec& spec, const GameInfo& info) : spec_(spec), info_(info) {
    for (const BotSpec& bot : spec.bots) {
      name_width_ = std::max(name_width_, static_cast<int>(bot.name.size()));
    }
  }

  std::string TableHead() const {
    std::string line = absl::StrFormat("%-10s", "round");
    for (size_t i = 0; i < info_.seats; ++i) {
      line += absl::StrFormat("  %-*s", name_width_, std::string(info_.seat_names[i]));
    }
    return line + absl::StrFormat("  %-11s  %5s  %s\n", "result", "plies", "termination");
  }

  std::string TableLine(const GameSummary& game) const {
    // The same as the Round tag of TPGN.
    std::string line =
        absl::StrFormat("%-10s", absl::StrFormat("%d.%d", game.match + 1, game.index + 1));
    for (size_t i = 0; i < info_.seats; ++i) {
      line += absl::StrFormat("  %-*s", name_width_, Bot(game, i));
    }
    return line + absl::StrFormat("  %-11s  %5d  %s\n", Result(game), game.plies,
                                  std::string(ToString(game.outcome.termination)));
  }

  std::string Json(const GameSummary& game) const {
    nlohmann::ordered_json json = {{"index", game.index}, {"match", game.match}};
    json["result"] = Result(game);
    json["placement"] = PlacementText(game.outcome.place, info_.seats);
    json["termination"] = std::string(ToString(game.outcome.termination));
    json["plies"] = game.plies;
    for (size_t i = 0; i < info_.seats; ++i) json["seats"].push_back(SeatJson(game, i));
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

 private:
  const std::string& Bot(const GameSummary& game, size_t seat) const {
    return spec_.bots[static_cast<size_t>(game.bots[SeatAt(seat)])].name;
  }
  std::string Result(const GameSummary& game) const {
    return ResultText(game.outcome.place, info_.seats);
  }

  nlohmann::ordered_json SeatJson(const GameSummary& game, size_t seat) const {
    const std::optional<Termination>& ending = game.endings[SeatAt(seat)];
    const SeatCost& cost = game.costs[SeatAt(seat)];
    nlohmann::ordered_json json = {{"seat", std::string(info_.seat_names[seat])},
                                   {"bot", Bot(game, seat)}};
    json["place"] = game.outcome.place[SeatAt(seat)];
    json["points"] = Points(game.outcome.place, info_.seats)[SeatAt(seat)];
    json["ending"] = nullptr;
    if (ending) json["ending"] = std::string(ToString(*ending));
    json["moves"] = cost.moves;
    json["nodes"] = cost.nodes;
    json["time_us"] = cost.time_us;
    json["cpu_us"] = nullptr;
    if (cost.cpu_us) json["cpu_us"] = *cost.cpu_us;
    json["fallbacks"] = game.fallbacks[SeatAt(seat)];
    return json;
  }

  const TournamentSpec& spec_;
  const GameInfo& info_;
  int name_width_ = 5;
};

// Prints each game as it is read, so that memory does not limit their number.
absl::Status PrintGames(RecordedTournament& recorded, const GameInfo& info,
                        const GameFilter& filter, bool is_json) {
  const GameWriter writer(recorded.spec(), info);
  const std::string head = is_json ? "[" : writer.TableHead();
  bool is_first = true;
  RETURN_IF_ERROR(
      recorded.VisitGames(filter, false, [&](const GameSummary& game, std::string_view) {
        // If reading fails at once, only the error is printed.
        if (is_first) Print(head);
        if (is_json && !is_first) Print(",\n ");
        Print(is_json ? writer.Json(game) : writer.TableLine(game));
        is_first = false;
        return absl::OkStatus();
      }));
  if (is_first) Print(head);
  if (is_json) Print("]\n");
  return absl::OkStatus();
}

absl::Status WriteGames(RecordedTournament& recorded, const GameFilter& filter,
                        const std::string& path) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kTpgnFile));
  RETURN_IF_ERROR(recorded.VisitGames(
      filter, true, [&](const GameSummary&, std::string_view tpgn) { return file.Write(tpgn); }));
  return file.Commit();
}

absl::Status ShowGames(const GamesOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.stored));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(recorded->spec().game));
  const GameFilter filter{.bot = options.bot};
  if (options.tpgn) {
    RETURN_IF_ERROR(WriteGames(*recorded, filter, *options.tpgn));
    if (!options.is_json) return absl::OkStatus();
  }
  return PrintGames(*recorded, *info, filter, options.is_json);
}

int RunGames(const GamesOptions& options) {
  const absl::Status usage = CheckStoredOptions(options.stored);
  if (!usage.ok()) return UsageError(usage);
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
  const Command command = app.AddCommand("games", "List the recorded games of a tournament.");
  AddStoredOptions(command, &options->stored);
  command.AddText({"--bot", "NAME", "List only the games of this bot"}, &options->bot);
  command.AddFile({"--tpgn", "FILE", "Write the games to FILE instead; - means standard output"},
                  &options->tpgn);
  command.AddFlag({"--json", "", "Print a JSON array, one game per line, indexed from 0"},
                  &options->is_json);
  command.Footer(
      "Examples:\n"
      "  triarch games --db quickstart.db\n"
      "  triarch games --db quickstart.db --bot greedy --tpgn greedy.tpgn");
  command.OnRun(options, RunGames);
}

}  // namespace triarch
