// Reads and writes the PostgreSQL tables other than the games: leases, workers, bundles, ….

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_FLEET_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_FLEET_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/store.h"

// Each function implements the Store function of the same name.
namespace triarch::postgres {

std::span<const Prepared> FleetStatements();

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

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_FLEET_H_
