// Reads the results of an arena's recorded games, and rates the players.

#ifndef TRIARCH_ARENA_SERVICE_READ_RESULTS_H_
#define TRIARCH_ARENA_SERVICE_READ_RESULTS_H_

#include "absl/status/statusor.h"
#include "arena/api/results.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"

namespace triarch::arena {

// Reads the results of all the arena's tournaments. Of more than `rated_max` players of a game,
// those with the most games are rated.
absl::StatusOr<Results> ReadResults(Store& store, size_t rated_max = kRatedBotsMax);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_READ_RESULTS_H_
