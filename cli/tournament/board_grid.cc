#include "cli/tournament/board_grid.h"

#include <algorithm>
#include <string_view>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/game/picture.h"

namespace triarch {
namespace {

constexpr std::string_view kEscape = "\033[";

// Reads the numbers of an escape sequence as Canvas writes it: "0;1;38;5;N;48;5;N".
Ink ReadInk(std::string_view numbers) {
  Ink ink;
  const std::vector<std::string_view> parts = Split(numbers, ';');
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "1") ink.is_bold = true;
    const bool is_color = (parts[i] == "38" || parts[i] == "48") && i + 2 < parts.size();
    if (!is_color) continue;
    const int color = static_cast<int>(ParseInt64(parts[i + 2]).value_or(kNoColor));
    (parts[i] == "38" ? ink.foreground : ink.background) = color;
    i += 2;
  }
  return ink;
}

size_t BytesOfCharacter(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

std::vector<BoardGrid::Spot> ReadLine(std::string_view line) {
  std::vector<BoardGrid::Spot> spots;
  Ink ink;
  while (!line.empty()) {
    if (line.starts_with(kEscape)) {
      const size_t end = line.find('m');
      ink = ReadInk(line.substr(kEscape.size(), end - kEscape.size()));
      line.remove_prefix(std::min(end, line.size() - 1) + 1);
      continue;
    }
    const size_t bytes = std::min(BytesOfCharacter(line[0]), line.size());
    spots.push_back({std::string(line.substr(0, bytes)), ink});
    line.remove_prefix(bytes);
  }
  return spots;
}

bool IsBlank(const BoardGrid::Spot& spot) {
  return spot.text == " " && spot.ink.background == kNoColor;
}

// Removes the seats' labels, which change with the turn: "White (to move)".
void EraseLabels(const GameInfo& info, std::vector<BoardGrid::Spot>* line) {
  std::string text;  // one byte per spot
  for (const BoardGrid::Spot& spot : *line) text += spot.text.size() == 1 ? spot.text[0] : '?';
  for (size_t i = 0; i < info.seats; ++i) {
    const std::string_view name = info.seat_names[i];
    const size_t begin = text.find(name);
    if (begin == std::string::npos) continue;
    size_t end = begin + name.size();
    for (const std::string_view note : {" (out)", " (to move)"}) {
      if (std::string_view(text).substr(end).starts_with(note)) end += note.size();
    }
    std::fill(line->begin() + static_cast<std::ptrdiff_t>(begin),
              line->begin() + static_cast<std::ptrdiff_t>(end), BoardGrid::Spot{});
  }
}

std::vector<std::vector<BoardGrid::Spot>> ReadBoard(const AnyState& state, bool is_colored) {
  const absl::StatusOr<std::string> board = state.ToBoard({.is_colored = is_colored, .names = ""});
  CHECK(board.ok());
  constexpr std::string_view kDescription = "\nto move ";
  const std::string_view drawing = std::string_view(*board).substr(0, board->find(kDescription));
  std::vector<std::vector<BoardGrid::Spot>> lines;
  for (const std::string_view line : Split(drawing, '\n')) lines.push_back(ReadLine(line));
  return lines;
}

BoardGrid::Spot SpotAt(const std::vector<std::vector<BoardGrid::Spot>>& lines, size_t line,
                       size_t column) {
  if (line >= lines.size() || column >= lines[line].size()) return {};
  return lines[line][column];
}

// Returns where a part of `size` characters around `focus` begins.
int PartBegin(int size, int whole, int focus, int pan) {
  return std::clamp(focus - size / 2 + pan, 0, std::max(whole - size, 0));
}

}  // namespace

BoardGrid BoardGrid::Draw(const AnyState& state, bool is_colored) {
  BoardGrid grid;
  grid.lines_ = ReadBoard(state, is_colored);
  grid.Trim();
  grid.focus_column_ = grid.width_ / 2;
  grid.focus_line_ = grid.height() / 2;
  return grid;
}

void BoardGrid::Trim() {
  const auto is_empty = [](const std::vector<Spot>& line) {
    return std::all_of(line.begin(), line.end(), IsBlank);
  };
  while (!lines_.empty() && is_empty(lines_.back())) lines_.pop_back();
  size_t margin = SIZE_MAX;
  for (const std::vector<Spot>& line : lines_) {
    const auto first = std::find_if_not(line.begin(), line.end(), IsBlank);
    if (first != line.end()) margin = std::min(margin, static_cast<size_t>(first - line.begin()));
  }
  for (std::vector<Spot>& line : lines_) {
    line.erase(line.begin(),
               line.begin() + static_cast<std::ptrdiff_t>(std::min(margin, line.size())));
    width_ = std::max(width_, static_cast<int>(line.size()));
  }
  margin_ = lines_.empty() ? 0 : margin;
}

void BoardGrid::MarkChanges(const AnyState& after, const AnyState& before, bool is_colored,
                            int background) {
  std::vector<std::vector<Spot>> old_lines = ReadBoard(before, is_colored);
  std::vector<std::vector<Spot>> new_lines = ReadBoard(after, is_colored);
  for (std::vector<Spot>& line : old_lines) EraseLabels(before.info(), &line);
  for (std::vector<Spot>& line : new_lines) EraseLabels(before.info(), &line);
  size_t left = SIZE_MAX;
  size_t right = 0;
  size_t top = SIZE_MAX;
  size_t bottom = 0;
  for (size_t line = 0; line < lines_.size(); ++line) {
    const size_t width = lines_[line].size();
    for (size_t column = 0; column < width; ++column) {
      const Spot now = SpotAt(new_lines, line, column + margin_);
      if (now == SpotAt(old_lines, line, column + margin_)) continue;
      left = std::min(left, column);
      right = std::max(right, column);
      top = std::min(top, line);
      bottom = std::max(bottom, line);
      if (is_colored && now.text == " ") lines_[line][column].ink.background = background;
    }
  }
  if (left > right) return;
  focus_column_ = static_cast<int>((left + right) / 2);
  focus_line_ = static_cast<int>((top + bottom) / 2);
}

void BoardGrid::DrawPart(const Area& area, Canvas* canvas) const {
  const int left = PartBegin(area.width, width_, focus_column_, area.pan_columns);
  const int top = PartBegin(area.height, height(), focus_line_, area.pan_lines);
  for (int line = 0; line < std::min(area.height, height() - top); ++line) {
    const std::vector<Spot>& spots = lines_[static_cast<size_t>(top + line)];
    const int columns = std::min(area.width, static_cast<int>(spots.size()) - left);
    for (int column = 0; column < columns; ++column) {
      const Spot& spot = spots[static_cast<size_t>(left + column)];
      canvas->Set(area.column + column, area.line + line, spot.text, spot.ink);
    }
  }
}

}  // namespace triarch
