// Answers requests for the games of a tournament (docs/web-api.md).

#ifndef TRIARCH_SITE_SITE_GAMES_H_
#define TRIARCH_SITE_SITE_GAMES_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "core/record/game_steps.h"

namespace triarch::site {

// The most games that a list has.
inline constexpr int64_t kListedMax = 200;

// Lists games, the newest first. Looks at `scan_max` games at most, so that no query takes long;
// the next page goes on. InvalidArgument: a parameter of the query is wrong.
absl::StatusOr<nlohmann::ordered_json> ListGames(Store& store, const StoredTournament& tournament,
                                                 const std::map<std::string, std::string>& query,
                                                 int64_t scan_max = 20'000);

// Adds the start, and the position after each event with the cells of its move.
void AddPositions(const GameSteps& steps, nlohmann::ordered_json* json);

// Returns a game with its positions. Fails with NotFound if no game with that index is recorded.
absl::StatusOr<nlohmann::ordered_json> ShowGame(Store& store, const StoredTournament& tournament,
                                                int64_t index);

// Returns a game's TPGN. Fails likewise.
absl::StatusOr<std::string> ShowTpgn(Store& store, const StoredTournament& tournament,
                                     int64_t index);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_SITE_GAMES_H_
