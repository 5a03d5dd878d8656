#include "coordinator/ratings/standings_json.h"

#include <string>

#include "coordinator/ratings/standings_text.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json BotJson(const BotStanding& bot) {
  return {{"rank", bot.rank > 0 ? Json(bot.rank) : Json(nullptr)},
          {"name", bot.name},
          {"rating", bot.rating ? EstimateJson(*bot.rating) : Json(nullptr)},
          {"style", bot.style ? EstimateJson(*bot.style) : Json(nullptr)},
          {"superior_to_next", OrNull(bot.superiority)},
          {"connected", bot.rating && !bot.is_unconnected},
          {"one_sided", bot.is_one_sided},
          {"games", bot.games},
          {"points", bot.points},
          {"firsts", bot.firsts},
          {"draws", bot.draws},
          {"seconds", bot.seconds},
          {"thirds", bot.thirds},
          {"faults",
           {{"time_forfeit", bot.faults.time_forfeit},
            {"illegal_move", bot.faults.illegal_move},
            {"crash", bot.faults.crash}}},
          {"fallbacks", bot.fallbacks},
          {"time_per_move_ms", OrNull(bot.time_per_move_ms)},
          {"cpu_per_move_ms", OrNull(bot.cpu_per_move_ms)},
          {"nodes_per_move", OrNull(bot.nodes_per_move)}};
}

Json TieJson(const ratings::TieRate& rate, bool is_known) {
  if (!is_known) return {{"observed", nullptr}, {"model", nullptr}};
  return {{"observed", rate.observed}, {"model", rate.model}};
}

Json CrossJson(const Standings& standings) {
  Json names = Json::array();
  Json scores = Json::array();
  Json games = Json::array();
  for (size_t row = 0; row < standings.cross.size(); ++row) {
    names.push_back(standings.bots[row].name);
    Json score_row = Json::array();
    Json game_row = Json::array();
    for (const CrossScore& score : standings.cross[row]) {
      const bool have_met = score.games > 0;
      score_row.push_back(have_met ? Json(score.score / static_cast<double>(score.games))
                                   : Json(nullptr));
      game_row.push_back(score.games);
    }
    scores.push_back(std::move(score_row));
    games.push_back(std::move(game_row));
  }
  return {{"names", names}, {"score", scores}, {"games", games}};
}

template <size_t N>
Json NamesJson(const Standings& standings, const std::array<int, N>& bots) {
  Json names = Json::array();
  for (const int bot : bots) names.push_back(standings.bots[standings.RowOf(bot)].name);
  return names;
}

Json TripleJson(const Standings& standings, const ratings::TripleCheck& triple) {
  const bool is_tested = triple.degrees > 0;
  return {{"bots", NamesJson(standings, triple.bots)},
          {"games", triple.games},
          {"firsts", triple.firsts},
          {"expected", triple.expected},
          {"chi_square", is_tested ? Json(triple.chi_square) : Json(nullptr)},
          {"degrees", triple.degrees},
          {"p", is_tested ? Json(triple.p_value) : Json(nullptr)},
          {"p_holm", is_tested ? Json(triple.p_holm) : Json(nullptr)},
          {"significant", triple.is_significant}};
}

Json PairTestJson(const ratings::PairTest& test) {
  return {{"observed", test.observed},
          {"expected", test.expected},
          {"z", test.is_tested ? Json(test.z) : Json(nullptr)},
          {"p", test.is_tested ? Json(test.p_value) : Json(nullptr)},
          {"p_holm", test.is_tested ? Json(test.p_holm) : Json(nullptr)},
          {"significant", test.is_significant}};
}

Json PairJson(const Standings& standings, const ratings::PairCheck& pair) {
  return {{"bots", NamesJson(standings, pair.bots)},
          {"games", pair.games},
          {"gang", PairTestJson(pair.gang)},
          {"feed", PairTestJson(pair.feed)}};
}

Json SeatsJson(const Standings& standings) {
  Json seats = Json::array();
  for (const SeatStanding& seat : standings.seats) {
    seats.push_back({{"name", seat.name},
                     {"effect", standings.is_rated() ? EstimateJson(seat.effect) : Json(nullptr)},
                     {"points_per_game", OrNull(seat.points_per_game)}});
  }
  return seats;
}

Json TiesJson(const Standings& standings) {
  const bool is_known = standings.is_rated() && standings.games_recorded > 0;
  return {{"first_of_two", TieJson(standings.ties.first_of_two, is_known)},
          {"first_of_three", TieJson(standings.ties.first_of_three, is_known)},
          {"second", TieJson(standings.ties.second, is_known)}};
}

}  // namespace

Json EstimateJson(const ratings::Estimate& estimate) {
  return {{"elo", estimate.value},
          {"error", estimate.error},
          {"low", estimate.value - estimate.margin()},
          {"high", estimate.value + estimate.margin()}};
}

Json StandingsObject(const Standings& standings) {
  Json json;
  json["name"] = standings.name;
  json["games"] = {{"recorded", standings.games_recorded}, {"asked", standings.games_asked}};
  json["rated"] = standings.is_rated();
  json["samples"] = nullptr;
  if (standings.samples) {
    json["samples"] = {{"shards", standings.samples->shards},
                       {"samples", standings.samples->samples},
                       {"bytes", standings.samples->bytes}};
  }
  json["plies_per_game"] = OrNull(standings.plies_per_game);
  json["anchor"] = nullptr;
  if (standings.anchor) {
    json["anchor"] = standings.bots[standings.RowOf(*standings.anchor)].name;
  }
  json["bots"] = Json::array();
  for (const BotStanding& bot : standings.bots) json["bots"].push_back(BotJson(bot));
  json["seats"] = SeatsJson(standings);
  json["ties"] = TiesJson(standings);
  json["cross"] = CrossJson(standings);
  json["terminations"] = Json::object();
  for (const auto& [termination, games] : standings.terminations) {
    json["terminations"][std::string(ToString(termination))] = games;
  }
  json["next_margin"] = nullptr;
  if (standings.next_margin) {
    json["next_margin"] = {{"now_elo", standings.next_margin->now_elo},
                           {"next_elo", standings.next_margin->next_elo},
                           {"games", standings.next_margin->games}};
  }
  json["triples"] = Json::array();
  for (const auto& triple : standings.coalitions.triples) {
    json["triples"].push_back(TripleJson(standings, triple));
  }
  json["pairs"] = Json::array();
  for (const auto& pair : standings.coalitions.pairs) {
    json["pairs"].push_back(PairJson(standings, pair));
  }
  return json;
}

std::string JsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string StandingsJson(const Standings& standings) {
  return JsonText(StandingsObject(standings));
}

}  // namespace triarch
