#include "coordinator/store/sqlite_visit.h"

#include <optional>
#include <string>
#include <utility>

#include "core/base/status_macros.h"

namespace triarch::sqlite {
namespace {

// Returns one row per seat, with the seats of a game together. ?2 = 0 selects every bot. The order
// follows.
constexpr std::string_view kSelectGames =
    "SELECT games.id, idx, match, termination, plies, seat, bot, place, ending, moves, nodes, "
    "time_us, cpu_us, fallbacks FROM games JOIN game_seats ON game_seats.game = games.id "
    "WHERE tournament = ?1 AND idx BETWEEN ?3 AND ?4 "
    "AND (?2 = 0 OR EXISTS (SELECT 1 FROM game_seats AS other "
    "WHERE other.game = games.id AND other.bot = ?2)) ";

// ?2 = 0 selects every bot.
constexpr std::string_view kSelectFaults =
    "SELECT faults.idx, match, seat, bot, ply, kind, message, answer, exit_status, errors, "
    "protocol FROM faults JOIN games ON games.tournament = faults.tournament "
    "AND games.idx = faults.idx WHERE faults.tournament = ?1 AND (?2 = 0 OR bot = ?2) "
    "AND faults.idx BETWEEN ?3 AND ?4 ORDER BY faults.idx, seat";

// Returns the id of the filter's bot, or 0 if it names none.
absl::StatusOr<int64_t> BotIdOf(const Roster& roster, const GameFilter& filter) {
  if (!filter.bot) return 0;
  ASSIGN_OR_RETURN(const int number, FindBot(roster.spec, *filter.bot));
  return roster.bot_ids[static_cast<size_t>(number)];
}

// Reads the columns that all rows of a game share.
absl::StatusOr<GameSummary> ReadGame(const Statement& row) {
  const std::optional<Termination> termination = ParseTermination(row.Text(3));
  if (!termination) return absl::DataLossError("a game has an unknown termination");
  GameSummary summary;
  summary.index = row.Int(1);
  summary.match = row.Int(2);
  summary.outcome.termination = *termination;
  summary.plies = row.Int(4);
  return summary;
}

// Reads the columns of one seat.
absl::Status ReadSeat(const Statement& row, const Roster& roster, GameSummary* summary) {
  const int64_t number = row.Int(5);
  const auto bot = roster.bot_numbers.find(row.Int(6));
  if (number < 1 || number > static_cast<int64_t>(kSeatsMax) || bot == roster.bot_numbers.end()) {
    return absl::DataLossError("a game has an unknown seat or bot");
  }
  const Seat seat = SeatAt(static_cast<size_t>(number - 1));
  summary->bots[seat] = bot->second;
  summary->outcome.place[seat] = static_cast<uint8_t>(row.Int(7));
  if (!row.IsNull(8)) summary->endings[seat] = ParseTermination(row.Text(8));
  summary->costs[seat] = {.moves = row.Int(9), .nodes = row.Int(10), .time_us = row.Int(11)};
  if (!row.IsNull(12)) summary->costs[seat].cpu_us = row.Int(12);
  summary->fallbacks[seat] = row.Int(13);
  return absl::OkStatus();
}

absl::StatusOr<StoredFault> ReadFault(const Statement& row, const Roster& roster) {
  const std::optional<Termination> why = ParseTermination(row.Text(5));
  const int64_t seat = row.Int(2);
  const auto bot = roster.bot_numbers.find(row.Int(3));
  if (!why || seat < 1 || seat > static_cast<int64_t>(kSeatsMax) ||
      bot == roster.bot_numbers.end()) {
    return absl::DataLossError("a fault has an unknown kind, seat or bot");
  }
  return StoredFault{.index = row.Int(0),
                     .match = row.Int(1),
                     .bot = bot->second,
                     .fault = {.seat = SeatAt(static_cast<size_t>(seat - 1)),
                               .ply = row.Int(4),
                               .why = *why,
                               .report = {.message = std::string(row.Text(6)),
                                          .answer = std::string(row.Text(7)),
                                          .exit_status = std::string(row.Text(8)),
                                          .errors = std::string(row.Text(9)),
                                          .protocol = std::string(row.Text(10))}}};
}

}  // namespace

absl::Status Visit(Database& db, int64_t tournament, const Roster& roster, const GameFilter& filter,
                   Visitor visit) {
  ASSIGN_OR_RETURN(const int64_t bot, BotIdOf(roster, filter));
  const std::string order = filter.is_backwards ? "ORDER BY idx DESC, seat" : "ORDER BY idx, seat";
  ASSIGN_OR_RETURN(Statement select, db.Prepare(std::string(kSelectGames) + order));
  select.Bind(tournament, bot, filter.first, filter.last);
  int64_t id = 0;  // id of the game being read; 0 before the first
  GameSummary summary;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) break;
    if (select.Int(0) != id) {
      if (id != 0) RETURN_IF_ERROR(visit(id, summary));
      ASSIGN_OR_RETURN(summary, ReadGame(select));
      id = select.Int(0);
    }
    RETURN_IF_ERROR(ReadSeat(select, roster, &summary));
  }
  return id == 0 ? absl::OkStatus() : visit(id, summary);
}

absl::Status VisitFaults(Database& db, int64_t tournament, const Roster& roster,
                         const GameFilter& filter,
                         absl::FunctionRef<absl::Status(const StoredFault&)> visit) {
  ASSIGN_OR_RETURN(const int64_t bot, BotIdOf(roster, filter));
  ASSIGN_OR_RETURN(Statement select, db.Prepare(kSelectFaults));
  select.Bind(tournament, bot, filter.first, filter.last);
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return absl::OkStatus();
    ASSIGN_OR_RETURN(const StoredFault fault, ReadFault(select, roster));
    RETURN_IF_ERROR(visit(fault));
  }
}

}  // namespace triarch::sqlite
