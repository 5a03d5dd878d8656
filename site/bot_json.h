// Shows a bot's results in all tournaments (docs/web-api.md).

#ifndef TRIARCH_SITE_BOT_JSON_H_
#define TRIARCH_SITE_BOT_JSON_H_

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/store/store.h"

namespace triarch::site {

// Returns the standings of a tournament, without their fit; null if it has too many bots.
using StandingsOf =
    std::function<absl::StatusOr<std::shared_ptr<const Standings>>(const StoredTournament&)>;

// Computes what StandingsOf returns.
absl::StatusOr<std::shared_ptr<const Standings>> StandingsForBots(Store& store, int64_t tournament);

// Lists the names of all bots, with the tournaments in which they play.
nlohmann::ordered_json BotsJson(std::span<const StoredTournament> tournaments);

// Returns the versions and the results of the bot with that name. Fails with NotFound if no
// tournament has one.
absl::StatusOr<nlohmann::ordered_json> BotJson(const std::string& name,
                                               std::span<const StoredTournament> tournaments,
                                               const StandingsOf& standings_of);

}  // namespace triarch::site

#endif  // TRIARCH_SITE_BOT_JSON_H_
