// Gives the numbers of games of the formats that choose matches by the results so far.

#ifndef TRIARCH_CORE_SCHEDULE_FORMAT_GAMES_H_
#define TRIARCH_CORE_SCHEDULE_FORMAT_GAMES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/tournament_spec.h"

namespace triarch {

// Returns ⌈log₂ bots⌉.
int DefaultSwissRounds(size_t bots);

// If the bots at a table of a knock-out are tied where it is to be cut, they play another match, up
// to this many.
inline constexpr int64_t kKnockoutMatchesMax = 5;

// Returns the sizes of a league's divisions, which differ by at most one and are `size` if that
// divides the number of bots. None has less than three bots if there are three. Requires: bots >= 1
// and size >= 3.
std::vector<size_t> DivisionSizes(size_t bots, size_t size);

// Returns the number of games of a Swiss event, of a league's season if no set of bots meets twice,
// or of a round robin with the bots of an adaptive tournament; or the largest possible number of a
// knock-out. Requires: Schedule::Make accepts the spec, and the swiss_rounds of a Swiss event are
// not 0.
int64_t GamesOfFormat(const TournamentSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_FORMAT_GAMES_H_
