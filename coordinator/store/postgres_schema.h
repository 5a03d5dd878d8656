#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_SCHEMA_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_SCHEMA_H_

#include "absl/status/status.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/store.h"

namespace triarch::postgres {

// Brings the database's schema to this version's, or says why that cannot be. Any number of
// processes may do so at once: each migration is applied by one of them.
absl::Status PrepareSchema(Database& db, OpenMode mode);

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_SCHEMA_H_
