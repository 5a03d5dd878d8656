// Reads and writes the tallies of games in PostgreSQL.

#include <array>
#include <future>
#include <map>
#include <string>
#include <string_view>

#include "coordinator/store/postgres_games.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

// A page has about a megabyte.
constexpr std::array<Prepared, 3> kTallyStatements = {{
    {"tally", "SELECT tally FROM tallies WHERE tournament = $1 AND number = $2"},
    {"set_tally",
     "INSERT INTO tallies (tournament, number, tally) VALUES ($1, $2, $3) "
     "ON CONFLICT (tournament, number) DO UPDATE SET tally = excluded.tally"},
    {"page_of_tallies",
     "SELECT number, tally FROM tallies WHERE tournament = $1 AND number > $2 "
     "ORDER BY number LIMIT 1000"},
}};

}  // namespace

std::span<const Prepared> TallyStatements() { return kTallyStatements; }

absl::Status AddToTallies(pqxx::transaction_base& tx, int64_t tournament,
                          std::span<const GameSummary> games) {
  const auto read = [&](int64_t number) -> absl::StatusOr<std::string> {
    const pqxx::result rows = tx.exec_prepared("tally", tournament, number);
    return rows.empty() ? std::string() : pqxx::binarystring(rows[0][0]).str();
  };
  using Tallies = std::map<int64_t, std::string>;
  ASSIGN_OR_RETURN(const Tallies changed, triarch::AddToTallies(read, games));
  for (const auto& [number, tally] : changed) {
    tx.exec_prepared0("set_tally", tournament, number, pqxx::binarystring(tally));
  }
  return absl::OkStatus();
}

// A tally never loses games, so the pages do not need a common snapshot. The next page is read
// while one is visited, because the server takes as long to send it.
absl::StatusOr<GameCosts> VisitResults(Database& db, int64_t tournament, ResultVisitor visit) {
  const auto read_after = [&db, tournament](int64_t last) -> absl::StatusOr<pqxx::result> {
    pqxx::result page;
    RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
      page = tx.exec_prepared("page_of_tallies", tournament, last);
      return absl::OkStatus();
    }));
    return page;
  };
  GameCosts costs;
  auto next = std::async(read_after, -1);
  while (true) {
    ASSIGN_OR_RETURN(const pqxx::result page, next.get());
    if (page.empty()) return costs;
    next = std::async(read_after, page.back()[0].as<int64_t>());
    for (const pqxx::row& row : page) {
      const pqxx::binarystring tally(row[1]);
      RETURN_IF_ERROR(VisitTally({tally.get(), tally.size()}, visit, &costs));
    }
  }
}

}  // namespace triarch::postgres
