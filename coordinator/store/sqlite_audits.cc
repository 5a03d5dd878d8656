#include "coordinator/store/sqlite_audits.h"

#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"

namespace triarch::sqlite {

absl::Status HoldReports(Database& db, std::span<const StoredReport> reports) {
  ASSIGN_OR_RETURN(Statement hold,
                   db.Prepare("INSERT INTO held_reports (id, tournament, worker, owner, audits, "
                              "passes_before, games, report) "
                              "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  for (const StoredReport& one : reports) {
    RETURN_IF_ERROR(hold.Bind(one.id, one.tournament, one.worker, one.owner, one.audits,
                              one.passes_before, IndicesText(one.games), Bytes{one.report})
                        .Run());
  }
  return transaction.Commit();
}

absl::StatusOr<std::vector<StoredReport>> HeldReports(Database& db) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT id, tournament, worker, owner, audits, passes_before, games "
                              "FROM held_reports ORDER BY id"));
  std::vector<StoredReport> reports;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return reports;
    ASSIGN_OR_RETURN(std::vector<int64_t> games, ParseIndices(select.Text(6)));
    reports.push_back({.id = select.Int(0),
                       .tournament = select.Int(1),
                       .worker = std::string(select.Text(2)),
                       .owner = std::string(select.Text(3)),
                       .audits = select.Int(4),
                       .passes_before = select.Int(5),
                       .games = std::move(games),
                       .report = ""});
  }
}

absl::StatusOr<std::string> HeldReport(Database& db, int64_t id) {
  ASSIGN_OR_RETURN(Statement select, db.Prepare("SELECT report FROM held_reports WHERE id = ?1"));
  ASSIGN_OR_RETURN(const bool has_row, select.Bind(id).Step());
  if (!has_row) return NotHeld(id);
  return std::string(select.Blob(0));
}

absl::Status DropReports(Database& db, std::span<const int64_t> ids) {
  ASSIGN_OR_RETURN(Statement drop, db.Prepare("DELETE FROM held_reports WHERE id = ?1"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  for (const int64_t id : ids) RETURN_IF_ERROR(drop.Bind(id).Run());
  return transaction.Commit();
}

absl::Status AddAudits(Database& db, std::span<const StoredAudit> audits) {
  ASSIGN_OR_RETURN(
      Statement add,
      db.Prepare("INSERT INTO audits (tournament, idx, worker, owner, auditor, outcome, time) "
                 "VALUES (?1, ?2, ?3, ?4, ?5, ?6, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  for (const StoredAudit& audit : audits) {
    RETURN_IF_ERROR(add.Bind(audit.tournament, audit.game, audit.worker, audit.owner, audit.auditor,
                             audit.outcome)
                        .Run());
  }
  return transaction.Commit();
}

absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts(Database& db) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT tournament, worker, owner, outcome, count(*) FROM audits "
                              "GROUP BY tournament, worker, owner, outcome ORDER BY 1, 2, 3, 4"));
  std::vector<StoredAuditCount> counts;
  RETURN_IF_ERROR(ForEachRow(select, [&](const Statement& row) {
    counts.push_back({.tournament = row.Int(0),
                      .worker = std::string(row.Text(1)),
                      .owner = std::string(row.Text(2)),
                      .outcome = std::string(row.Text(3)),
                      .audits = row.Int(4)});
  }));
  return counts;
}

}  // namespace triarch::sqlite
