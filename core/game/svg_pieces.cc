#include "core/game/svg_pieces.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kTypes = 6;
constexpr std::array<std::string_view, kTypes> kNames = {"pawn", "knight", "bishop",
                                                         "rook", "queen",  "king"};

// Drawn around (0, 0) with a height of about 32.
constexpr std::array<std::string_view, kTypes> kShapes = {
    // Pawn
    "M-10.5 14.5c0-4.2 1.6-6 4-7.6 2.3-1.6 3-4.6 3-7.4h-3.2v-2.8h2.5a6.2 6.2 0 1 1 8.4 0h2.5v2.8"
    "h-3.2c0 2.8.7 5.8 3 7.4 2.4 1.6 4 3.4 4 7.6z",
    // Knight
    "M-9 14.5c-.6-6.3 5.4-8.6 5.3-13.3-2.3 1.3-4.1 1-5.6 2.8-.9 1.1-2.2 1.5-3.5.7-1.5-.9-1.8-2.4-"
    "1-3.9l4.2-7.6c.3-2.6 1.5-4.3 3.1-5.6l.3-4.1 3.5 2.7c8 .2 12.7 6.5 12.7 15.6 0 5-1 8.3-1.3 "
    "12.7z",
    // Bishop
    "M-11 14.5v-2.6c0-1.6 1.2-2.4 3-2.4h3.6l.7-3.3c-3.2-1.4-5-3.7-5-6.9 0-4.6 3.9-8.5 "
    "6.7-10.9a2.9 2.9 0 1 1 4 0c2.8 2.4 6.7 6.3 6.7 10.9 0 3.2-1.8 5.5-5 6.9l.7 3.3h3.6c1.8 0 "
    "3 .8 3 2.4v2.6z",
    // Rook
    "M-11.5 14.5v-3.7l2.9-2.6 1.1-11.5-3-2.6v-8.1h4.7v3h3.4v-3h4.8v3h3.4v-3h4.7v8.1l-3 2.6 1.1 "
    "11.5 2.9 2.6v3.7z",
    // Queen
    "M-10 14.5l-.6-3.9 1.2-2.4-4.9-13.4a2.3 2.3 0 1 1 2.9-.9l4.6 5.9 1.5-10.6a2.3 2.3 0 1 1 "
    "2.7-.2l2.6 10 2.6-10a2.3 2.3 0 1 1 2.7.2l1.5 10.6 4.6-5.9a2.3 2.3 0 1 1 2.9.9l-4.9 13.4 "
    "1.2 2.4-.6 3.9z",
    // King
    "M-10 14.5l-.5-4.1c-3.2-2.5-5-5.1-5-8.4 0-4 3-6.6 6.6-6.6 2.9 0 5.4 1.4 7.1 3.8v-8h-3.7v-3.2"
    "h3.7v-3.5h3.6v3.5h3.7v3.2h-3.7v8c1.7-2.4 4.2-3.8 7.1-3.8 3.6 0 6.6 2.6 6.6 6.6 0 3.3-1.8 "
    "5.9-5 8.4l-.5 4.1z"};
// The inner lines of the shapes.
constexpr std::array<std::string_view, kTypes> kDetails = {
    "",
    "M-5.3-7.2h.01M-11.2 2.5l1.5-1.7",
    "M0-8v7.5M-3.7-4.2h7.4M-4.3 9.5h8.6",
    "M-8.3 8.2h16.6M-7.5-3.3h15",
    "M-10.6 10.6h21.2M-9.4 8.2c6-1.7 12.8-1.7 18.8 0",
    "M-10.5 10.4c6.5-2 14.5-2 21 0M0-.8v8.7"};

// By MoveMark.
constexpr std::array<std::string_view, kMoveMarks> kMarkShapes = {
    "<circle class=\"target\" r=\"7\"/>",
    "<rect class=\"castling\" x=\"-7\" y=\"-7\" width=\"14\" height=\"14\"/>",
    "<circle class=\"capture\" r=\"19\"/>", "<path class=\"promotion\" d=\"M-9 7h18l-9-16z\"/>"};
constexpr std::array<SvgMark, kMoveMarks> kMarkMeanings = {
    {{"\"target\"", "dot: target"},
     {"\"castling\"", "square: castling"},
     {"\"capture\"", "ring: capture"},
     {"\"promotion\"", "triangle: promotion"}}};

constexpr double kPlayerFont = 18;
constexpr double kPlayerFontMin = 10.5;  // longer names take two lines

// Returns about the width of a text in font sizes, for letters of average width.
double TextWidth(std::string_view text) {
  constexpr double kLetterWidth = 0.64;
  const auto tails = static_cast<size_t>(std::count_if(text.begin(), text.end(), IsUtf8Tail));
  return kLetterWidth * static_cast<double>(text.size() - tails);
}

// Returns where to break a long name: in the middle, between two characters.
size_t MiddleOf(std::string_view name) {
  size_t middle = name.size() / 2;
  while (middle < name.size() && IsUtf8Tail(name[middle])) ++middle;
  return middle;
}

}  // namespace

std::string_view PieceName(size_t type) { return kNames[type]; }

std::string DrawPieceShape(size_t type, char color, double scale) {
  return absl::StrFormat(
      "<g class=\"piece %c\" transform=\"scale(%g)\"><path d=\"%s\"/><path "
      "class=\"line\" d=\"%s\"/></g>",
      color, scale, std::string(kShapes[type]), std::string(kDetails[type]));
}

std::string DrawTurnMark(double x) {
  return absl::StrFormat("<path class=\"turn\" d=\"M%.1f-8l16 8l-16 8z\"/>", x);
}

std::string DrawMoveMark(MoveMark mark, double x, double y) {
  return absl::StrFormat("<g class=\"move\" transform=\"translate(%.2f,%.2f)\">%s</g>\n", x, y,
                         std::string(kMarkShapes[static_cast<size_t>(mark)]));
}

std::string DrawMoveLegend(std::string_view picture, double x, double y) {
  return DrawLegend(picture, kMarkMeanings, x, y);
}

std::string DrawPlayerName(std::string_view name, double x, double y, double left, double right) {
  const double width = right - left;
  const bool is_long = kPlayerFontMin * TextWidth(name) > width;
  const size_t middle = is_long ? MiddleOf(name) : name.size();
  const std::string_view lines[] = {name.substr(0, middle), name.substr(middle)};
  const double widest = std::max(TextWidth(lines[0]), TextWidth(lines[1]));
  if (widest == 0) return "";
  const double size = std::min(kPlayerFont, width / widest);
  const double half = size * widest / 2;
  const double at = std::clamp(x, left + half, std::max(left + half, right - half));
  std::string text;
  for (const std::string_view line : lines) {
    if (line.empty()) continue;
    text += absl::StrFormat(
        "<text class=\"player\" x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">%s</text>\n", at, y, size,
        EscapeXml(line));
    y += 1.2 * size;
  }
  return text;
}

std::string DrawLegend(std::string_view picture, std::span<const SvgMark> marks, double x,
                       double y) {
  std::string text;
  for (const SvgMark& mark : marks) {
    if (picture.find(mark.sign) == std::string_view::npos) continue;
    text += (text.empty() ? "" : " · ") + std::string(mark.meaning);
  }
  return text.empty() ? "" : DrawSvgText("legend", x, y, text);
}

std::string DrawSvgText(std::string_view kind, double x, double y, std::string_view text) {
  return absl::StrFormat("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", std::string(kind),
                         x, y, std::string(text));
}

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace triarch
