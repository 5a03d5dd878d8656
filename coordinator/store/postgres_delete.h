// Deletes tournaments and old records from a PostgreSQL database.

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_DELETE_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_DELETE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/store.h"

// Each function implements the Store function of the same name.
namespace triarch::postgres {

std::span<const Prepared> DeleteStatements();

// Requires: the tournament exists and is over.
absl::Status BeginDelete(Database& db, int64_t tournament);
absl::StatusOr<std::vector<int64_t>> Deleting(Database& db);
absl::StatusOr<bool> DeleteSome(Database& db, int64_t tournament);
absl::StatusOr<int64_t> Prune(Database& db, History what, const std::string& before,
                              bool is_dry_run);

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_DELETE_H_
