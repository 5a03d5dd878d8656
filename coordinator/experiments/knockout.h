// Runs a knock-out: the best one or two of every table advance.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_KNOCKOUT_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_KNOCKOUT_H_

#include <cstddef>
#include <span>
#include <vector>

#include "coordinator/experiments/event.h"

namespace triarch::experiments {

struct Knockout {
  size_t seats = 3;
  size_t advancing = 1;             // per table: 1, or with three seats 1 or 2
  std::vector<int> starting_order;  // all bots, at least `seats`, from the highest seed
};

struct KnockoutTable {
  Table bots = {};                  // the best first; by seed before the first match
  std::vector<double> points = {};  // of each, over all matches of the table
  size_t matches = 0;               // finished
  size_t advancing = 0;             // how many of the bots advance; 0 while undecided
};

struct KnockoutRound {
  std::vector<int> byes = {};  // bots that advance without playing
  std::vector<KnockoutTable> tables = {};
};

struct KnockoutState {
  int round = 1;  // the last one is the final
  // One match for each table of the round that is not decided; empty after the final.
  std::vector<Table> tables = {};
  std::vector<int> byes = {};              // of this round
  std::vector<KnockoutRound> rounds = {};  // up to this one
  // After the final, all bots from the winner down: by the round in which they left, points per
  // match in it, and seed.
  std::vector<int> ranking = {};
};

// If the bots at a table are tied where the table is to be cut, they play another match, and the
// points add up. After kKnockoutMatchesMax matches the higher seed advances: copies of one bot
// would tie for ever.
//
// Returns the state after these results, which may come in any order.
//
// If one bot of each table advances, the highest seeds have a bye in the first round, which leaves
// a power of `seats`. (With three seats and 8, 26, … bots full tables cannot do that, so the second
// round has byes too.) If two of three advance, every round has as many tables as possible, and the
// highest seeds have a bye. Where fewer have to leave, the last table lets one more advance. High
// seeds meet late. The final has `seats` bots and one winner.
KnockoutState StateOf(const Knockout& knockout, std::span<const MatchResult> results);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_KNOCKOUT_H_
