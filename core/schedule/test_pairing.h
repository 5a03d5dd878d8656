// Decides which bots of a sequential test sit where, from the number of the game.

#ifndef TRIARCH_CORE_SCHEDULE_TEST_PAIRING_H_
#define TRIARCH_CORE_SCHEDULE_TEST_PAIRING_H_

#include <cstddef>
#include <cstdint>

#include "core/game/seat.h"
#include "core/record/test_spec.h"

// A unit is the smallest part of a test in which both bots play under the same conditions. Its
// games are consecutive:
//
//   mirror, three seats: a match of the new bot against two of the base, in each seat once, then a
//     match of the base against two of the new bot, with another opening
//   pool: a match of the new bot, the base and the next bot of the pool, in all six seatings
//   two seats: a match with both colours
namespace triarch {

inline constexpr int kNewBot = 0;
inline constexpr int kBaseBot = 1;
// A test first looks at its result after this many units.
inline constexpr int64_t kTestUnitsMin = 20;
inline constexpr double kTestWidthMin = 0.01;  // between the hypotheses

int64_t GamesPerTestUnit(size_t seats);
int64_t GamesPerTestMatch(TestField field, size_t seats);
// Returns the bots of game `index` by seat. Requires: two bots and, for kPool, at least three.
PerSeat<int> SeatTestBots(TestField field, int64_t bots, size_t seats, int64_t index);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_TEST_PAIRING_H_
