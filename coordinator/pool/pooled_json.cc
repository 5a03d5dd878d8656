// Renders pooled ratings as JSON.

#include <string>

#include "coordinator/pool/pooled_ratings.h"
#include "coordinator/ratings/standings_json.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json TournamentJson(const Pool& pool, const PoolTournament& tournament) {
  const StoredTournament& stored = tournament.stored;
  Json json = {{"database", tournament.db},      {"id", stored.id},
               {"name", stored.spec.name},       {"created", stored.created},
               {"games", stored.games_recorded}, {"repeats", nullptr},
               {"bots", Json::object()}};
  if (tournament.repeats) {
    const PoolTournament& same = pool.tournaments[*tournament.repeats];
    json["repeats"] = {{"database", same.db}, {"id", same.stored.id}};
  }
  for (size_t i = 0; i < tournament.bots.size(); ++i) {
    json["bots"][stored.spec.bots[i].name] = pool.bots[tournament.bots[i]].name;
  }
  return json;
}

Json PoolBotJson(const PoolBot& bot) {
  return {{"name", bot.name},
          {"version", TextOrNull(bot.version)},
          {"other_names", bot.other_names},
          {"since", bot.first_played},
          {"type", bot.identity.type},
          {"options", bot.identity.options},
          {"digest", TextOrNull(bot.identity.digest)},
          {"build", TextOrNull(bot.identity.build)},
          {"limits", bot.identity.limits}};
}

Json HistoryJson(const PooledRatings& ratings, const BotHistory& history) {
  Json versions = Json::array();
  for (const BotHistory::Version& version : history.versions) {
    const Standings& standings = ratings.standings;
    const BotStanding& row = standings.bots[standings.RowOf(static_cast<int>(version.bot))];
    versions.push_back(
        {{"bot", row.name},
         {"since", ratings.pool.bots[version.bot].first_played},
         {"games", row.games},
         {"rating", row.rating ? EstimateJson(*row.rating) : Json(nullptr)},
         {"change", version.change ? EstimateJson(*version.change) : Json(nullptr)}});
  }
  return {{"name", history.name}, {"versions", versions}};
}

}  // namespace

std::string PooledJson(const PooledRatings& ratings) {
  Json json = {{"tournaments", Json::array()},
               {"mixed_limits", ratings.pool.has_mixed_limits},
               {"bots", Json::array()},
               {"standings", StandingsObject(ratings.standings)},
               {"histories", Json::array()}};
  for (const PoolTournament& tournament : ratings.pool.tournaments) {
    json["tournaments"].push_back(TournamentJson(ratings.pool, tournament));
  }
  for (const PoolBot& bot : ratings.pool.bots) json["bots"].push_back(PoolBotJson(bot));
  for (const BotHistory& history : ratings.histories) {
    json["histories"].push_back(HistoryJson(ratings, history));
  }
  return JsonText(json);
}

}  // namespace triarch
