// Converts standings to JSON objects.

#ifndef TRIARCH_COORDINATOR_RATINGS_STANDINGS_JSON_H_
#define TRIARCH_COORDINATOR_RATINGS_STANDINGS_JSON_H_

#include <string>

#include "coordinator/ratings/rating.h"
#include "coordinator/ratings/standings.h"
#include "nlohmann/json_fwd.hpp"

namespace triarch {

// Returns the object that StandingsJson renders (standings_text.h).
nlohmann::ordered_json StandingsObject(const Standings& standings);

// Returns {elo, error, low, high}.
nlohmann::ordered_json EstimateJson(const ratings::Estimate& estimate);

// Renders JSON for users: indented by two, ending with a line break. Names come from files, so
// invalid UTF-8 is replaced rather than refused.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_STANDINGS_JSON_H_
