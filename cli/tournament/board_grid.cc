#include "cli/tournament/board_grid.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/game/canvas.h"
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
    const size_t bytes = std::max<size_t>(Utf8Length(line), 1);
    spots.push_back({std::string(line.substr(0, bytes)), ink});
    line.remove_prefix(bytes);
  }
  return spots;
}

bool IsBlank(const BoardGrid::Spot& spot) {
  return spot.text == " " && spot.ink.background == kNoColor;
}

// Returns whether the spot is part of a cell of the last move.
bool IsMarked(const BoardGrid::Spot& spot, bool is_colored) {
  if (!is_colored) return spot.text == kLastSign;
  return spot.ink.background == kLastTint || spot.ink.foreground == kLastTint;
}

std::vector<std::vector<BoardGrid::Spot>> ReadBoard(const AnyState& state, bool is_colored) {
  const absl::StatusOr<std::string> board = state.ToBoard({.is_colored = is_colored, .names = ""});
  CHECK(board.ok());
  // After the first move, the description begins with the line that explains the marks.
  const size_t end = std::min(board->find("\nlast move "), board->find("\nto move "));
  const std::string_view drawing = std::string_view(*board).substr(0, end);
  std::vector<std::vector<BoardGrid::Spot>> lines;
  for (const std::string_view line : Split(drawing, '\n')) lines.push_back(ReadLine(line));
  return lines;
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
  grid.Focus(is_colored);
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
}

void BoardGrid::Focus(bool is_colored) {
  focus_column_ = width_ / 2;
  focus_line_ = height() / 2;
  int left = width_;
  int right = -1;
  int top = height();
  int bottom = -1;
  for (int line = 0; line < height(); ++line) {
    const std::vector<Spot>& spots = lines_[static_cast<size_t>(line)];
    for (int column = 0; column < std::ssize(spots); ++column) {
      if (!IsMarked(spots[static_cast<size_t>(column)], is_colored)) continue;
      left = std::min(left, column);
      right = std::max(right, column);
      top = std::min(top, line);
      bottom = std::max(bottom, line);
    }
  }
  if (left > right) return;
  focus_column_ = (left + right) / 2;
  focus_line_ = (top + bottom) / 2;
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
