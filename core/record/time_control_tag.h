#ifndef TRIARCH_CORE_RECORD_TIME_CONTROL_TAG_H_
#define TRIARCH_CORE_RECORD_TIME_CONTROL_TAG_H_

#include <string>

#include "core/record/game_spec.h"

namespace triarch {

// The TimeControl tag: "60+0.5" (a clock and its increment, in seconds), "1/0.1" (each move in so
// many seconds), "nodes=2000", "depth=3"; several stand side by side, "-" is none.
std::string TimeControlTag(const TimeControl& control);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TIME_CONTROL_TAG_H_
