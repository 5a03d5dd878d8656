#include "coordinator/store/postgres_schema.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_format.h"
#include "coordinator/store/schema.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

constexpr int64_t kMigrationLock = 0x5472694172000002;  // of pg_advisory_xact_lock

int64_t KnownVersion() { return static_cast<int64_t>(PostgresMigrations().size()); }

// How many of the migrations were applied. (to_regclass may not see yet what another process has
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

absl::Status CheckNotNewer(const Database& db, int64_t version) {
  if (version <= KnownVersion()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrFormat("database %s has schema %d, made by a newer triarch; this one knows up to %d",
                      db.shown(), version, KnownVersion()));
}

absl::Status CheckNotOlder(const Database& db, int64_t version) {
  if (version >= KnownVersion()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      version == 0
          ? absl::StrFormat("database %s has no tables of triarch; let triarch migrate make them",
                            db.shown())
          : absl::StrFormat(
                "database %s has the older schema %d; let triarch migrate bring it to %d",
                db.shown(), version, KnownVersion()));
}

absl::Status Migrate(Database& db) {
  return db.RunOnce([&db](pqxx::transaction_base& tx) -> absl::Status {
    // Large tables take their time, and so does whoever migrates them already.
    tx.exec0("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
    tx.exec(absl::StrFormat("SELECT pg_advisory_xact_lock(%d)", kMigrationLock));
    int64_t version = ReadVersion(tx);
    RETURN_IF_ERROR(CheckNotNewer(db, version));
    // An older coordinator does not know what a newer schema asks of it.
    const bool is_led =
        !tx.exec1(absl::StrFormat("SELECT pg_try_advisory_xact_lock(%d)", kLeadLock))[0].as<bool>();
    if (is_led && version < KnownVersion()) {
      return absl::UnavailableError(absl::StrFormat(
          "database %s has the older schema %d and a coordinator that leads it; it can be brought "
          "to %d when that has ended",
          db.shown(), version, KnownVersion()));
    }
    if (version == 0) {
      tx.exec0(
          "CREATE TABLE triarch_schema (version INTEGER PRIMARY KEY, "
          "applied TIMESTAMPTZ NOT NULL DEFAULT now())");
    }
    for (; version < KnownVersion(); ++version) {
      tx.exec(std::string(PostgresMigrations()[static_cast<size_t>(version)]));
      tx.exec_params0("INSERT INTO triarch_schema (version) VALUES ($1)", version + 1);
    }
    return absl::OkStatus();
  });
}

}  // namespace

absl::Status PrepareSchema(Database& db, OpenMode mode) {
  int64_t version = 0;
  RETURN_IF_ERROR(db.Read([&version](pqxx::transaction_base& tx) {
    version = ReadVersion(tx);
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(CheckNotNewer(db, version));
  db.set_schema_version(KnownVersion());
  if (mode != OpenMode::kCreate) return CheckNotOlder(db, version);
  return version == KnownVersion() ? absl::OkStatus() : Migrate(db);
}

}  // namespace triarch::postgres
