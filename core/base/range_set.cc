#include "core/base/range_set.h"

#include <algorithm>
#include <iterator>

namespace triarch {

int64_t RangeSet::Add(Range range) {
  if (range.first >= range.last) return 0;
  const int64_t before = size_;
  auto next = last_of_.upper_bound(range.first);
  // The previous range may overlap or touch the new one.
  if (next != last_of_.begin() && std::prev(next)->second >= range.first) --next;
  while (next != last_of_.end() && next->first <= range.last) {
    range.first = std::min(range.first, next->first);
    range.last = std::max(range.last, next->second);
    size_ -= next->second - next->first;
    next = last_of_.erase(next);
  }
  last_of_.emplace_hint(next, range.first, range.last);
  size_ += range.size();
  return size_ - before;
}

int64_t RangeSet::Remove(Range range) {
  if (range.first >= range.last) return 0;
  const int64_t before = size_;
  auto next = last_of_.upper_bound(range.first);
  if (next != last_of_.begin() && std::prev(next)->second > range.first) --next;
  while (next != last_of_.end() && next->first < range.last) {
    const Range old = {next->first, next->second};
    next = last_of_.erase(next);
    size_ -= old.size();
    if (old.first < range.first) {
      last_of_.emplace_hint(next, old.first, range.first);
      size_ += range.first - old.first;
    }
    if (old.last > range.last) {
      next = last_of_.emplace_hint(next, range.last, old.last);
      size_ += old.last - range.last;
      break;
    }
  }
  return before - size_;
}

bool RangeSet::contains(int64_t index) const {
  const auto next = last_of_.upper_bound(index);
  return next != last_of_.begin() && std::prev(next)->second > index;
}

std::vector<Range> RangeSet::ranges() const {
  std::vector<Range> ranges;
  ranges.reserve(last_of_.size());
  for (const auto& [first, last] : last_of_) ranges.push_back({first, last});
  return ranges;
}

std::optional<Range> RangeSet::first() const {
  if (last_of_.empty()) return std::nullopt;
  return Range{last_of_.begin()->first, last_of_.begin()->second};
}

RangeSet RangeSet::Within(Range range) const {
  RangeSet result;
  auto next = last_of_.upper_bound(range.first);
  if (next != last_of_.begin()) --next;
  for (; next != last_of_.end() && next->first < range.last; ++next) {
    result.Add({std::max(range.first, next->first), std::min(range.last, next->second)});
  }
  return result;
}

RangeSet RangeSet::MissingFrom(Range range) const {
  RangeSet result;
  result.Add(range);
  for (const Range& there : Within(range).ranges()) result.Remove(there);
  return result;
}

std::string RangeSet::ToString() const {
  std::string text;
  for (const auto& [first, last] : last_of_) {
    if (!text.empty()) text += ' ';
    text += std::to_string(first);
    if (last - first > 1) text += '-' + std::to_string(last - 1);
  }
  return text;
}

}  // namespace triarch
