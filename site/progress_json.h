// Shows how the result of a tournament became more certain with its games (docs/web-api.md).

#ifndef TRIARCH_SITE_PROGRESS_JSON_H_
#define TRIARCH_SITE_PROGRESS_JSON_H_

#include <nlohmann/json.hpp>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"

namespace triarch::site {

// Ratings of more bots take too long to compute several times.
inline constexpr size_t kProgressBotsMax = 100;

// Reads the results once and computes at growing numbers of games, in the order of their indices:
// the ratings with their intervals, or of a test its log-likelihood ratio and its interval, or of a
// search for the best variant each ratio.
absl::StatusOr<nlohmann::ordered_json> ProgressJson(Store& store,
                                                    const StoredTournament& tournament);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_PROGRESS_JSON_H_
