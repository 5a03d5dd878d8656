#include "coordinator/store/postgres_schema.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/store/schema.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

constexpr int64_t kMigrationLock = 0x5472694172000002;  // key for pg_advisory_xact_lock

// Returns the number of applied migrations. (to_regclass may not see yet what another process has
// just committed; a table does.)
int64_t ReadVersion(pqxx::transaction_base& tx) {
  const bool is_there =
      tx.exec1(
            "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = 'triarch_schema' "
            "AND pg_table_is_visible(oid))")[0]
          .as<bool>();
  if (!is_there) return 0;
  return tx.exec1("SELECT coalesce(max(version), 0) FROM triarch_schema")[0].as<int64_t>();
}

absl::Status CheckIsKnown(const Database& db, int64_t version, int64_t known) {
  if (version > 0 && version < kFirstSchema) {
    return absl::FailedPreconditionError(
        absl::StrFormat("database %s has schema %d, made by an older triarch; this one knows "
                        "schemas from %d on; use another database",
                        db.shown(), version, kFirstSchema));
  }
  if (version <= known) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrFormat("database %s has schema %d, made by a newer triarch; this one knows up to %d",
                      db.shown(), version, known));
}

absl::Status CheckNotOlder(const Database& db, int64_t version, int64_t known) {
  if (version >= known) return absl::OkStatus();
  return absl::FailedPreconditionError(
      version == 0 ? absl::StrFormat(
                         "database %s has no tables of triarch; create them with triarch migrate",
                         db.shown())
                   : absl::StrFormat(
                         "database %s has the older schema %d; update to %d with triarch migrate",
                         db.shown(), version, known));
}

absl::Status Migrate(Database& db, std::span<const std::string_view> migrations) {
  const int64_t known = LastSchema(migrations);
  return db.RunOnce([&db, migrations, known](pqxx::transaction_base& tx) -> absl::Status {
    // Large tables take time, and so does waiting for another process that is migrating them.
    tx.exec0("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
    tx.exec(absl::StrFormat("SELECT pg_advisory_xact_lock(%d)", kMigrationLock));
    int64_t version = ReadVersion(tx);
    RETURN_IF_ERROR(CheckIsKnown(db, version, known));
    // An older coordinator does not support the newer schema.
    const bool is_led =
        !tx.exec1(absl::StrFormat("SELECT pg_try_advisory_xact_lock(%d)", kLeadLock))[0].as<bool>();
    if (is_led && version < known) {
      return absl::UnavailableError(absl::StrFormat(
          "database %s has the older schema %d and a coordinator that leads it; it can be migrated "
          "to %d when that coordinator has ended",
          db.shown(), version, known));
    }
    const std::span<const std::string_view> missing = MissingMigrations(migrations, version);
    if (version == 0) {
      tx.exec0(
          "CREATE TABLE triarch_schema (version INTEGER PRIMARY KEY, "
          "applied TIMESTAMPTZ NOT NULL DEFAULT now())");
    }
    version = std::max(version, kFirstSchema - 1);
    for (const std::string_view sql : missing) {
      tx.exec(std::string(sql));
      tx.exec_params0("INSERT INTO triarch_schema (version) VALUES ($1)", ++version);
    }
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status PrepareSchema(Database& db, OpenMode mode,
                           std::span<const std::string_view> migrations) {
  const int64_t known = LastSchema(migrations);
  int64_t version = 0;
  RETURN_IF_ERROR(db.Read([&version](pqxx::transaction_base& tx) {
    version = ReadVersion(tx);
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(CheckIsKnown(db, version, known));
  db.set_schema_version(known);
  if (mode != OpenMode::kCreate) return CheckNotOlder(db, version, known);
  return version == known ? absl::OkStatus() : Migrate(db, migrations);
}

}  // namespace triarch::postgres
