// Reads recorded games from PostgreSQL, page by page.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/store/postgres_games.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

// The statements contain the page size, because the planner does not know a parameter's value. The
// page is large enough to make round trips negligible, and with texts it still takes only a few
// megabytes. (LATERAL … OFFSET 0 forces one index lookup per game.)
constexpr std::array<Prepared, 8> kVisitStatements = {{
    {"ledger", "SELECT first, last FROM ledger WHERE tournament = $1 ORDER BY first"},
    {"page",
     "SELECT idx, match, termination, plies FROM games WHERE tournament = $1 AND "
     "idx BETWEEN $2 AND $3 ORDER BY idx LIMIT 500"},
    {"last_page",
     "SELECT idx, match, termination, plies FROM games WHERE tournament = $1 AND "
     "idx BETWEEN $2 AND $3 ORDER BY idx DESC LIMIT 500"},
    {"page_of_bot",
     "WITH page AS (SELECT DISTINCT idx FROM game_seats WHERE bot = $4 AND "
     "idx BETWEEN $2 AND $3 ORDER BY idx LIMIT 500) "
     "SELECT page.idx, match, termination, plies FROM page CROSS JOIN LATERAL "
     "(SELECT * FROM games WHERE tournament = $1 AND idx = page.idx OFFSET 0) AS found "
     "ORDER BY page.idx"},
    {"last_page_of_bot",
     "WITH page AS (SELECT DISTINCT idx FROM game_seats WHERE bot = $4 AND "
     "idx BETWEEN $2 AND $3 ORDER BY idx DESC LIMIT 500) "
     "SELECT page.idx, match, termination, plies FROM page CROSS JOIN LATERAL "
     "(SELECT * FROM games WHERE tournament = $1 AND idx = page.idx OFFSET 0) AS found "
     "ORDER BY page.idx DESC"},
    {"seats_of_page",
     "SELECT idx, seat, bot, place, ending, moves, nodes, time_us, cpu_us, fallbacks "
     "FROM unnest($2::bigint[]) AS wanted CROSS JOIN LATERAL "
     "(SELECT * FROM game_seats WHERE tournament = $1 AND idx = wanted OFFSET 0) AS found"},
    {"texts_of_page",
     "SELECT idx, tpgn FROM unnest($2::bigint[]) AS wanted CROSS JOIN LATERAL "
     "(SELECT * FROM game_texts WHERE tournament = $1 AND idx = wanted OFFSET 0) AS found"},
    {"page_of_faults",
     "SELECT idx, match, seat, bot, ply, kind, message, answer, exit_status, errors, protocol "
     "FROM faults JOIN games USING (tournament, idx) WHERE tournament = $1 "
     "AND ($2::bigint = 0 OR bot = $2) AND (idx, seat) > ($3::bigint, $4::smallint) AND idx <= $5 "
     "ORDER BY idx, "
     "seat LIMIT 50"},
}};

struct Page {
  std::vector<GameSummary> games;       // by index
  std::vector<std::string_view> texts;  // of each game, if requested; points into `rows`
  pqxx::result rows;
};

absl::Status Damaged(const Database& db, int64_t index, std::string_view what) {
  return absl::DataLossError(
      absl::StrFormat("database %s: game %d has %s", db.shown(), index, std::string(what)));
}

absl::Status ReadGame(const Database& db, const pqxx::row& row, GameSummary* summary) {
  summary->index = row[0].as<int64_t>();
  summary->match = row[1].as<int64_t>();
  const std::optional<Termination> termination = ParseTermination(row[2].c_str());
  if (!termination) return Damaged(db, summary->index, "an unknown termination");
  summary->outcome.termination = *termination;
  summary->plies = row[3].as<int64_t>();
  return absl::OkStatus();
}

