#include "core/record/time_control_tag.h"

#include <string_view>

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

bool MayHaveClock(std::string_view tag) {
  const std::string_view first = tag.substr(0, tag.find(' '));
  return first != "-" && first.find('=') == std::string_view::npos;
}

}  // namespace triarch
