// Reads recorded games from a SQLite file in order.

#ifndef TRIARCH_COORDINATOR_STORE_SQLITE_VISIT_H_
#define TRIARCH_COORDINATOR_STORE_SQLITE_VISIT_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/sqlite_db.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"

namespace triarch::sqlite {

// `id` is games.id.
using Visitor = absl::FunctionRef<absl::Status(int64_t id, const GameSummary&)>;
// Implements Store::VisitGames.
absl::Status Visit(Database& db, int64_t tournament, const Roster& roster, const GameFilter& filter,
                   Visitor visit);

// Implements Store::VisitFaults.
absl::Status VisitFaults(Database& db, int64_t tournament, const Roster& roster,
                         const GameFilter& filter,
                         absl::FunctionRef<absl::Status(const StoredFault&)> visit);

}  // namespace triarch::sqlite

#endif  // TRIARCH_COORDINATOR_STORE_SQLITE_VISIT_H_
