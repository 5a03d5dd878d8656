#include "coordinator/ratings/text_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/base/check.h"

namespace triarch {
namespace {

constexpr size_t kFlexibleMin = 8;
constexpr std::string_view kGap = "  ";
constexpr std::string_view kSeparator = " · ";

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

// A character: its bytes and its width in columns.
struct Glyph {
  std::string_view bytes;
  size_t width;
};

Glyph FirstGlyph(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text.front());
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  const auto is_tail = [](char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; };
  if (length == 1 || text.size() < length ||
      !std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_tail)) {
    return {text.substr(0, 1), 1};
  }
  char32_t c = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i) c = c << 6 | (static_cast<uint8_t>(text[i]) & 0x3fu);
  const size_t width = IsIn(c, kNoColumn) ? 0 : IsIn(c, kTwoColumns) ? 2 : 1;
  return {text.substr(0, length), width};
}

std::vector<Glyph> Glyphs(std::string_view text) {
  std::vector<Glyph> glyphs;
  while (!text.empty()) {
    glyphs.push_back(FirstGlyph(text));
    text.remove_prefix(glyphs.back().bytes.size());
  }
  return glyphs;
}

std::string Pad(std::string_view text, size_t width, TextTable::Align align) {
  const std::string cut = CutToWidth(text, width);
  const std::string space(width - DisplayWidth(cut), ' ');
  return align == TextTable::Align::kLeft ? cut + space : space + cut;
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (const Glyph& glyph : Glyphs(text)) width += glyph.width;
  return width;
}

std::string CutToWidth(std::string_view text, size_t width) {
  CHECK(width >= 1);
  if (DisplayWidth(text) <= width) return std::string(text);
  const std::vector<Glyph> glyphs = Glyphs(text);
  const size_t tail_max = (width - 1) / 2;
  size_t tail_begin = glyphs.size();
  size_t tail_width = 0;
  while (tail_width + glyphs[tail_begin - 1].width <= tail_max && tail_begin > 1) {
    tail_width += glyphs[--tail_begin].width;
  }
  std::string cut;
  size_t head_width = 0;
  for (const Glyph& glyph : glyphs) {
    if (head_width + glyph.width + tail_width + 1 > width) break;
    head_width += glyph.width;
    cut += glyph.bytes;
  }
  cut += "…";
  for (size_t i = tail_begin; i < glyphs.size(); ++i) cut += glyphs[i].bytes;
  return cut;
}

void TextTable::AddColumn(std::string_view heading, Align align) {
  CHECK(rows_.size() == 1);
  aligns_.push_back(align);
  rows_.front().emplace_back(heading);
}

void TextTable::AddRow(std::vector<std::string> cells) {
  CHECK(cells.size() == aligns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::Render(size_t width, size_t flexible) const {
  std::vector<size_t> widths(aligns_.size(), 1);
  for (const std::vector<std::string>& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  size_t total = kGap.size() * (widths.size() - 1);
  for (const size_t column : widths) total += column;
  if (total > width) {
    const size_t excess = total - width;
    const size_t least = std::min(widths[flexible], kFlexibleMin);
    widths[flexible] = std::max(least, widths[flexible] - std::min(widths[flexible], excess));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      if (i != 0) line += kGap;
      line += Pad(row[i], widths[i], aligns_[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string WrapParts(std::string_view label, size_t indent, const std::vector<std::string>& parts,
                      size_t width) {
  std::string text;
  std::string line(label);
  line.append(indent - std::min(indent, DisplayWidth(label)), ' ');
  bool is_first = true;
  for (const std::string& part : parts) {
    const size_t needed = DisplayWidth(part) + (is_first ? 0 : DisplayWidth(kSeparator));
    if (!is_first && DisplayWidth(line) + needed > width) {
      text += line + '\n';
      line.assign(indent, ' ');
      is_first = true;
    }
    if (!is_first) line += kSeparator;
    line += part;
    is_first = false;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return text + line + '\n';
}

}  // namespace triarch
