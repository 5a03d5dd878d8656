#include "site/tournament_json.h"

#include <algorithm>
#include <string>

#include "spec/spec_json.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

Json ListedTournament(const StoredTournament& tournament) {
  const TournamentSpec& spec = tournament.spec;
  Json json = {{"id", tournament.id},      {"name", spec.name},
               {"game", spec.game},        {"state", std::string(ToString(tournament.state))},
               {"games", spec.games},      {"recorded", tournament.games_recorded},
               {"bots", spec.bots.size()}, {"created", tournament.created}};
  // The results decide when these end.
  if (spec.test || IsPlanned(spec)) json["games"] = nullptr;
  return json;
}

}  // namespace

Json TournamentJson(const StoredTournament& tournament) {
  Json json = ListedTournament(tournament);
  json["bots"] = Json::array();
  for (const BotSpec& bot : tournament.spec.bots) {
    json["bots"].push_back({{"name", bot.name}, {"bot", BotText(bot)}});
  }
  const Openings& openings = tournament.spec.openings;
  json["openings"] = {{"lines", openings.lines.size()}, {"random_plies", openings.random_plies}};
  return json;
}

Json TournamentsJson(std::vector<StoredTournament> tournaments) {
  std::sort(tournaments.begin(), tournaments.end(),
            [](const StoredTournament& a, const StoredTournament& b) { return a.id > b.id; });
  Json json = Json::array();
  for (const StoredTournament& tournament : tournaments) {
    json.push_back(ListedTournament(tournament));
  }
  return json;
}

}  // namespace triarch::site
