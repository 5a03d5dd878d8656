#include "coordinator/ratings/short_names.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "coordinator/ratings/display_width.h"

namespace triarch {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr size_t kEnds = 2;  // characters always kept at both ends

using Name = std::vector<Glyph>;

bool IsSame(const Glyph& a, const Glyph& b) { return a.bytes == b.bytes; }

// Marks the characters in which `name` differs from `other`, and their neighbours, if the two are
// alike: if at least half of the longer one is a common beginning or end.
void MarkDifference(const Name& name, const Name& other, std::vector<bool>* is_kept) {
  const size_t shorter = std::min(name.size(), other.size());
  size_t head = 0;
  while (head < shorter && IsSame(name[head], other[head])) ++head;
  size_t tail = 0;
  while (tail < shorter - head &&
         IsSame(name[name.size() - 1 - tail], other[other.size() - 1 - tail])) {
    ++tail;
  }
  if (2 * (head + tail) < std::max(name.size(), other.size())) return;
  const size_t begin = head - std::min<size_t>(head, 1);
  const size_t end = std::min(name.size() - tail + 1, name.size());
  for (size_t i = begin; i < end; ++i) (*is_kept)[i] = true;
}

struct Run {
  size_t begin = 0;
  size_t size = 0;
};

Run LongestRun(const std::vector<bool>& is_kept) {
  Run longest;
  for (size_t i = 0; i < is_kept.size(); ++i) {
    size_t end = i;
    while (end < is_kept.size() && !is_kept[end]) ++end;
    if (end - i > longest.size) longest = {i, end - i};
    i = end;
  }
  return longest;
}

size_t WidthOf(const Name& name) {
  size_t width = 0;
  for (const Glyph& glyph : name) width += glyph.width;
  return width;
}

// Replaces the middle of a run, as much as is needed for the width, by an ellipsis.
void CutRun(const Run& run, size_t width, Name* name, std::vector<bool>* is_kept) {
  const size_t middle = run.begin + (run.size + 1) / 2;
  size_t begin = middle;
  size_t end = middle;
  size_t left = WidthOf(*name) + 1;
  while (left > width && end - begin < run.size) {
    const bool is_left_next = begin > run.begin && middle - begin < end - middle;
    const bool is_at_end = end == run.begin + run.size;
    left -= (*name)[is_left_next || is_at_end ? --begin : end++].width;
  }
  const auto at = [](auto& items, size_t i) {
    return items.begin() + static_cast<std::ptrdiff_t>(i);
  };
  for (size_t i = run.begin; i < run.begin + run.size; ++i) (*is_kept)[i] = true;
  name->erase(at(*name, begin + 1), at(*name, end));
  is_kept->erase(at(*is_kept, begin + 1), at(*is_kept, end));
  (*name)[begin] = {kEllipsis, 1};
}

// Returns the name in at most `width` columns without the marked characters, or in full.
std::string Shorten(const std::string& full, Name name, std::vector<bool> is_kept, size_t width) {
  for (size_t i = 0; i < std::min(kEnds, name.size()); ++i) {
    is_kept[i] = is_kept[name.size() - 1 - i] = true;
  }
  while (WidthOf(name) > width) {
    const Run run = LongestRun(is_kept);
    if (run.size < 2) return full;
    CutRun(run, width, &name, &is_kept);
  }
  std::string text;
  for (const Glyph& glyph : name) text += glyph.bytes;
  return text;
}

size_t CountDistinct(const std::vector<std::string>& names) {
  return std::set<std::string_view>(names.begin(), names.end()).size();
}

}  // namespace

std::vector<std::string> ShortNames(const std::vector<std::string>& names, size_t width) {
  std::vector<Name> all;
  for (const std::string& name : names) all.push_back(Glyphs(name));
  std::vector<std::string> result;
  for (size_t i = 0; i < names.size(); ++i) {
    result.push_back(names[i]);
    if (WidthOf(all[i]) <= width) continue;
    std::vector<bool> is_kept(all[i].size());
    for (size_t j = 0; j < names.size(); ++j) {
      if (names[j] != names[i]) MarkDifference(all[i], all[j], &is_kept);
    }
    result.back() = Shorten(names[i], all[i], is_kept, width);
  }
  return CountDistinct(result) == CountDistinct(names) ? result : names;
}

}  // namespace triarch
