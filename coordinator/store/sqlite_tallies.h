// Reads and writes the tallies of games in a SQLite file.

#ifndef TRIARCH_COORDINATOR_STORE_SQLITE_TALLIES_H_
#define TRIARCH_COORDINATOR_STORE_SQLITE_TALLIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/sqlite_db.h"
#include "coordinator/store/tally.h"
#include "core/base/range_set.h"
#include "core/record/game_costs.h"
#include "core/record/game_record.h"
#include "core/record/game_summary.h"

namespace triarch::sqlite {

// Counts games that the same transaction records.
absl::Status CountGames(Database& db, int64_t tournament, std::span<const GameSummary> games,
                        const GameChecks& checks);

// Implement the Store functions of these names.
absl::StatusOr<GameCosts> VisitResults(Database& db, int64_t tournament, ResultVisitor visit);
absl::StatusOr<std::vector<Range>> Recorded(Database& db, int64_t tournament);

}  // namespace triarch::sqlite

#endif  // TRIARCH_COORDINATOR_STORE_SQLITE_TALLIES_H_
