#include "core/record/time_control_tag.h"

#include <string_view>

namespace triarch {
namespace {

// Formats 1500 as "1.5".
std::string Seconds(int64_t ms) {
  std::string text = std::to_string(ms / 1000);
  if (ms % 1000 == 0) return text;
  text += '.' + std::to_string(1000 + ms % 1000).substr(1);
  while (text.back() == '0') text.pop_back();
  return text;
}

void AppendPart(std::string_view part, std::string& tag) {
  if (!tag.empty()) tag += ' ';
  tag += part;
}

}  // namespace

std::string TimeControlTag(const TimeControl& control) {
  std::string tag;
  if (control.clock_ms) {
    tag = Seconds(*control.clock_ms);
    if (control.increment_ms != 0) tag += '+' + Seconds(control.increment_ms);
  }
  if (control.movetime_ms) AppendPart("1/" + Seconds(*control.movetime_ms), tag);
  if (control.nodes) AppendPart("nodes=" + std::to_string(*control.nodes), tag);
  if (control.depth) AppendPart("depth=" + std::to_string(*control.depth), tag);
  return tag.empty() ? "-" : tag;
}

}  // namespace triarch
