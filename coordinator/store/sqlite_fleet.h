// Reads and writes the tables of a SQLite file other than the games: leases, bundles, shards, ….

#ifndef TRIARCH_COORDINATOR_STORE_SQLITE_FLEET_H_
#define TRIARCH_COORDINATOR_STORE_SQLITE_FLEET_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/sqlite_db.h"
#include "coordinator/store/store.h"

// Each function implements the Store function of the same name.
namespace triarch::sqlite {

absl::StatusOr<uint64_t> NextEpoch(Database& db);
absl::Status SaveLeases(Database& db, std::span<const StoredLease> leases);
absl::StatusOr<std::vector<StoredLease>> LiveLeases(Database& db);
absl::Status SaveWorkers(Database& db, std::span<const StoredWorker> workers);
absl::StatusOr<std::vector<StoredWorker>> Workers(Database& db);
absl::Status AddMatches(Database& db, int64_t tournament, std::span<const PlannedMatch> matches);
absl::StatusOr<std::vector<PlannedMatch>> Matches(Database& db, int64_t tournament,
                                                  const TournamentSpec& spec);
absl::Status AddRatings(Database& db, int64_t tournament, std::span<const RatingPoint> points);
absl::StatusOr<std::vector<RatingPoint>> Ratings(Database& db, int64_t tournament);
absl::Status AddBundle(Database& db, const StoredBundle& bundle, const std::string& tar);
absl::StatusOr<std::vector<StoredBundle>> Bundles(Database& db);
absl::StatusOr<std::string> BundleTar(Database& db, const std::string& digest);
absl::Status RemoveBundle(Database& db, const std::string& digest);

// Returns only the fields that identify the shard, or nullopt if no shard has that name.
absl::StatusOr<std::optional<ShardEntry>> FindShard(Database& db, int64_t tournament,
                                                    const std::string& shard);
absl::Status AddShard(Database& db, int64_t tournament, const ShardEntry& shard);
absl::StatusOr<std::vector<ShardEntry>> Shards(Database& db, int64_t tournament);

}  // namespace triarch::sqlite

#endif  // TRIARCH_COORDINATOR_STORE_SQLITE_FLEET_H_
