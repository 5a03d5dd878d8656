#include "coordinator/store/postgres_audits.h"

#include <array>

#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

constexpr std::array<Prepared, 6> kAuditStatements = {{
    {"hold_report",
     "INSERT INTO held_reports (id, tournament, worker, owner, audits, passes_before, games, "
     "report) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"},
    {"held_reports",
     "SELECT id, tournament, worker, owner, audits, passes_before, games FROM held_reports "
     "ORDER BY id"},
    {"held_report", "SELECT report FROM held_reports WHERE id = $1"},
    {"drop_report", "DELETE FROM held_reports WHERE id = $1"},
    {"add_audit",
     "INSERT INTO audits (tournament, idx, worker, owner, auditor, outcome) "
     "VALUES ($1, $2, $3, $4, $5, $6)"},
    {"audit_counts",
     "SELECT tournament, worker, owner, outcome, count(*) FROM audits "
     "GROUP BY tournament, worker, owner, outcome "
     "ORDER BY tournament, worker COLLATE \"C\", owner COLLATE \"C\", outcome COLLATE \"C\""},
}};

}  // namespace

std::span<const Prepared> AuditStatements() { return kAuditStatements; }

absl::Status HoldReports(Database& db, std::span<const StoredReport> reports) {
  return db.Write([reports](pqxx::transaction_base& tx) {
    for (const StoredReport& one : reports) {
      tx.exec_prepared0("hold_report", one.id, one.tournament, Text(one.worker), Text(one.owner),
                        one.audits, one.passes_before, IndicesText(one.games),
                        pqxx::binarystring(one.report));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<StoredReport>> HeldReports(Database& db) {
  std::vector<StoredReport> reports;
  RETURN_IF_ERROR(db.Read([&reports](pqxx::transaction_base& tx) -> absl::Status {
    reports.clear();
    for (const pqxx::row& row : tx.exec_prepared("held_reports")) {
      ASSIGN_OR_RETURN(std::vector<int64_t> games, ParseIndices(row[6].c_str()));
      reports.push_back({.id = row[0].as<int64_t>(),
                         .tournament = row[1].as<int64_t>(),
                         .worker = row[2].as<std::string>(),
                         .owner = row[3].as<std::string>(),
                         .audits = row[4].as<int64_t>(),
                         .passes_before = row[5].as<int64_t>(),
                         .games = std::move(games),
                         .report = ""});
    }
    return absl::OkStatus();
  }));
  return reports;
}

absl::StatusOr<std::string> HeldReport(Database& db, int64_t id) {
  std::string report;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) -> absl::Status {
    const pqxx::result rows = tx.exec_prepared("held_report", id);
    if (rows.empty()) return NotHeld(id);
    report = pqxx::binarystring(rows[0][0]).str();
    return absl::OkStatus();
  }));
  return report;
}

absl::Status DropReports(Database& db, std::span<const int64_t> ids) {
  return db.Write([ids](pqxx::transaction_base& tx) {
    for (const int64_t id : ids) tx.exec_prepared0("drop_report", id);
    return absl::OkStatus();
  });
}

absl::Status AddAudits(Database& db, std::span<const StoredAudit> audits) {
  return db.Write([audits](pqxx::transaction_base& tx) {
    for (const StoredAudit& audit : audits) {
      tx.exec_prepared0("add_audit", audit.tournament, audit.game, Text(audit.worker),
                        Text(audit.owner), Text(audit.auditor), Text(audit.outcome));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts(Database& db) {
  std::vector<StoredAuditCount> counts;
  RETURN_IF_ERROR(db.Read([&counts](pqxx::transaction_base& tx) {
    counts.clear();
    for (const pqxx::row& row : tx.exec_prepared("audit_counts")) {
      counts.push_back({.tournament = row[0].as<int64_t>(),
                        .worker = row[1].as<std::string>(),
                        .owner = row[2].as<std::string>(),
                        .outcome = row[3].as<std::string>(),
                        .audits = row[4].as<int64_t>()});
    }
    return absl::OkStatus();
  }));
  return counts;
}

}  // namespace triarch::postgres
