#include "coordinator/store/postgres_delete.h"

#include <array>

#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

constexpr std::array<Prepared, 3> kDeleteStatements = {{
    {"begin_delete", "UPDATE tournaments SET state = 'deleting' WHERE id = $1"},
    {"deleting", "SELECT id FROM tournaments WHERE state = 'deleting' ORDER BY id"},
    {"end_delete",
     "UPDATE tournaments SET state = 'deleted', spec = '{}', spec_text = '' "
     "WHERE id = $1 AND state = 'deleting'"},
}};

// The tables with a tournament's data, apart from its row and its bots.
constexpr std::array<const char*, 12> kTables = {
    "game_seats", "game_texts", "games",   "faults", "tallies", "ledger",
    "batches",    "shards",     "ratings", "leases", "audits",  "held_reports"};

// Selects the old records of a kind; $1 is the time.
std::string OldRecords(History what) {
  switch (what) {
    case History::kLeases:
      return "FROM leases WHERE ended_at < $1::timestamptz";
    case History::kWorkers:
      return "FROM workers WHERE seen < $1::timestamptz AND quarantine = ''";
    default:
      // All but the last of a bot on a day.
      return "FROM ratings WHERE time < $1::timestamptz AND time::date = (SELECT next.time::date "
             "FROM ratings AS next WHERE next.tournament = ratings.tournament "
             "AND next.bot = ratings.bot AND next.id > ratings.id "
             "AND next.time < $1::timestamptz ORDER BY next.id LIMIT 1)";
  }
}

}  // namespace

std::span<const Prepared> DeleteStatements() { return kDeleteStatements; }

absl::Status BeginDelete(Database& db, int64_t tournament) {
  return db.Write([&](pqxx::transaction_base& tx) {
    tx.exec_prepared0("begin_delete", tournament);
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<int64_t>> Deleting(Database& db) {
  std::vector<int64_t> ids;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
    ids.clear();
    for (const pqxx::row& row : tx.exec_prepared("deleting")) ids.push_back(row[0].as<int64_t>());
    return absl::OkStatus();
  }));
  return ids;
}

absl::StatusOr<bool> DeleteSome(Database& db, int64_t tournament) {
  bool has_more = false;
  RETURN_IF_ERROR(db.Write([&](pqxx::transaction_base& tx) {
    has_more = false;
    for (const std::string table : kTables) {
      const std::string sql = "DELETE FROM " + table + " WHERE ctid = ANY(ARRAY(SELECT ctid FROM " +
                              table + " WHERE tournament = $1 LIMIT $2))";
      has_more = tx.exec_params(sql, tournament, kPruneRows).affected_rows() > 0;
      if (has_more) return absl::OkStatus();
    }
    tx.exec_prepared0("end_delete", tournament);
    return absl::OkStatus();
  }));
  return has_more;
}

absl::StatusOr<int64_t> Prune(Database& db, History what, const std::string& before,
                              bool is_dry_run) {
  int64_t rows = 0;
  const std::string old = OldRecords(what);
  if (is_dry_run) {
    RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
      rows = tx.exec_params1("SELECT count(*) " + old, before)[0].as<int64_t>();
      return absl::OkStatus();
    }));
    return rows;
  }
  RETURN_IF_ERROR(db.Write([&](pqxx::transaction_base& tx) {
    const std::string sql = "DELETE FROM " + std::string(TableOf(what)) +
                            " WHERE ctid = ANY(ARRAY(SELECT ctid " + old + " LIMIT $2))";
    rows = static_cast<int64_t>(tx.exec_params(sql, before, kPruneRows).affected_rows());
    return absl::OkStatus();
  }));
  return rows;
}

}  // namespace triarch::postgres
