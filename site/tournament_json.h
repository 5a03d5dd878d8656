// Writes tournaments as JSON for the web page (docs/web-api.md).

#ifndef TRIARCH_SITE_TOURNAMENT_JSON_H_
#define TRIARCH_SITE_TOURNAMENT_JSON_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "coordinator/store/stored.h"

namespace triarch::site {

// Returns a tournament with its bots.
nlohmann::ordered_json TournamentJson(const StoredTournament& tournament);

// Returns a list of tournaments without their bots, the newest first.
nlohmann::ordered_json TournamentsJson(std::vector<StoredTournament> tournaments);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_TOURNAMENT_JSON_H_