absl::Status ReadSeat(const Database& db, const pqxx::row& row, const Roster& roster,
                      GameSummary* summary) {
  const auto number = row[1].as<int64_t>();
  const auto bot = roster.bot_numbers.find(row[2].as<int64_t>());
  if (number < 1 || number > static_cast<int64_t>(kSeatsMax) || bot == roster.bot_numbers.end()) {
    return Damaged(db, summary->index, "an unknown seat or bot");
  }
  const Seat seat = SeatAt(static_cast<size_t>(number - 1));
  summary->bots[seat] = bot->second;
  summary->outcome.place[seat] = static_cast<uint8_t>(row[3].as<int>());
  if (!row[4].is_null()) summary->endings[seat] = ParseTermination(row[4].c_str());
  summary->costs[seat] = {.moves = row[5].as<int64_t>(),
                          .nodes = row[6].as<int64_t>(),
                          .time_us = row[7].as<int64_t>()};
  if (!row[8].is_null()) summary->costs[seat].cpu_us = row[8].as<int64_t>();
  summary->fallbacks[seat] = row[9].as<int64_t>();
  return absl::OkStatus();
}

std::string IndicesOf(const std::vector<GameSummary>& games) {
  std::string text = "{";
  for (const GameSummary& game : games) {
    if (text.size() > 1) text += ',';
    text += std::to_string(game.index);
  }
  return text + "}";
}

// Returns the index in the page of a row's game. Rows come in any order.
absl::StatusOr<size_t> Find(const Database& db, const pqxx::row& row, const Page& page) {
  const auto index = row[0].as<int64_t>();
  const auto game = std::lower_bound(
      page.games.begin(), page.games.end(), index,
      [](const GameSummary& summary, int64_t value) { return summary.index < value; });
  if (game == page.games.end() || game->index != index) return Damaged(db, index, "no row");
  return static_cast<size_t>(game - page.games.begin());
}

absl::Status ReadSeats(const Database& db, const pqxx::result& rows, const Roster& roster,
                       Page* page) {
  for (const pqxx::row& row : rows) {
    ASSIGN_OR_RETURN(const size_t game, Find(db, row, *page));
    RETURN_IF_ERROR(ReadSeat(db, row, roster, &page->games[game]));
  }
  return absl::OkStatus();
}

absl::Status ReadTexts(const Database& db, const pqxx::result& rows, Page* page) {
  page->rows = rows;
  page->texts.assign(page->games.size(), {});
  for (const pqxx::row& row : page->rows) {
    ASSIGN_OR_RETURN(const size_t game, Find(db, row, *page));
    page->texts[game] = {row[1].c_str(), row[1].size()};
  }
  for (size_t i = 0; i < page->games.size(); ++i) {
    if (page->texts[i].empty()) return Damaged(db, page->games[i].index, "no text");
  }
  return absl::OkStatus();
}

// A game never changes and is recorded with its seats and text, so the statements do not need a
// common snapshot.
absl::Status ReadPage(Database& db, int64_t tournament, const Roster& roster, int64_t bot,
                      const GameFilter& filter, bool wants_texts, Page* page) {
  return db.Read([&](pqxx::transaction_base& tx) -> absl::Status {
    page->games.clear();
    const std::string name = filter.is_backwards ? "last_page" : "page";
    const pqxx::result rows =
        bot == 0 ? tx.exec_prepared(name, tournament, filter.first, filter.last)
                 : tx.exec_prepared(name + "_of_bot", tournament, filter.first, filter.last, bot);
    for (const pqxx::row& row : rows) {
      RETURN_IF_ERROR(ReadGame(db, row, &page->games.emplace_back()));
    }
    if (page->games.empty()) return absl::OkStatus();
    if (filter.is_backwards) std::reverse(page->games.begin(), page->games.end());
    const std::string indices = IndicesOf(page->games);
    RETURN_IF_ERROR(
        ReadSeats(db, tx.exec_prepared("seats_of_page", tournament, indices), roster, page));
    if (!wants_texts) return absl::OkStatus();
    return ReadTexts(db, tx.exec_prepared("texts_of_page", tournament, indices), page);
  });
}

