#ifndef TRIARCH_CORE_SCHEDULE_PAIRING_H_
#define TRIARCH_CORE_SCHEDULE_PAIRING_H_

#include <cstddef>
#include <cstdint>

#include "core/game/seat.h"
#include "core/record/tournament_spec.h"

// Who meets whom: the arithmetic of sets of bots and their seatings, for games of any number of
// seats. Bots are numbers from 0. No tables: each answer is worked out from its index.
namespace triarch {

// With more bots than this the number of sets would not fit.
inline constexpr int64_t kBotsMax = 100'000;

// The orders in which a set of bots can sit: 2 for two seats, 6 for three.
int64_t SeatingsPerSet(size_t seats);

// The sets of bots that fill a table: all of them, or for a gauntlet those with bot 0.
// 0 if there are too few bots. Requires: 0 <= bots <= kBotsMax.
int64_t SetsPerRound(Format format, int64_t bots, size_t seats);

// The bots at the table, by seat, for set `set` of a round in seating `seating`. Requires:
// 0 <= set < SetsPerRound and 0 <= seating < SeatingsPerSet.
//
// The sets come in an order in which any stretch of a round has every bot about equally often (the
// counts differ by `seats` at most; in a gauntlet, those of the others); the first `seats` seatings
// put each bot once on each seat.
PerSeat<int> SeatBots(Format format, int64_t bots, size_t seats, int64_t set, int64_t seating);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_PAIRING_H_
