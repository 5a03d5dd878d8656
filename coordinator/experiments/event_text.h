// Renders adaptive tournaments, Swiss events, knock-outs and leagues as text and JSON.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_TEXT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_TEXT_H_

#include <string>

#include "coordinator/experiments/plan.h"
#include "coordinator/ratings/standings.h"
#include "core/record/tournament_spec.h"
#include "nlohmann/json_fwd.hpp"

// Both functions require a spec with a format that is planned, and standings of its games.
namespace triarch::experiments {

// Returns what RenderStandings does not show, for a terminal of 100 columns, every line ending with
// a line break: the ranks by points of a Swiss event, the rounds of a knock-out, the divisions of a
// league, or whether an adaptive tournament reached its goal (nothing if it has none).
std::string RenderEvent(const TournamentSpec& spec, const Plan& plan, const Standings& standings);

// Returns the value of the key `event` in the JSON of standings. Bots are names, best first.
//
//   format adaptive: goal, error | null, reached, leader | null, leader_superiority | null
//   format swiss: rounds {finished, asked}, bots [{rank, name, points, byes, opponents_points,
//     mutual_points}]
//   format knockout: rounds [{byes, tables [{bots [{name, points, advances | null}], matches}]}],
//     ranking (empty before the end)
//   format league: matches {finished, asked}, divisions [[{rank, name, points, opponents_points,
//     mutual_points, next_division}]], next_season [names in the order of the divisions] (null
//     before the end)
nlohmann::ordered_json EventJson(const TournamentSpec& spec, const Plan& plan,
                                 const Standings& standings);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_EVENT_TEXT_H_
