// Computes the standings of a recorded tournament, or the state of a test, from its games.

#ifndef TRIARCH_COORDINATOR_SERVICE_STORED_STANDINGS_H_
#define TRIARCH_COORDINATOR_SERVICE_STORED_STANDINGS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/experiments/plan.h"
#include "coordinator/experiments/sequential_test.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"

namespace triarch {

absl::StatusOr<Standings> StoredStandings(Store& store, int64_t tournament,
                                          StandingsParts parts = StandingsParts::kAll);
// Returns a sequential test with all its recorded games. Requires: the tournament is one.
absl::StatusOr<experiments::SequentialTest> StoredTest(Store& store,
                                                       const StoredTournament& stored);
// Returns the plan of a tournament with its stored matches and, with `has_games`, all its recorded
// games. Requires: IsPlanned.
absl::StatusOr<std::unique_ptr<experiments::Plan>> StoredPlan(Store& store,
                                                              const StoredTournament& stored,
                                                              bool has_games = true);

// The standings of a tournament, or the report of a sequential test.
struct StandingsReport {
  std::string text;
  std::string json;
};
absl::StatusOr<StandingsReport> ReadStandings(Store& store, int64_t tournament);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_STORED_STANDINGS_H_
