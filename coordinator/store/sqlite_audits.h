// Reads and writes the held reports and audits of a SQLite file.

#ifndef TRIARCH_COORDINATOR_STORE_SQLITE_AUDITS_H_
#define TRIARCH_COORDINATOR_STORE_SQLITE_AUDITS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/sqlite_db.h"
#include "coordinator/store/store.h"

// Each function implements the Store function of the same name.
namespace triarch::sqlite {

absl::Status HoldReports(Database& db, std::span<const StoredReport> reports);
absl::StatusOr<std::vector<StoredReport>> HeldReports(Database& db);
absl::StatusOr<std::string> HeldReport(Database& db, int64_t id);
absl::Status DropReports(Database& db, std::span<const int64_t> ids);
absl::Status AddAudits(Database& db, std::span<const StoredAudit> audits);
absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts(Database& db);

}  // namespace triarch::sqlite

#endif  // TRIARCH_COORDINATOR_STORE_SQLITE_AUDITS_H_
