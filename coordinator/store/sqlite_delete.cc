#include "coordinator/store/sqlite_delete.h"

#include <array>
#include <string_view>

#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"

namespace triarch::sqlite {
namespace {

// A game has three rows in game_seats.
constexpr int64_t kGamesAtOnce = kPruneRows / 5;

constexpr std::array<std::string_view, 3> kDeleteGames = {
    "DELETE FROM game_seats WHERE game IN "
    "(SELECT id FROM games WHERE tournament = ?1 ORDER BY idx LIMIT ?2)",
    "DELETE FROM game_texts WHERE game IN "
    "(SELECT id FROM games WHERE tournament = ?1 ORDER BY idx LIMIT ?2)",
    "DELETE FROM games WHERE id IN "
    "(SELECT id FROM games WHERE tournament = ?1 ORDER BY idx LIMIT ?2)"};

constexpr std::array<std::string_view, 8> kDeleteRows = {
    "DELETE FROM held_reports WHERE id IN "
    "(SELECT id FROM held_reports WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM audits WHERE id IN (SELECT id FROM audits WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM faults WHERE rowid IN "
    "(SELECT rowid FROM faults WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM tallies WHERE rowid IN "
    "(SELECT rowid FROM tallies WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM batches WHERE tournament = ?1 AND first_match IN "
    "(SELECT first_match FROM batches WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM shards WHERE tournament = ?1 AND shard IN "
    "(SELECT shard FROM shards WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM ratings WHERE id IN (SELECT id FROM ratings WHERE tournament = ?1 LIMIT ?2)",
    "DELETE FROM leases WHERE token IN (SELECT token FROM leases WHERE tournament = ?1 LIMIT ?2)"};

// Returns the number of deleted rows.
absl::StatusOr<int64_t> DeleteRows(Database& db, std::string_view sql, int64_t tournament,
                                   int64_t rows) {
  ASSIGN_OR_RETURN(Statement remove, db.Prepare(sql));
  RETURN_IF_ERROR(remove.Bind(tournament, rows).Run());
  return db.changes();
}

// Selects the old records of a kind; ?1 is the time.
std::string_view OldRecords(History what) {
  switch (what) {
    case History::kLeases:
      return "FROM leases WHERE ended_at < ?1";
    case History::kWorkers:
      return "FROM workers WHERE seen < ?1 AND quarantine = ''";
    default:
      // All but the last of a bot on a day.
      return "FROM ratings WHERE time < ?1 AND date(time) = (SELECT date(next.time) FROM ratings "
             "AS next WHERE next.tournament = ratings.tournament AND next.bot = ratings.bot "
             "AND next.id > ratings.id AND next.time < ?1 ORDER BY next.id LIMIT 1)";
  }
}

std::string_view KeyOf(History what) {
  switch (what) {
    case History::kLeases:
      return "token";
    case History::kWorkers:
      return "name";
    default:
      return "id";
  }
}

}  // namespace

absl::Status BeginDelete(Database& db, int64_t tournament) {
  ASSIGN_OR_RETURN(Statement update,
                   db.Prepare("UPDATE tournaments SET state = 'deleting' WHERE id = ?1"));
  return update.Bind(tournament).Run();
}

absl::StatusOr<std::vector<int64_t>> Deleting(Database& db) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT id FROM tournaments WHERE state = 'deleting' ORDER BY id"));
  std::vector<int64_t> ids;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return ids;
    ids.push_back(select.Int(0));
  }
}

absl::StatusOr<bool> DeleteSome(Database& db, int64_t tournament) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  int64_t rows = 0;
  for (const std::string_view sql : kDeleteGames) {
    ASSIGN_OR_RETURN(rows, DeleteRows(db, sql, tournament, kGamesAtOnce));
  }
  for (const std::string_view sql : kDeleteRows) {
    if (rows > 0) break;
    ASSIGN_OR_RETURN(rows, DeleteRows(db, sql, tournament, kPruneRows));
  }
  if (rows == 0) {
    ASSIGN_OR_RETURN(Statement end,
                     db.Prepare("UPDATE tournaments SET state = 'deleted', spec = '{}', "
                                "spec_text = '' WHERE id = ?1 AND state = 'deleting'"));
    RETURN_IF_ERROR(end.Bind(tournament).Run());
  }
  RETURN_IF_ERROR(transaction.Commit());
  return rows > 0;
}

absl::StatusOr<int64_t> Prune(Database& db, History what, const std::string& before,
                              bool is_dry_run) {
  const std::string old(OldRecords(what));
  if (is_dry_run) {
    ASSIGN_OR_RETURN(Statement count, db.Prepare("SELECT count(*) " + old));
    ASSIGN_OR_RETURN([[maybe_unused]] const bool has_row, count.Bind(before).Step());
    return count.Int(0);
  }
  const std::string key(KeyOf(what));
  ASSIGN_OR_RETURN(Statement remove,
                   db.Prepare("DELETE FROM " + std::string(TableOf(what)) + " WHERE " + key +
                              " IN (SELECT " + key + " " + old + " LIMIT ?2)"));
  RETURN_IF_ERROR(remove.Bind(before, kPruneRows).Run());
  return db.changes();
}

}  // namespace triarch::sqlite
