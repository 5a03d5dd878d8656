// Brings a SQLite file to this program's schema, or says why it cannot be used.

#ifndef TRIARCH_COORDINATOR_STORE_SQLITE_SCHEMA_H_
#define TRIARCH_COORDINATOR_STORE_SQLITE_SCHEMA_H_

#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "coordinator/store/sqlite_db.h"

namespace triarch::sqlite {

// For a writer, applies the missing `migrations` in one transaction and switches the file to WAL
// mode; a reader changes nothing. `shown` names the file in messages. Fails with FailedPrecondition
// if the file belongs to another application, or has a newer schema or one before kFirstSchema (for
// a reader, a different schema).
absl::Status PrepareSchema(Database& db, std::string_view shown, bool is_writer,
                           std::span<const std::string_view> migrations);

}  // namespace triarch::sqlite

#endif  // TRIARCH_COORDINATOR_STORE_SQLITE_SCHEMA_H_
