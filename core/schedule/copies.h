// Finds the sets of bots in which copies of one bot meet.

#ifndef TRIARCH_CORE_SCHEDULE_COPIES_H_
#define TRIARCH_CORE_SCHEDULE_COPIES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/tournament_spec.h"

namespace triarch {

// In larger rounds, copies are not looked for.
inline constexpr int64_t kSetsWithCopiesMax = 100'000;

// Returns, in ascending order, the sets of a round (pairing.h) in which two bots differ at most in
// name and weight. Empty if a round has more than kSetsWithCopiesMax sets. Requires: 2 or 3 seats,
// and enough bots for them.
std::vector<int64_t> SetsWithCopies(const TournamentSpec& spec, size_t seats);

}  // namespace triarch

#endif  // TRIARCH_CORE_SCHEDULE_COPIES_H_
