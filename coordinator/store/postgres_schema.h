// Brings a PostgreSQL database to this program's schema, or says why it cannot be used.

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_SCHEMA_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_SCHEMA_H_

#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/store.h"

namespace triarch::postgres {

// With kCreate, applies the missing `migrations`; otherwise changes nothing. Safe to run from
// several processes concurrently: only one applies each migration. Fails with FailedPrecondition if
// the schema is newer, is older and `mode` does not create, or is before kFirstSchema, and with
// Unavailable if it is older and a coordinator leads.
absl::Status PrepareSchema(Database& db, OpenMode mode,
                           std::span<const std::string_view> migrations);

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_SCHEMA_H_
