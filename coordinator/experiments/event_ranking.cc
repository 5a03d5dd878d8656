#include "coordinator/experiments/event_ranking.h"

#include <cstddef>
#include <limits>
#include <span>
#include <utility>

namespace triarch::experiments {
namespace {

// Returns the ratings by bot. A bot without games is last.
std::vector<double> RatingsByBot(const Standings& standings) {
  std::vector<double> ratings(standings.bots.size(), std::numeric_limits<double>::lowest());
  for (const BotStanding& bot : standings.bots) {
    if (bot.rating) ratings[static_cast<size_t>(bot.bot)] = bot.rating->value;
  }
  return ratings;
}

}  // namespace

std::vector<EventStanding> RankSwiss(const SwissPlanner& planner, const Standings& standings) {
  const SwissEvent& event = planner.event();
  return RankEvent(event.seats, event.starting_order, event.rounds, RatingsByBot(standings));
}

std::vector<std::vector<EventStanding>> RankLeague(const LeaguePlanner& planner,
                                                   const Standings& standings) {
  const std::vector<double> ratings = RatingsByBot(standings);
  std::vector<std::vector<EventStanding>> ranked;
  for (size_t i = 0; i < planner.divisions().size(); ++i) {
    const std::span<const RoundResult> season(&planner.results()[i], 1);
    ranked.push_back(RankEvent(planner.seats(), planner.divisions()[i], season, ratings));
  }
  return ranked;
}

std::vector<Division> NextDivisions(const LeaguePlanner& planner, const Standings& standings) {
  std::vector<Division> ranked;
  for (const std::vector<EventStanding>& division : RankLeague(planner, standings)) {
    Division& bots = ranked.emplace_back();
    for (const EventStanding& standing : division) bots.push_back(standing.bot);
  }
  return NextSeason(std::move(ranked));
}

}  // namespace triarch::experiments
