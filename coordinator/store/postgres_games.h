// Reads and writes the PostgreSQL tables that grow with the games, and the ledger.

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_GAMES_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_GAMES_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"
#include "coordinator/store/tally.h"

// Each function implements the Store function of the same name.
namespace triarch::postgres {

std::span<const Prepared> RecordStatements();
std::span<const Prepared> VisitStatements();
std::span<const Prepared> TallyStatements();

absl::Status Record(Database& db, int64_t tournament, const Roster& roster,
                    std::span<const GameRecord> records, const ShardEntry* shard);
// Records a game in a transaction of the caller's.
absl::Status RecordOne(pqxx::transaction_base& tx, int64_t tournament, const Roster& roster,
                       const GameRecord& record);
absl::StatusOr<std::vector<ShardEntry>> Shards(Database& db, int64_t tournament);

// Adds games that the same transaction records to their tallies. Requires: the tournament is
// locked.
absl::Status AddToTallies(pqxx::transaction_base& tx, int64_t tournament,
                          std::span<const GameSummary> games);
absl::StatusOr<GameCosts> VisitResults(Database& db, int64_t tournament, ResultVisitor visit);

absl::StatusOr<std::vector<Range>> Recorded(Database& db, int64_t tournament);

// Reads one page at a time; the server keeps nothing open between pages, so `visit` may take a long
// time and may use the store. `tpgn` is empty unless `wants_texts`.
using Visitor = absl::FunctionRef<absl::Status(const GameSummary&, std::string_view tpgn)>;
absl::Status Visit(Database& db, int64_t tournament, const Roster& roster, const GameFilter& filter,
                   bool wants_texts, Visitor visit);

absl::Status VisitFaults(Database& db, int64_t tournament, const Roster& roster,
                         const GameFilter& filter,
                         absl::FunctionRef<absl::Status(const StoredFault&)> visit);

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_GAMES_H_
