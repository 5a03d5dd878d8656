// Draws the board of Three-Way Chess as SVG.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/game/svg_pieces.h"
#include "core/three_way/picture.h"
#include "core/three_way/text.h"

// The picture shows White's third at the bottom and the name of each hexagon.
namespace triarch::three_way {
namespace {

// A point of the picture; y points down.
struct Point {
  double x = 0;
  double y = 0;

  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
};

constexpr double kHalfHeight = 0.8660254037844386;  // of a hexagon with sides of length 1
constexpr double kSize = 40;                        // of a side
constexpr Point kCenter = {480, 452};               // of the board

constexpr std::array<std::string_view, 3> kTileColors = {"cream", "brown", "green"};
constexpr std::array<std::string_view, 3> kPieceColors = {"white", "gray", "black"};

// The classes w, g and b are the colours of pieces.
constexpr std::string_view kBoardStyle =
    "polygon{stroke:#5b4f3c;stroke-width:1.2;stroke-linejoin:round}"
    ".cream{fill:#f6ebd0}.brown{fill:#d6b184}.green{fill:#a5c49a}"
    "text{font-family:'DejaVu Sans','Helvetica Neue',Arial,sans-serif;text-anchor:middle;"
    "fill:#3a332a}.label{font-size:12px;fill-opacity:.75}.name{font-size:24px;font-weight:bold}"
    ".note{font-size:19px}";
constexpr std::string_view kColorStyle =
    ".w{fill:#fffdf7;stroke:#262019}.g{fill:#83888f;stroke:#1c1e21}.b{fill:#2a2725;stroke:#0d0c0b}"
    ".b .line{stroke:#e9e4da}"
    ".ep{fill:none;stroke:#b3261e;stroke-width:4;stroke-dasharray:5 4}";

constexpr std::array<SvgMark, 2> kMarks = {
    {kLastMoveMark, {"\"ep\"", "dashed ring: may be captured en passant by moving here"}}};

Point CenterOf(Cell cell) {
  const Hex hex = cell.hex();
  return kCenter + kSize * Point{1.5 * hex.q + 0.5, -kHalfHeight * (hex.q + 2 * hex.r + 1)};
}

std::string Numbers(Point point) { return absl::StrFormat("%.2f,%.2f", point.x, point.y); }

char LetterOf(Seat seat) { return Position::kInfo.seat_letters[Index(seat)]; }

std::string DrawTile(Cell cell, bool is_last) {
  constexpr std::array<Point, 6> kCorners = {{{1, 0},
                                              {0.5, kHalfHeight},
                                              {-0.5, kHalfHeight},
                                              {-1, 0},
                                              {-0.5, -kHalfHeight},
                                              {0.5, -kHalfHeight}}};
  std::string points;
  for (const Point corner : kCorners) {
    points += (points.empty() ? "" : " ") + Numbers(CenterOf(cell) + kSize * corner);
  }
  const Point label = CenterOf(cell) + Point{0, 29};
  return absl::StrFormat("<polygon data-cell=\"%s\" class=\"%s%s\" points=\"%s\"/>\n",
                         cell.ToString(),
                         std::string(kTileColors[static_cast<size_t>(cell.color())]),
                         is_last ? " last" : "", points) +
         DrawSvgText("label", label.x, label.y, cell.ToString());
}

// Draws a piece above the middle of its cell, which leaves room for the cell's name.
std::string DrawPiece(Cell cell, Piece piece) {
  const size_t type = static_cast<size_t>(piece.type);
  return absl::StrFormat("<g transform=\"translate(%s)\"><title>%s %s on %s</title>",
                         Numbers(CenterOf(cell) + Point{0, -6}),
                         std::string(kPieceColors[Index(piece.owner)]),
                         std::string(PieceName(type)), cell.ToString()) +
         DrawPieceShape(type, LetterOf(piece.owner), 1.35) + "</g>\n";
}

std::string DrawEnPassant(Cell cell) {
  const Point at = CenterOf(cell) + Point{0, -6};
  return absl::StrFormat("<circle class=\"ep\" cx=\"%.2f\" cy=\"%.2f\" r=\"14\"/>\n", at.x, at.y);
}

std::string DrawMoves(const MoveMarks& moves) {
  std::string text;
  for (const Cell cell : kAllCells) {
    const auto found = moves.find(cell.ToString());
    if (found == moves.end()) continue;
    const Point at = CenterOf(cell) + Point{0, -6};
    text += DrawMoveMark(found->second, at.x, at.y);
  }
  return text;
}

// Draws a bot's name below its seat's.
std::string DrawPlayer(Seat seat, std::string_view name) {
  if (seat == Seat::kFirst) return DrawPlayerName(name, 500, 848, 250, 750);
  if (seat == Seat::kSecond) return DrawPlayerName(name, 840, 264, 730, 990);
  return DrawPlayerName(name, 160, 264, 8, 214);
}

// Draws the players' names in the notches behind their back ranks, with a disc in the colour of
// their pieces, a mark next to the player to move, and the bots' names below. Longer names extend
// outwards.
std::string DrawNames(const Position& position, const SvgStyle& style) {
  constexpr double kLetterWidth = 13.4;
  constexpr std::array<Point, 3> kPlaces = {{{0.5, 9.2}, {9, -5.4}, {-8, -5.4}}};
  constexpr std::array<double, 3> kOutward = {0, 1, -1};
  std::string text;
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    const bool is_out = !position.is_in(seat);
    const std::string name = Position::kInfo.seat_name(seat) + (is_out ? " (out)" : "");
    const double half_width = kLetterWidth / 2 * static_cast<double>(name.size());
    const Point shift = {is_out ? 3 * kLetterWidth * kOutward[i] : 0, 0};
    text += absl::StrFormat("<g transform=\"translate(%s)\">",
                            Numbers(kCenter + kSize * kPlaces[i] + shift));
    if (position.to_move() == seat && !position.is_over()) text += DrawTurnMark(-half_width - 56);
    text +=
        absl::StrFormat("<circle class=\"%c\" cx=\"%.1f\" cy=\"0\" r=\"9\" stroke-width=\"1.4\"/>",
                        LetterOf(seat), -half_width - 22);
    text += DrawSvgText("name", 0, 8.5, name) + "</g>\n";
    if (i < style.players.size()) text += DrawPlayer(seat, style.players[i]);
  }
  return text;
}

std::string Caption(const Position& position) {
  if (const std::optional<Outcome> outcome = position.outcome()) {
    return OverCaption(*outcome, Position::kInfo);
  }
  std::string text = Position::kInfo.seat_name(position.to_move()) + " to move";
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    if (position.in_check(seat)) text += ", " + Position::kInfo.seat_name(seat) + " in check";
  }
  return text +
         absl::StrFormat(" · move %d, clock %d", position.move_number(), position.halfmove_clock());
}

}  // namespace

std::string ToSvg(const Position& position, std::optional<Move> last_move, const SvgStyle& style) {
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 940\" width=\"1000\" "
      "height=\"940\" role=\"img\">\n<title>Three-Way Chess: %s</title>\n<desc>%s</desc>\n"
      "<style>%s%s%s</style>\n<rect width=\"1000\" height=\"940\" fill=\"#faf7f0\"/>\n",
      Caption(position), EscapeXml(ToString(position)), std::string(kBoardStyle),
      std::string(kPieceStyle), std::string(kColorStyle));
  for (const Cell cell : kAllCells) text += DrawTile(cell, last_move && last_move->marks(cell));
  text += DrawNames(position, style);
  for (size_t i = 0; i < 3; ++i) {
    if (const std::optional<Cell> cell = position.en_passant(SeatAt(i)))
      text += DrawEnPassant(*cell);
  }
  for (const Cell cell : position.occupied()) text += DrawPiece(cell, *position.piece_at(cell));
  text += DrawMoves(style.moves);
  return text + DrawSvgText("note", 500, 907, Caption(position)) +
         DrawLegend(text, kMarks, 500, 931) + DrawMoveLegend(text, 500, 20) + "</svg>\n";
}

}  // namespace triarch::three_way
