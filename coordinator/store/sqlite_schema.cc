#include "coordinator/store/sqlite_schema.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_format.h"
#include "coordinator/store/schema.h"
#include "core/base/status_macros.h"

namespace triarch::sqlite {
namespace {

constexpr int64_t kApplicationId = 0x54724172;  // "TrAr", in the file's header

absl::Status CheckIsOurs(Database& db, std::string_view shown, int64_t version, int64_t known) {
  ASSIGN_OR_RETURN(const int64_t application, db.AskInt("PRAGMA application_id"));
  ASSIGN_OR_RETURN(const int64_t tables, db.AskInt("SELECT count(*) FROM sqlite_schema"));
  const bool is_new = application == 0 && version == 0 && tables == 0;
  if (application != kApplicationId && !is_new) {
    return absl::FailedPreconditionError(
        absl::StrFormat("database %s belongs to another application; use another database", shown));
  }
  if (version > 0 && version < kFirstSchema) {
    return absl::FailedPreconditionError(
        absl::StrFormat("database %s has schema %d, made by an older triarch; this one knows "
                        "schemas from %d on; use another database",
                        shown, version, kFirstSchema));
  }
  if (version <= known) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrFormat("database %s has schema %d, made by a newer triarch; this one knows up to %d",
                      shown, version, known));
}

absl::Status CheckNotOlder(std::string_view shown, int64_t version, int64_t known) {
  if (version == known) return absl::OkStatus();
  if (version == 0) {
    return absl::FailedPreconditionError(
        absl::StrFormat("database %s is empty; expected a recorded tournament", shown));
  }
  return absl::FailedPreconditionError(absl::StrFormat(
      "database %s has the older schema %d; a run that records to it updates it to %d", shown,
      version, known));
}

absl::Status Migrate(Database& db, std::span<const std::string_view> migrations) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  ASSIGN_OR_RETURN(const int64_t version, db.AskInt("PRAGMA user_version"));
  if (version == LastSchema(migrations)) return absl::OkStatus();
  for (const std::string_view sql : MissingMigrations(migrations, version)) {
    RETURN_IF_ERROR(db.Run(sql));
  }
  RETURN_IF_ERROR(db.Run(absl::StrFormat("PRAGMA application_id = %d; PRAGMA user_version = %d",
                                         kApplicationId, LastSchema(migrations))));
  return transaction.Commit();
}

}  // namespace

absl::Status PrepareSchema(Database& db, std::string_view shown, bool is_writer,
                           std::span<const std::string_view> migrations) {
  // Nothing may change before this check, because the file may belong to another application.
  ASSIGN_OR_RETURN(const int64_t version, db.AskInt("PRAGMA user_version"));
  const int64_t known = LastSchema(migrations);
  RETURN_IF_ERROR(CheckIsOurs(db, shown, version, known));
  if (!is_writer) return CheckNotOlder(shown, version, known);
  ASSIGN_OR_RETURN(const std::string mode, db.AskText("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return absl::UnavailableError(absl::StrFormat(
        "database %s: its disk does not allow WAL mode; use another database", shown));
  }
  RETURN_IF_ERROR(db.Run("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON"));
  return Migrate(db, migrations);
}

}  // namespace triarch::sqlite
