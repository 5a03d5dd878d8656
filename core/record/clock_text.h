// Reads and writes clocks as people write them: "60+0.6", "40/120".

#ifndef TRIARCH_CORE_RECORD_CLOCK_TEXT_H_
#define TRIARCH_CORE_RECORD_CLOCK_TEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"

namespace triarch {

// The accepted forms, for messages.
inline constexpr std::string_view kClockForms =
    "[MOVES/]TIME[+INCREMENT] with seconds or MINUTES:SECONDS, as in 60+0.6, 40/120 or 2:30+1";

// Reads [MOVES/]TIME[+INCREMENT]: 1 to 1000 moves, a time of 0.001 to 1 000 000 s, and an increment
// of 0 to 1 000 000 s. A time is in seconds with at most three decimals, or in minutes and seconds
// ("2:30"). InvalidArgument names the wrong part, without quoting the whole text.
absl::StatusOr<ClockSpec> ParseClock(std::string_view text);

// Returns the canonical form, with times in seconds: "40/120+0.5".
std::string ClockText(const ClockSpec& clock);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_CLOCK_TEXT_H_
