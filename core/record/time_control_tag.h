// Writes and reads the TimeControl tag of TPGN.

#ifndef TRIARCH_CORE_RECORD_TIME_CONTROL_TAG_H_
#define TRIARCH_CORE_RECORD_TIME_CONTROL_TAG_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/game_spec.h"

namespace triarch {

// Returns "60+0.5" or "40/120" (a clock, see clock_text.h), "movetime_ms=100", "nodes=2000" or
// "depth=3"; several of these separated by spaces; or "-" for no limit.
std::string TimeControlTag(const TimeControl& control);

// Reads such a tag. InvalidArgument names the wrong part.
absl::StatusOr<TimeControl> ParseTimeControlTag(std::string_view tag);

// Returns whether the limits of such a tag include a clock. An empty tag, of unknown limits, may.
bool MayHaveClock(std::string_view tag);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TIME_CONTROL_TAG_H_
