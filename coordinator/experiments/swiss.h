// Pairs the rounds of a Swiss event: bots with similar points meet, and no two meet twice.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_SWISS_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_SWISS_H_

#include <cstddef>
#include <vector>

#include "coordinator/experiments/event.h"

namespace triarch::experiments {

struct SwissEvent {
  size_t seats = 3;
  std::vector<int> starting_order;  // all bots, at least `seats`
  std::vector<RoundResult> rounds = {};
};

// Returns the next round. Its tables are matches, which balance the seats.
//
// The lowest bots of those that have had the fewest byes get a bye, as many as do not fill a table.
// The others sit with their neighbours by points and starting number. Then bots of different tables
// change places while fewer meet again (a third meeting weighs four times as much as a second) or,
// equally many, the sum of squared differences in points over all pairs at a table falls. If some
// meet again after that, a search looks for tables with fewer such pairs; it gives up after a
// million tables. RankEvent ranks the bots.
Pairings NextSwissRound(const SwissEvent& event);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_SWISS_H_
