#include "core/record/time_control_tag.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/clock_text.h"

namespace triarch {
namespace {

void AppendPart(std::string_view part, std::string& tag) {
  if (!tag.empty()) tag += ' ';
  tag += part;
}

}  // namespace

std::string TimeControlTag(const TimeControl& control) {
  std::string tag;
  if (control.clock) tag = ClockText(*control.clock);
  if (control.movetime_ms) AppendPart("movetime_ms=" + std::to_string(*control.movetime_ms), tag);
  if (control.nodes) AppendPart("nodes=" + std::to_string(*control.nodes), tag);
  if (control.depth) AppendPart("depth=" + std::to_string(*control.depth), tag);
  return tag.empty() ? "-" : tag;
}

absl::StatusOr<TimeControl> ParseTimeControlTag(std::string_view tag) {
  TimeControl control;
  if (tag == "-") return control;
  for (const std::string_view part : Split(tag, ' ')) {
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      ASSIGN_OR_RETURN(control.clock, ParseClock(part));
      continue;
    }
    const std::string_view word = part.substr(0, equals);
    const std::optional<int64_t> value = ParseInt64(part.substr(equals + 1));
    std::optional<int64_t>* const limit = word == "movetime_ms" ? &control.movetime_ms
                                          : word == "nodes"     ? &control.nodes
                                          : word == "depth"     ? &control.depth
                                                                : nullptr;
    if (limit == nullptr || !value || *value < 1) {
      return absl::InvalidArgumentError(
          "tag TimeControl: expected a clock, movetime_ms=N, nodes=N or depth=N, not " +
          Quote(part));
    }
    *limit = value;
  }
  return control;
}

bool MayHaveClock(std::string_view tag) {
  const std::string_view first = tag.substr(0, tag.find(' '));
  return first != "-" && first.find('=') == std::string_view::npos;
}

}  // namespace triarch
