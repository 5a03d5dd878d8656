#include "cli/tournament/game_table.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "arena/api/body.h"
#include "coordinator/ratings/display_width.h"
#include "coordinator/ratings/short_names.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/error_cause.h"
#include "site/game_json.h"

namespace triarch {
namespace {

std::string PerMove(double total, int64_t moves, double unit) {
  if (moves == 0) return "-";
  return absl::StrFormat("%.4g", total / unit / static_cast<double>(moves));
}

std::string HeadOf(const GameRecord& record, const GameInfo& info) {
  std::string text =
      absl::StrFormat("game %s of %s: ", ToString(GameNumber{record.match, record.index}),
                      record.event.empty() ? "?" : record.event);
  text += !record.is_finished ? "unfinished"
                              : ResultText(record.outcome.place, info.seats) + ", " +
                                    std::string(ToString(record.outcome.termination));
  text += ", " + Counted(record.plies, "ply", "plies");
  if (record.opening_plies > 0) {
    text += absl::StrFormat(" (%d of the opening)", record.opening_plies);
  }
  text += '\n';
  if (!record.position.empty()) text += "from " + record.position + "\n";
  return text + "\n";
}

// Returns the line of a seat, with its costs only if they are known.
std::vector<std::string> SeatCells(const GameRecord& record, const GameInfo& info, Seat seat,
                                   bool has_costs) {
  std::vector<std::string> cells = {info.seat_name(seat), record.bots[seat], "-", "-"};
  if (record.is_finished) {
    cells[2] = std::to_string(record.outcome.place[seat]);
    cells[3] = absl::StrFormat("%g", Points(record.outcome.place, info.seats)[seat]);
  }
  const std::optional<Termination>& ending = record.endings[seat];
  cells.push_back(ending ? std::string(ToString(*ending)) : "-");
  cells.push_back(std::to_string(FallbacksOf(record, seat)));
  if (!has_costs) return cells;
  const SeatCost& cost = record.costs[seat];
  cells.push_back(std::to_string(cost.moves));
  cells.push_back(PerMove(static_cast<double>(cost.nodes), cost.moves, 1));
  cells.push_back(PerMove(static_cast<double>(cost.time_us), cost.moves, 1000));
  return cells;
}

std::string SeatsText(const RecordedGame& game, const GameInfo& info) {
  using Align = TextTable::Align;
  const bool has_costs = game.summary.has_value();
  TextTable table;
  table.AddColumn("Seat", Align::kLeft);
  table.AddColumn("Bot", Align::kLeft);
  table.AddColumn("Place");
  table.AddColumn("Points");
  table.AddColumn("Ending", Align::kLeft);
  table.AddColumn("Fallbacks");
  for (const char* heading : {"Moves", "nodes", "ms"}) {
    if (has_costs) table.AddColumn(heading);
  }
  for (size_t i = 0; i < info.seats; ++i) {
    table.AddRow(SeatCells(game.record, info, SeatAt(i), has_costs));
  }
  constexpr size_t kNoLimit = 1000;
  return table.Render(kNoLimit, 1) +
         (has_costs ? "\nnodes, ms: per move, without the opening\n\n" : "\n");
}

constexpr int kIdWidth = 10;
constexpr int kOtherColumns = 43;  // without the names, if play stopped by resignation
constexpr int kNameMin = 8;        // the fewest columns of a name

// Returns two spaces and the name, padded to the width.
std::string NameCell(std::string_view name, size_t width) {
  return "  " + std::string(name) + std::string(width - DisplayWidth(name), ' ');
}

}  // namespace

GameTable::GameTable(const TournamentSpec& spec, const GameInfo& info, std::optional<int> columns)
    : spec_(spec), info_(info) {
  for (const BotSpec& bot : spec.bots) {
    short_names_.push_back(bot.name);
    name_width_ = std::max(name_width_, DisplayWidth(bot.name));
  }
  if (!columns) return;
  const int room = (*columns - kOtherColumns) / static_cast<int>(info.seats) - 2;
  name_width_ = std::min(name_width_, static_cast<size_t>(std::max(room, kNameMin)));
  short_names_ = ShortNames(short_names_, name_width_);
}

std::string GameTable::Head() const {
  std::string line = absl::StrFormat("%-*s", kIdWidth, "id");
  for (size_t i = 0; i < info_.seats; ++i) line += NameCell(info_.seat_names[i], name_width_);
  return line + absl::StrFormat("  %-11s  %5s  %s\n", "result", "plies", "termination");
}

std::string GameTable::Line(const GameSummary& game, std::span<const StoredFault> faults) const {
  std::string line =
      absl::StrFormat("%-*s", kIdWidth, ToString(GameNumber{game.match, game.index}));
  std::vector<std::vector<std::string>> names;  // by seat, in lines
  size_t lines = 1;
  for (size_t i = 0; i < info_.seats; ++i) {
    names.push_back(BreakText(ShortBot(game, i), name_width_));
    lines = std::max(lines, names.back().size());
    line += NameCell(names.back()[0], name_width_);
  }
  line += absl::StrFormat("  %-11s  %5d  %s\n", ResultText(game.outcome.place, info_.seats),
                          game.plies, Ending(game));
  for (size_t n = 1; n < lines; ++n) {
    std::string rest(kIdWidth, ' ');
    for (const std::vector<std::string>& name : names) {
      rest += NameCell(n < name.size() ? name[n] : "", name_width_);
    }
    line += rest.substr(0, rest.find_last_not_of(' ') + 1) + "\n";
  }
  for (const StoredFault& stored : faults) {
    const GameFault& fault = stored.fault;
    const std::string cause = ErrorCause(fault.report.errors);
    const std::string& message = fault.report.message;
    // The message about a malformed move begins with it.
    std::string answer = fault.report.answer.empty() ? "" : Quote(fault.report.answer) + ": ";
    if (message.starts_with(Quote(fault.report.answer))) answer.clear();
    line +=
        absl::StrFormat("%*s  %s, %s, ply %d: %s%s%s\n", kIdWidth, "", Bot(game, Index(fault.seat)),
                        info_.seat_name(fault.seat), fault.ply, answer, PrintableLine(message),
                        cause.empty() ? "" : " (" + PrintableLine(cause) + ")");
  }
  return line;
}

std::string GameTable::Json(const GameSummary& game, std::span<const StoredFault> faults) const {
  const PerSeat<std::string> bots = site::BotsOf(spec_, game, info_.seats);
  return arena::ToText(site::GameJson(game, info_, bots, /*has_costs=*/true, faults));
}

const std::string& GameTable::Bot(const GameSummary& game, size_t seat) const {
  return spec_.bots[static_cast<size_t>(game.bots[SeatAt(seat)])].name;
}

const std::string& GameTable::ShortBot(const GameSummary& game, size_t seat) const {
  return short_names_[static_cast<size_t>(game.bots[SeatAt(seat)])];
}

std::string GameTable::Ending(const GameSummary& game) const {
  std::string text(ToString(game.outcome.termination));
  std::string_view separator = "; ";
  for (size_t i = 0; i < info_.seats; ++i) {
    const std::optional<Termination>& ending = game.endings[SeatAt(i)];
    if (!ending || !IsForfeit(*ending)) continue;
    text += separator;
    text += ShortBot(game, i) + " ";
    text += ToString(*ending);
    separator = ", ";
  }
  return text;
}

std::string MovesText(const GameSteps& game) {
  using Align = TextTable::Align;
  TextTable table;
  table.AddColumn("");
  for (size_t i = 0; i < game.info().seats; ++i) {
    table.AddColumn(game.info().seat_names[i], Align::kLeft);
  }
  for (const StepRound& round : RoundsOf(game)) {
    std::vector<std::string> cells = {std::to_string(round.number) + "."};
    for (size_t i = 0; i < game.info().seats; ++i) {
      std::string& cell = cells.emplace_back();
      for (const size_t step : round.steps[SeatAt(i)]) {
        const RecordedEvent& event = game.steps[step].event;
        cell += (cell.empty() ? "" : " ") + EventText(event);
        if (event.is_fallback) cell += " (fallback)";
      }
    }
    table.AddRow(std::move(cells));
  }
  constexpr size_t kNoLimit = 1000;
  return table.Render(kNoLimit, 0);
}

// Returns what the bots said about their moves, or "".
std::string InfosText(const GameSteps& game) {
  std::string text;
  for (const GameStep& step : game.steps) {
    const MoveInfo* const info = step.info(game.record);
    if (info == nullptr) continue;
    if (text.empty()) text = "\nwhat the bots said:\n";
    text += absl::StrFormat("%d. %s %s: %s\n", step.round, game.info().seat_name(step.event.seat),
                            EventText(step.event),
                            absl::StrReplaceAll(ToText(*info), {{"\n", "\n    "}}));
  }
  return text;
}

absl::StatusOr<std::string> FullGameText(const RecordedGame& game) {
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game.record.game));
  ASSIGN_OR_RETURN(const GameSteps steps, PlaySteps(game.record));
  return HeadOf(game.record, *info) + SeatsText(game, *info) + MovesText(steps) + InfosText(steps);
}

absl::StatusOr<std::string> FullGameJson(const RecordedGame& game,
                                         std::span<const StoredFault> faults) {
  ASSIGN_OR_RETURN(const GameSteps steps, PlaySteps(game.record));
  return arena::ToText(site::FullGameJson(game, steps, faults)) + "\n";
}

}  // namespace triarch
