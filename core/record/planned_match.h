// Describes a match whose bots were chosen from the results of earlier matches.

#ifndef TRIARCH_CORE_RECORD_PLANNED_MATCH_H_
#define TRIARCH_CORE_RECORD_PLANNED_MATCH_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/range_set.h"
#include "core/game/seat.h"

namespace triarch {

struct PlannedMatch {
  int64_t number = 0;      // of the match in its tournament, from 0
  int64_t first_game = 0;  // index of its first game
  // The table: one bot per seat, by number in the spec. With three seats one of them may sit twice,
  // as in {0, 1, 1}.
  std::vector<int> bots;
  // For tuning: the options that replace those of the spec, by place in `bots`. Empty otherwise.
  std::vector<std::map<std::string, std::string>> options = {};

  friend bool operator==(const PlannedMatch&, const PlannedMatch&) = default;
};

// Returns the number of games: one for each different order of the bots, so 6, 3 or 2.
int64_t GamesOf(const PlannedMatch& match);
inline int64_t EndOf(const PlannedMatch& match) { return match.first_game + GamesOf(match); }

// Returns which place of `match.bots` sits where in one of its games. Requires: the game is one of
// the match.
PerSeat<int> SeatPlaces(const PlannedMatch& match, int64_t game);

// Returns the match of that game, or null. `matches` are in the order of their numbers.
const PlannedMatch* FindMatch(const std::vector<PlannedMatch>& matches, int64_t game);
// Returns the matches that have games among these.
std::vector<PlannedMatch> MatchesOf(const std::vector<PlannedMatch>& matches, const Range& games);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_PLANNED_MATCH_H_