// Returns the id of the filter's bot, or 0 if it names none.
absl::StatusOr<int64_t> BotIdOf(const Roster& roster, const GameFilter& filter) {
  if (!filter.bot) return 0;
  ASSIGN_OR_RETURN(const int number, FindBot(roster.spec, *filter.bot));
  return roster.bot_ids[static_cast<size_t>(number)];
}

absl::StatusOr<StoredFault> ReadFault(const Database& db, const pqxx::row& row,
                                      const Roster& roster) {
  const auto index = row[0].as<int64_t>();
  const auto seat = row[2].as<int64_t>();
  const auto bot = roster.bot_numbers.find(row[3].as<int64_t>());
  const std::optional<Termination> why = ParseTermination(row[5].c_str());
  if (!why || seat < 1 || seat > static_cast<int64_t>(kSeatsMax) ||
      bot == roster.bot_numbers.end()) {
    return Damaged(db, index, "a fault of an unknown kind, seat or bot");
  }
  return StoredFault{.index = index,
                     .match = row[1].as<int64_t>(),
                     .bot = bot->second,
                     .fault = {.seat = SeatAt(static_cast<size_t>(seat - 1)),
                               .ply = row[4].as<int64_t>(),
                               .why = *why,
                               .report = {.message = row[6].as<std::string>(),
                                          .answer = row[7].as<std::string>(),
                                          .exit_status = row[8].as<std::string>(),
                                          .errors = row[9].as<std::string>(),
                                          .protocol = row[10].as<std::string>()}}};
}

}  // namespace

std::span<const Prepared> VisitStatements() { return kVisitStatements; }

absl::StatusOr<std::vector<Range>> Recorded(Database& db, int64_t tournament) {
  std::vector<Range> ranges;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
    ranges.clear();
    for (const pqxx::row& row : tx.exec_prepared("ledger", tournament)) {
      ranges.push_back({row[0].as<int64_t>(), row[1].as<int64_t>()});
    }
    return absl::OkStatus();
  }));
  return ranges;
}

absl::Status Visit(Database& db, int64_t tournament, const Roster& roster, const GameFilter& filter,
                   bool wants_texts, Visitor visit) {
  ASSIGN_OR_RETURN(const int64_t bot, BotIdOf(roster, filter));
  Page page;
  GameFilter rest = filter;
  while (rest.first <= rest.last) {
    RETURN_IF_ERROR(ReadPage(db, tournament, roster, bot, rest, wants_texts, &page));
    if (page.games.empty()) return absl::OkStatus();
    for (size_t n = 0; n < page.games.size(); ++n) {
      const size_t i = filter.is_backwards ? page.games.size() - 1 - n : n;
      const std::string_view tpgn = wants_texts ? page.texts[i] : std::string_view();
      RETURN_IF_ERROR(visit(page.games[i], tpgn));
    }
    if (filter.is_backwards) {
      rest.last = page.games.front().index - 1;
    } else {
      rest.first = page.games.back().index + 1;
    }
  }
  return absl::OkStatus();
}

absl::Status VisitFaults(Database& db, int64_t tournament, const Roster& roster,
                         const GameFilter& filter,
                         absl::FunctionRef<absl::Status(const StoredFault&)> visit) {
  ASSIGN_OR_RETURN(const int64_t bot, BotIdOf(roster, filter));
  // The last fault read.
  int64_t index = filter.first - 1;
  int64_t seat = static_cast<int64_t>(kSeatsMax);
  while (true) {
    std::vector<StoredFault> page;
    RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) -> absl::Status {
      page.clear();
      for (const pqxx::row& row :
           tx.exec_prepared("page_of_faults", tournament, bot, index, seat, filter.last)) {
        ASSIGN_OR_RETURN(page.emplace_back(), ReadFault(db, row, roster));
      }
      return absl::OkStatus();
    }));
    if (page.empty()) return absl::OkStatus();
    for (const StoredFault& fault : page) RETURN_IF_ERROR(visit(fault));
    index = page.back().index;
    seat = static_cast<int64_t>(Index(page.back().fault.seat)) + 1;
  }
}

}  // namespace triarch::postgres
