// Computes the standings of a recorded tournament from its games.

#ifndef TRIARCH_COORDINATOR_SERVICE_STORED_STANDINGS_H_
#define TRIARCH_COORDINATOR_SERVICE_STORED_STANDINGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"

namespace triarch {

absl::StatusOr<Standings> StoredStandings(Store& store, int64_t tournament,
                                          StandingsParts parts = StandingsParts::kAll);
// Returns the standings as a table for people.
absl::StatusOr<std::string> StandingsText(Store& store, int64_t tournament);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_STORED_STANDINGS_H_
