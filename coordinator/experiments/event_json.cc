// Renders adaptive tournaments, Swiss events, knock-outs and leagues as JSON.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "coordinator/experiments/adaptive_pairing.h"
#include "coordinator/experiments/adaptive_planner.h"
#include "coordinator/experiments/event_planners.h"
#include "coordinator/experiments/event_ranking.h"
#include "coordinator/experiments/event_text.h"
#include "core/base/check.h"
#include "core/record/spec_words.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json NamesJson(const TournamentSpec& spec, const std::vector<int>& bots) {
  Json names = Json::array();
  for (const int bot : bots) names.push_back(spec.bots[static_cast<size_t>(bot)].name);
  return names;
}

Json RankJson(const TournamentSpec& spec, const EventStanding& bot, size_t rank) {
  return {{"rank", rank},
          {"name", spec.bots[static_cast<size_t>(bot.bot)].name},
          {"points", bot.points},
          {"opponents_points", bot.opponents_points},
          {"mutual_points", bot.mutual_points}};
}

Json AdaptiveJson(const TournamentSpec& spec, const Plan& plan, const Standings& standings) {
  const FormatOptions& options = spec.format_options;
  Json json = {
      {"goal", std::string(kAdaptiveGoalWords[static_cast<size_t>(options.adaptive_goal)])},
      {"error", options.adaptive_error > 0 ? Json(options.adaptive_error) : Json(nullptr)},
      {"reached", static_cast<const AdaptivePlanner&>(plan.planner()).is_goal_reached()},
      {"leader", nullptr},
      {"leader_superiority", nullptr}};
  if (standings.games_recorded == 0) return json;
  const Leader leader = LeaderOf(*standings.fit);
  json["leader"] = spec.bots[static_cast<size_t>(leader.bot)].name;
  json["leader_superiority"] = ratings::NormalCdf(leader.deviates);
  return json;
}

Json SwissJson(const TournamentSpec& spec, const SwissPlanner& planner,
               const Standings& standings) {
  const std::vector<RoundResult>& rounds = planner.event().rounds;
  Json json = {{"rounds", {{"finished", rounds.size()}, {"asked", planner.rounds()}}}};
  json["bots"] = Json::array();
  for (const EventStanding& bot : RankSwiss(planner, standings)) {
    Json row = RankJson(spec, bot, json["bots"].size() + 1);
    row["byes"] = std::count_if(rounds.begin(), rounds.end(), [&bot](const RoundResult& round) {
      return std::count(round.byes.begin(), round.byes.end(), bot.bot) > 0;
    });
    json["bots"].push_back(std::move(row));
  }
  return json;
}

Json TableJson(const TournamentSpec& spec, const KnockoutTable& table) {
  Json bots = Json::array();
  for (size_t i = 0; i < table.bots.size(); ++i) {
    bots.push_back({{"name", spec.bots[static_cast<size_t>(table.bots[i])].name},
                    {"points", table.points[i]},
                    {"advances", table.advancing > 0 ? Json(i < table.advancing) : Json(nullptr)}});
  }
  return {{"bots", std::move(bots)}, {"matches", table.matches}};
}

Json KnockoutJson(const TournamentSpec& spec, const KnockoutState& state) {
  Json json = {{"rounds", Json::array()}};
  for (const KnockoutRound& round : state.rounds) {
    Json tables = Json::array();
    for (const KnockoutTable& table : round.tables) tables.push_back(TableJson(spec, table));
    json["rounds"].push_back({{"byes", NamesJson(spec, round.byes)}, {"tables", tables}});
  }
  json["ranking"] = NamesJson(spec, state.ranking);
  return json;
}

Json LeagueJson(const TournamentSpec& spec, const LeaguePlanner& planner,
                const Standings& standings) {
  const std::vector<Division> divisions = NextDivisions(planner, standings);
  const std::vector<int> next = DivisionsByBot(divisions);
  Json json = {{"matches", {{"finished", planner.finished()}, {"asked", planner.matches()}}}};
  json["divisions"] = Json::array();
  for (const std::vector<EventStanding>& division : RankLeague(planner, standings)) {
    Json rows = Json::array();
    for (const EventStanding& bot : division) {
      Json row = RankJson(spec, bot, rows.size() + 1);
      row["next_division"] = next[static_cast<size_t>(bot.bot)] + 1;
      rows.push_back(std::move(row));
    }
    json["divisions"].push_back(std::move(rows));
  }
  json["next_season"] = nullptr;
  if (!planner.is_over()) return json;
  std::vector<int> order;
  for (const Division& division : divisions) {
    order.insert(order.end(), division.begin(), division.end());
  }
  json["next_season"] = NamesJson(spec, order);
  return json;
}

Json DetailsJson(const TournamentSpec& spec, const Plan& plan, const Standings& standings) {
  const Planner& planner = plan.planner();
  switch (spec.format) {
    case Format::kAdaptive:
      return AdaptiveJson(spec, plan, standings);
    case Format::kSwiss:
      return SwissJson(spec, static_cast<const SwissPlanner&>(planner), standings);
    case Format::kKnockout:
      return KnockoutJson(spec, static_cast<const KnockoutPlanner&>(planner).state());
    case Format::kLeague:
      return LeagueJson(spec, static_cast<const LeaguePlanner&>(planner), standings);
    default:
      CHECK(false);
      return {};
  }
}

}  // namespace

Json EventJson(const TournamentSpec& spec, const Plan& plan, const Standings& standings) {
  Json json = {{"format", std::string(kFormatWords[static_cast<size_t>(spec.format)])}};
  json.update(DetailsJson(spec, plan, standings));
  return json;
}

}  // namespace triarch::experiments
