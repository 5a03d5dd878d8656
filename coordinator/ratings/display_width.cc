#include "coordinator/ratings/display_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/text.h"

namespace triarch {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
// The blocks that occur in names. The full Unicode tables would be too large.
constexpr std::array<Range, 4> kNoColumn = {
    {{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}}};
constexpr std::array<Range, 9> kTwoColumns = {{{0x1100, 0x115f},
                                               {0x2e80, 0xa4cf},
                                               {0xac00, 0xd7a3},
                                               {0xf900, 0xfaff},
                                               {0xfe30, 0xfe6f},
                                               {0xff00, 0xff60},
                                               {0xffe0, 0xffe6},
                                               {0x1f300, 0x1faff},
                                               {0x20000, 0x3fffd}}};

template <size_t N>
bool IsIn(char32_t c, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return range.first <= c && c <= range.last; });
}

Glyph FirstGlyph(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text.front());
  const size_t length = Utf8Length(text);
  if (length <= 1) return {text.substr(0, 1), 1};
  char32_t c = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<uint8_t>(text[i]) & 0x3fu);
  const size_t width = IsIn(c, kNoColumn) ? 0 : IsIn(c, kTwoColumns) ? 2 : 1;
  return {text.substr(0, length), width};
}

}  // namespace

std::vector<Glyph> Glyphs(std::string_view text) {
  std::vector<Glyph> glyphs;
  while (!text.empty()) {
    glyphs.push_back(FirstGlyph(text));
    text.remove_prefix(glyphs.back().bytes.size());
  }
  return glyphs;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (const Glyph& glyph : Glyphs(text)) width += glyph.width;
  return width;
}

}  // namespace triarch
