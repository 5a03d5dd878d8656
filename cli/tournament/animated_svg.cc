#include "cli/tournament/animated_svg.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_format.h"
#include "core/base/check.h"

namespace triarch {
namespace {

constexpr size_t kLastFrameCounts = 3;

// Returns the length of the element at the beginning of `text`, with its children. Our pictures
// escape < and > in texts and attributes.
size_t LengthOfElement(std::string_view text) {
  int depth = 0;
  size_t at = 0;
  do {
    at = text.find('<', at);
    const size_t end = text.find('>', at);
    CHECK(at != std::string_view::npos && end != std::string_view::npos);
    if (text[at + 1] == '/') {
      --depth;
    } else if (text[end - 1] != '/') {
      ++depth;
    }
    at = end + 1;
  } while (depth > 0);
  return at;
}

// Returns the values of an attribute over time: "hidden;visible;hidden" at "0;0.5;0.75".
std::string Animation(const std::vector<std::pair<size_t, size_t>>& shown, size_t frames,
                      std::chrono::milliseconds total) {
  std::string values = shown.front().first == 0 ? "" : "hidden";
  std::string times = shown.front().first == 0 ? "" : "0";
  const auto add = [&](const char* value, size_t frame) {
    if (!values.empty()) {
      values += ';';
      times += ';';
    }
    values += value;
    times += absl::StrFormat("%.6g", static_cast<double>(frame) / static_cast<double>(frames));
  };
  for (const auto& [first, end] : shown) {
    add("visible", first);
    if (end < frames) add("hidden", end);
  }
  return absl::StrFormat(
      "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"%dms\" "
      "repeatCount=\"indefinite\" values=\"%s\" keyTimes=\"%s\"/>",
      total.count(), values, times);
}

}  // namespace

void AnimatedSvg::AddFrame(std::string_view svg) {
  const size_t begin = svg.find('>') + 1;
  if (frames_ == 0) head_ = svg.substr(0, begin);
  svg.remove_prefix(begin);
  auto after = elements_.begin();  // where the next new element goes
  while (!svg.starts_with("</svg>")) {
    const std::string element(svg.substr(0, LengthOfElement(svg)));
    svg.remove_prefix(std::min(svg.find_first_not_of('\n', element.size()), svg.size()));
    // These describe one position.
    const size_t tag = element.find('<');
    if (element.compare(tag, 6, "<desc>") == 0 || element.compare(tag, 7, "<title>") == 0) continue;
    auto [there, is_new] = by_text_.try_emplace(element, elements_.end());
    if (is_new) there->second = elements_.insert(after, {.text = element, .shown = {}});
    std::vector<std::pair<size_t, size_t>>& shown = there->second->shown;
    if (!shown.empty() && shown.back().second >= frames_) {
      shown.back().second = frames_ + 1;
    } else {
      shown.emplace_back(frames_, frames_ + 1);
    }
    after = std::next(there->second);
  }
  ++frames_;
}

std::string AnimatedSvg::Text(std::chrono::milliseconds per_frame) const {
  const size_t frames = frames_ - 1 + kLastFrameCounts;
  const auto total = per_frame * static_cast<int64_t>(frames);
  std::string text = head_ + '\n';
  for (const Element& element : elements_) {
    const bool is_always = element.shown.front() == std::pair<size_t, size_t>(0, frames_);
    if (is_always) {
      text += element.text + '\n';
      continue;
    }
    std::vector<std::pair<size_t, size_t>> shown = element.shown;
    if (shown.back().second == frames_) shown.back().second = frames;
    // Without support for animations, the first frame is shown.
    text += shown.front().first == 0 ? "<g>" : "<g visibility=\"hidden\">";
    text += element.text + Animation(shown, frames, total) + "</g>\n";
  }
  return text + "</svg>\n";
}

}  // namespace triarch
