// Ranks the bots of Swiss events and leagues, with ratings as the last tie-break.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_RANKING_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_RANKING_H_

#include <vector>

#include "coordinator/experiments/event.h"
#include "coordinator/experiments/event_planners.h"
#include "coordinator/experiments/league.h"
#include "coordinator/ratings/standings.h"

namespace triarch::experiments {

// The standings of these functions are those of the tournament whose games the planner has.

std::vector<EventStanding> RankSwiss(const SwissPlanner& planner, const Standings& standings);
// Returns each division with its best bot first.
std::vector<std::vector<EventStanding>> RankLeague(const LeaguePlanner& planner,
                                                   const Standings& standings);
// Returns the divisions of the next season, ordered by the ranks of the last one.
std::vector<Division> NextDivisions(const LeaguePlanner& planner, const Standings& standings);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_RANKING_H_
