#include "coordinator/store/sqlite_tallies.h"

#include <map>
#include <string>

#include "core/base/status_macros.h"

namespace triarch::sqlite {

absl::Status CountGames(Database& db, int64_t tournament, std::span<const GameSummary> games,
                        const GameChecks& checks) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT tally FROM tallies WHERE tournament = ?1 AND number = ?2"));
  const auto read = [&](int64_t number) -> absl::StatusOr<std::string> {
    ASSIGN_OR_RETURN(const bool has_row, select.Bind(tournament, number).Step());
    return has_row ? std::string(select.Blob(0)) : std::string();
  };
  using Tallies = std::map<int64_t, std::string>;
  ASSIGN_OR_RETURN(const Tallies changed, AddToTallies(read, games));
  ASSIGN_OR_RETURN(Statement insert,
                   db.Prepare("INSERT INTO tallies (tournament, number, tally) VALUES (?1, ?2, ?3) "
                              "ON CONFLICT (tournament, number) DO UPDATE SET tally = ?3"));
  for (const auto& [number, tally] : changed) {
    RETURN_IF_ERROR(insert.Bind(tournament, number, Bytes{tally}).Run());
  }
  ASSIGN_OR_RETURN(
      Statement count,
      db.Prepare("UPDATE tournaments SET games_recorded = games_recorded + ?2, games_audited = "
                 "games_audited + ?3, games_confirmed = games_confirmed + ?4, games_unaudited = "
                 "games_unaudited + ?5, ended = CASE WHEN "
                 "games_recorded + ?2 >= spec ->> 'games' THEN strftime('%Y-%m-%dT%H:%M:%SZ', "
                 "'now') ELSE ended END WHERE id = ?1"));
  return count
      .Bind(tournament, std::ssize(games), checks[static_cast<size_t>(GameCheck::kAudited)],
            checks[static_cast<size_t>(GameCheck::kConfirmed)],
            checks[static_cast<size_t>(GameCheck::kUnaudited)])
      .Run();
}

absl::StatusOr<GameCosts> VisitResults(Database& db, int64_t tournament, ResultVisitor visit) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT tally FROM tallies WHERE tournament = ?1 ORDER BY number"));
  select.Bind(tournament);
  GameCosts costs;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return costs;
    RETURN_IF_ERROR(VisitTally(select.Blob(0), visit, &costs));
  }
}

absl::StatusOr<std::vector<Range>> Recorded(Database& db, int64_t tournament) {
  std::vector<Range> ranges;
  const auto add = [&ranges](const GameSummary& game) {
    if (ranges.empty() || ranges.back().last != game.index) {
      ranges.push_back({game.index, game.index});
    }
    ++ranges.back().last;
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(VisitResults(db, tournament, add).status());
  return ranges;
}

}  // namespace triarch::sqlite
