#include "core/triumvirate/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/canvas.h"
#include "core/game/highlight.h"
#include "core/triumvirate/hexagon.h"
#include "core/triumvirate/text.h"
#include "core/triumvirate/v4_notation.h"

// Draws the board for a terminal as a hexagon, 80 columns wide and 32 lines high. In colour, each
// cell is a separate area; half blocks give two dots per character. Without colour, the picture
// shows the outline, the fronts and a mark at the middle of each cell.
namespace triarch::triumvirate {
namespace {

// Returns the column or line of a coordinate. A coordinate on a border belongs to the next column
// or line regardless of rounding (some cells do lie on borders).
int PlaceOf(double coordinate) { return static_cast<int>(std::floor(coordinate + 1e-6)); }

constexpr int kWidth = 96;
constexpr int kHeight = 37;
constexpr Point kCenter = {48, 18};                   // in characters
constexpr Point kRadius = {40, 16 / kHexagonHeight};  // of the hexagon, in characters

// A piece is a chip in its colour; a cell has the tint of its sector.
constexpr std::array<Ink, 3> kChips = {{{16, 231, true}, {231, 16, true}, {231, 160, true}}};
constexpr std::array<std::array<int, 2>, 3> kTints = {{{187, 144}, {152, 109}, {181, 138}}};

// Returns the tint of a cell, or kNoColor if `cell_index` is -1.
int TintOf(int cell_index, const Highlights<Position>& highlights) {
  if (cell_index < 0) return kNoColor;
  const Cell cell = Cell::At(cell_index);
  if (const Highlight* const highlight = highlights[static_cast<size_t>(cell_index)]) {
    return highlight->tint;
  }
  return kTints[Index(cell.sector())][cell.is_dark() ? 1 : 0];
}

Point ToCanvas(Point point) {
  return {kCenter.x + kRadius.x * point.x, kCenter.y + kRadius.y * point.y};
}

// --- the hexagon in colour ---

// The cell of each dot, -1 outside the board. A character is two dots, one above the other.
using Dots = std::array<std::array<int8_t, kWidth>, 2 * kHeight>;

// Returns whether a point lies in a convex polygon, i.e. on the same side of all edges.
bool IsInside(const std::array<Point, 4>& corners, Point point) {
  int left = 0;
  for (size_t i = 0; i < 4; ++i) {
    const Point edge = corners[(i + 1) % 4] - corners[i];
    const Point to = point - corners[i];
    left += edge.x * to.y - edge.y * to.x >= 0 ? 1 : 0;
  }
  return left == 0 || left == 4;
}

void FillCell(Cell cell, Dots& dots) {
  std::array<Point, 4> corners = CellCorners(cell);
  for (Point& corner : corners) corner = ToCanvas(corner);
  const auto [left, right] = std::minmax({corners[0].x, corners[1].x, corners[2].x, corners[3].x});
  const auto [top, bottom] = std::minmax({corners[0].y, corners[1].y, corners[2].y, corners[3].y});
  for (int y = static_cast<int>(2 * top); y <= static_cast<int>(2 * bottom); ++y) {
    for (int x = static_cast<int>(left); x <= static_cast<int>(right); ++x) {
      if (!IsInside(corners, {x + 0.5, y / 2.0 + 0.25})) continue;
      dots[static_cast<size_t>(y)][static_cast<size_t>(x)] = static_cast<int8_t>(cell.index());
    }
  }
}

void DrawCells(const Highlights<Position>& highlights, Canvas& canvas) {
  Dots dots;
  for (auto& line : dots) line.fill(-1);
  for (const Cell cell : kAllCells) FillCell(cell, dots);
  for (int line = 0; line < kHeight; ++line) {
    for (int column = 0; column < kWidth; ++column) {
      const int upper = dots[static_cast<size_t>(2 * line)][static_cast<size_t>(column)];
      const int lower = dots[static_cast<size_t>(2 * line + 1)][static_cast<size_t>(column)];
      canvas.SetDots(column, line, TintOf(upper, highlights), TintOf(lower, highlights));
    }
  }
}

// --- the hexagon without colour ---

// Draws a line: steep ones in slashes, one character per line; flat ones in dashes, one character
// per column.
void DrawLine(Canvas& canvas, Point from, Point to) {
  Point a = ToCanvas(from);
  Point b = ToCanvas(to);
  const bool is_flat = std::abs(b.x - a.x) > 2 * std::abs(b.y - a.y);
  if (is_flat ? b.x < a.x : b.y < a.y) std::swap(a, b);
  const Point slope =
      is_flat ? Point{1, (b.y - a.y) / (b.x - a.x)} : Point{(b.x - a.x) / (b.y - a.y), 1};
  const std::string_view steep = std::abs(slope.x) < 0.1 ? "|" : slope.x > 0 ? "\\" : "/";
  const double end = is_flat ? b.x : b.y;
  for (double i = std::ceil((is_flat ? a.x : a.y) - 0.5) + 0.5; i < end; i += 1) {
    const Point at = a + (i - (is_flat ? a.x : a.y)) * slope;
    canvas.Set(static_cast<int>(at.x), static_cast<int>(at.y), is_flat ? "-" : steep);
  }
}

void DrawLines(Canvas& canvas) {
  constexpr double kOutside = 1.03;  // the outline runs around the cells
  for (size_t i = 0; i < 6; ++i) {
    DrawLine(canvas, kOutside * kHexagonCorners[i], kOutside * kHexagonCorners[(i + 1) % 6]);
    if (i % 2 == 1) DrawLine(canvas, {0, 0}, MiddleOfSide(i));
  }
}

// --- labels and pieces ---

void DrawLabels(Canvas& canvas) {
  for (const RimLabel& label : RimLabels()) {
    Point at = ToCanvas(label.point);
    const double last = static_cast<double>(label.text.size()) - 1;
    // Centred above and below the board; to its left and right, beyond a gap.
    if (std::abs(label.outward.x) < 0.1) {
      at = at + Point{-last / 2, 1.7 * label.outward.y};
    } else {
      at.x += label.outward.x > 0 ? 4 : -4 - last;
      at.y += at.y < kCenter.y ? 0.01 : -0.01;  // off the border between two lines
    }
    canvas.Write(PlaceOf(at.x), PlaceOf(at.y), label.text);
  }
}

void DrawNames(const Position& position, Canvas& canvas) {
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    const std::string text = SeatLabel(position, seat);
    const int length = static_cast<int>(text.size());
    if (seat == Seat::kFirst) canvas.Write((kWidth - length) / 2, kHeight - 1, text);
    if (seat == Seat::kSecond) canvas.Write(18 - length, 4, text);
    if (seat == Seat::kThird) canvas.Write(kWidth - 18, 4, text);
  }
}

char LetterOf(PieceType type, bool has_v4_names) {
  return has_v4_names ? V4Letter(type) : kPieceLetters[static_cast<size_t>(type)];
}

// Draws a chip in the piece's colour. The right third of an inherited piece is in its owner's
// colour.
void DrawChip(Canvas& canvas, int column, int line, Piece piece, bool has_v4_names) {
  const Ink ink = kChips[Index(piece.color)];
  canvas.Set(column - 1, line, " ", ink);
  canvas.Set(column, line,
             has_v4_names ? std::string(1, V4Letter(piece.type))
                          : std::string(kPieceGlyphs[static_cast<size_t>(piece.type)]),
             ink);
  if (piece.owner == piece.color) {
    canvas.Set(column + 1, line, " ", ink);
  } else {
    canvas.Set(column + 1, line, kSeatLetters.substr(Index(piece.owner), 1),
               kChips[Index(piece.owner)]);
  }
}

void DrawMark(Canvas& canvas, int column, int line, Piece piece, bool has_v4_names) {
  std::string text = {kSeatLetters[Index(piece.color)], LetterOf(piece.type, has_v4_names)};
  if (piece.owner != piece.color) text += {'>', kSeatLetters[Index(piece.owner)]};
  canvas.Write(column - 1, line, text);
}

void DrawCell(const Position& position, Cell cell, const BoardStyle& style,
              const Highlights<Position>& highlights, Canvas& canvas) {
  const Point center = ToCanvas(CellCenter(cell));
  const int column = PlaceOf(center.x);
  const int line = PlaceOf(center.y);
  const auto piece = position.piece_at(cell);
  if (piece) {
    (style.is_colored ? DrawChip : DrawMark)(canvas, column, line, *piece, !style.names.empty());
  } else if (position.en_passant() == cell) {
    canvas.Set(column, line, "x",
               style.is_colored ? Ink{16, TintOf(cell.index(), highlights), true} : Ink{});
  } else if (!style.is_colored) {
    canvas.Set(column, line, cell.is_dark() ? ":" : ".");
  }
  const Highlight* const highlight = highlights[static_cast<size_t>(cell.index())];
  if (style.is_colored || highlight == nullptr) return;
  canvas.Set(piece ? column - 2 : column, line, highlight->sign);
}

std::string DrawBoard(const Position& position, const BoardStyle& style,
                      const Highlights<Position>& highlights) {
  Canvas canvas(kWidth, kHeight);
  if (style.is_colored) {
    DrawCells(highlights, canvas);
  } else {
    DrawLines(canvas);
  }
  DrawLabels(canvas);
  DrawNames(position, canvas);
  for (const Cell cell : kAllCells) DrawCell(position, cell, style, highlights, canvas);
  return canvas.ToText();
}

// --- the text below the board ---

std::string CastlingText(const Position& position, Seat seat) {
  const bool is_short = position.is_in(seat) && position.can_castle_short(seat);
  const bool is_long = position.is_in(seat) && position.can_castle_long(seat);
  return is_short ? (is_long ? "KQ" : "K") : (is_long ? "Q" : "-");
}

std::string StatusText(const Position& position, Seat seat) {
  switch (position.status(seat)) {
    case 'a':
      return "active";
    case 'c':
      return "in check";
    case 's':
      return "stalemated";
    case 'm':
      return "checkmated";
    default:
      return "out";
  }
}

std::string DescribePosition(const Position& position) {
  const std::optional<Cell> en_passant = position.en_passant();
  return absl::StrFormat(
      "to move     %s\n"
      "castling    %s\n"
      "en passant  %s\n"
      "status      %s\n"
      "clock       %d\n"
      "move        %d\n"
      "%s\n",
      ToMoveText(position),
      PerSeatText<Position>([&](Seat seat) { return CastlingText(position, seat); }),
      en_passant ? en_passant->ToString() : "-",
      PerSeatText<Position>([&](Seat seat) { return StatusText(position, seat); }),
      position.halfmove_clock(), position.move_number(), ToString(position));
}

// Returns a table of the cells' v4.0 names, each sector as its owner sees it.
std::string V4Legend(V4Table table) {
  const auto end_line = [](std::string& text) {
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  };
  std::string text =
      absl::StrFormat("Cells of Triumvirate v4.0 (%s table), each sector as its owner sees it:\n",
                      std::string(ToString(table)));
  for (size_t i = 0; i < 3; ++i) {
    text += absl::StrFormat("%-8s", Position::kInfo.seat_name(SeatAt(i)));
    for (int column = 0; column < kColumns; ++column) {
      text += absl::StrFormat("%-8c", Cell::At(SeatAt(i), column, 0).ToString()[0]);
    }
    for (int row = kRows - 1; row >= 0; --row) {
      end_line(text);
      text += absl::StrFormat("%6d  ", Cell::At(SeatAt(i), 0, row).number());
      for (int column = 0; column < kColumns; ++column) {
        const Cell cell = Cell::At(SeatAt(i), column, row);
        text += absl::StrFormat("%-8s", ToV4(cell, table));
      }
    }
    end_line(text);
  }
  return text + '\n';
}

}  // namespace

absl::StatusOr<std::string> ToBoard(const Position& position, const BoardStyle& style,
                                    std::optional<Move> last_move) {
  const std::optional<V4Table> table = V4TableOfNames(style.names);
  if (!style.names.empty() && !table) {
    return absl::InvalidArgumentError(
        absl::StrFormat("unknown names %s; expected triumvirate or triumvirate-client, or nothing "
                        "for the default names",
                        Quote(style.names)));
  }
  const Highlights<Position> highlights = HighlightsOf(position, style, last_move);
  std::string text = DrawBoard(position, style, highlights) + '\n';
  if (table) text += V4Legend(*table);
  return text + HighlightLines(style, last_move.has_value()) + DescribePosition(position);
}

}  // namespace triarch::triumvirate
