// Divides bots into the divisions of a league, and moves them up and down after a season.

#ifndef TRIARCH_COORDINATOR_EXPERIMENTS_LEAGUE_H_
#define TRIARCH_COORDINATOR_EXPERIMENTS_LEAGUE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coordinator/experiments/event.h"

namespace triarch::experiments {

// A division is a list of bots, which play a round robin. Divisions are listed from the top.
using Division = std::vector<int>;

// Divides the bots into divisions of about `size` bots, usually 9 or 12. Sizes differ by at most
// one, and are `size` if that divides the number of bots. Requires: size >= 3.
std::vector<Division> MakeDivisions(std::span<const int> starting_order, size_t size);

// A division's season is every set of `seats` bots once. Returns the number of its matches, and one
// of them. RankEvent ranks the division.
int64_t MatchCount(const Division& division, size_t seats);
Table MatchAt(const Division& division, size_t seats, int64_t match);

// Returns the divisions of the next season: between neighbouring divisions, the bottom third of the
// upper and the top third of the lower change places (of the smaller one, rounded down).
// `ranked` are the divisions with the best bot first.
std::vector<Division> NextSeason(std::vector<Division> ranked);

// Returns the division of each bot, from 0. Requires: every bot is in one.
std::vector<int> DivisionsByBot(const std::vector<Division>& divisions);

}  // namespace triarch::experiments

#endif  // TRIARCH_COORDINATOR_EXPERIMENTS_LEAGUE_H_
