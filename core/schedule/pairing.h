// Decides which sets of bots meet, and in which seatings.

#ifndef TRIARCH_CORE_SCHEDULE_PAIRING_H_
#define TRIARCH_CORE_SCHEDULE_PAIRING_H_

#include <cstddef>
#include <cstdint>

#include "core/game/seat.h"
#include "core/record/tournament_spec.h"

// Bots are numbers from 0. Every result is computed from its index, without tables.
namespace triarch {

// With more bots the number of sets would overflow.
inline constexpr int64_t kBotsMax = 100'000;

// Returns the number of orders in which a set of bots can sit: 2 for two seats, 6 for three.
int64_t SeatingsPerSet(size_t seats);

// Returns the number of sets of bots that fill a game: all sets, or in a gauntlet those with bot 0.
// Returns 0 if there are too few bots. Requires: 0 <= bots <= kBotsMax.
int64_t SetsPerRound(Format format, int64_t bots, size_t seats);

// Returns the bots by seat for set `set` of a round in seating `seating`. Requires: 0 <= set <
// SetsPerRound and 0 <= seating < SeatingsPerSet.
//
// Every bot occurs about equally often in any part of a round (the counts differ by at most
// `seats`; in a gauntlet this holds for the bots other than 0). The first `seats` seatings put each
// bot in each seat once.
PerSeat<int> SeatBots(Format format, int64_t bots, size_t seats, int64_t set, int64_t seating);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_PAIRING_H_
