#include "coordinator/ratings/text_table.h"

#include <algorithm>
#include <utility>

#include "coordinator/ratings/display_width.h"
#include "coordinator/ratings/short_names.h"
#include "core/base/check.h"

namespace triarch {
namespace {

constexpr size_t kFlexibleMin = 8;
constexpr std::string_view kGap = "  ";
constexpr std::string_view kSeparator = " · ";

std::string Pad(std::string_view text, size_t width, TextTable::Align align) {
  const std::string space(width - DisplayWidth(text), ' ');
  const std::string cell(text);
  return align == TextTable::Align::kLeft ? cell + space : space + cell;
}

std::string JoinCells(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                      const std::vector<TextTable::Align>& aligns) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) line += kGap;
    line += Pad(cells[i], widths[i], aligns[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::vector<std::string> BreakText(std::string_view text, size_t width) {
  std::vector<std::string> lines = {""};
  while (DisplayWidth(text) > width) {
    size_t end = 0;          // of what fits, in bytes
    size_t punctuation = 0;  // the last place to break
    size_t columns = 0;
    for (const Glyph& glyph : Glyphs(text)) {
      columns += glyph.width;
      if (columns > width && end > 0) break;
      end += glyph.bytes.size();
      if (std::string_view("-_ .:,/").find(glyph.bytes) != std::string_view::npos) {
        punctuation = end;
      }
    }
    if (2 * punctuation >= end) end = punctuation;
    lines.back() = text.substr(0, end);
    lines.emplace_back();
    text.remove_prefix(end);
  }
  lines.back() = text;
  return lines;
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

std::vector<size_t> TextTable::ColumnWidths(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size(), 1);
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  return widths;
}

std::string TextTable::Render(size_t width, size_t flexible) const {
  std::vector<std::vector<std::string>> rows = rows_;
  std::vector<size_t> widths = ColumnWidths(rows);
  size_t total = kGap.size() * (widths.size() - 1);
  for (const size_t column : widths) total += column;
  if (total > width) {
    const size_t narrowed = widths[flexible] - std::min(widths[flexible], total - width);
    const size_t least = std::max(kFlexibleMin, DisplayWidth(rows[0][flexible]));
    const size_t room = std::max(narrowed, std::min(widths[flexible], least));
    std::vector<std::string> names;
    for (const auto& row : rows) names.push_back(row[flexible]);
    names = ShortNames(names, room);
    for (size_t i = 0; i < rows.size(); ++i) rows[i][flexible] = names[i];
    widths[flexible] = std::min(room, ColumnWidths(rows)[flexible]);
  }
  std::string text;
  for (std::vector<std::string>& row : rows) {
    for (std::string& line : BreakText(row[flexible], widths[flexible])) {
      row[flexible] = std::move(line);
      text += JoinCells(row, widths, aligns_);
      row.assign(row.size(), "");
    }
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
