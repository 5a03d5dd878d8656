// Answers requests for games in progress (docs/web-api.md).

#ifndef TRIARCH_SITE_SITE_LIVE_H_
#define TRIARCH_SITE_SITE_LIVE_H_

#include <cstdint>
#include <nlohmann/json.hpp>

#include "absl/status/statusor.h"
#include "core/record/live_game.h"

namespace triarch::site {

// Lists the games with their positions.
absl::StatusOr<nlohmann::ordered_json> ListLive(const LiveSource& live);

// Returns a game with its positions so far. Fails with NotFound if it is not in progress.
absl::StatusOr<nlohmann::ordered_json> ShowLive(const LiveSource& live, int64_t tournament,
                                                int64_t index);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_LIVE_H_
