// Shows which openings of a list were played and how the games went (docs/web-api.md).

#ifndef TRIARCH_SITE_OPENINGS_JSON_H_
#define TRIARCH_SITE_OPENINGS_JSON_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"

namespace triarch::site {

// Returns the number, from 1, of the opening that a match plays; nothing if the tournament has no
// list of openings.
using OpeningOfMatch = std::function<std::optional<int64_t>(int64_t match)>;
OpeningOfMatch OpeningNumbers(const TournamentSpec& spec);

// Returns the openings of the list that were played, with the points of each seat.
absl::StatusOr<nlohmann::ordered_json> OpeningsJson(Store& store,
                                                    const StoredTournament& tournament);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_OPENINGS_JSON_H_
