// Draws the board of Triumvirate as SVG.

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/game/svg_pieces.h"
#include "core/triumvirate/hexagon.h"
#include "core/triumvirate/picture.h"
#include "core/triumvirate/text.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch::triumvirate {
namespace {

constexpr Point kSvgCenter = {500, 440};
constexpr double kSvgRadius = 430;  // of the hexagon

constexpr std::array<std::string_view, 3> kColorNames = {"white", "black", "red"};

// The classes w, b and r are the colours of pieces (fill, outline) and of owner rings. The classes
// of cells combine sector and cell colour: wl, wd and so on.
constexpr std::string_view kBoardStyle =
    "polygon{stroke:#4a4338;stroke-width:1;stroke-linejoin:round}"
    ".wl{fill:#f1e6cf}.wd{fill:#c8ab80}.bl{fill:#dfe6e3}.bd{fill:#94aaa8}"
    ".rl{fill:#f3dfd6}.rd{fill:#d0a394}"
    ".rim{fill:none;stroke:#3a332a;stroke-width:4}"
    ".front{fill:none;stroke:#3a332a;stroke-width:3;stroke-linecap:round}"
    "text{font-family:'DejaVu Sans','Helvetica Neue',Arial,sans-serif;text-anchor:middle;"
    "fill:#3a332a}.label{font-size:18px;fill-opacity:.85}.name{font-size:24px;font-weight:bold}"
    ".cell{font-size:11px;fill-opacity:.9}.v4{font-size:8.5px;fill-opacity:.9}.note{font-size:"
    "19px}";
constexpr std::string_view kColorStyle =
    ".w{fill:#fffdf7;stroke:#262019}.b{fill:#2a2725;stroke:#0d0c0b}.r{fill:#c3262b;stroke:#4f0a0c}"
    ".b .line{stroke:#e9e4da}.r .line{stroke:#ffe9e2}"
    ".edge{fill:none;stroke:#262019;stroke-width:5.5}.ring{fill-opacity:.35;stroke-width:4}"
    ".ring.w{stroke:#fffdf7}.ring.b{stroke:#1b1918}.ring.r{stroke:#c3262b}"
    ".ep{fill:none;stroke:#1f6f4a;stroke-width:4;stroke-dasharray:5 4}";

Point ToPicture(Point point) { return kSvgCenter + kSvgRadius * point; }

std::string Numbers(Point point) { return absl::StrFormat("%.2f,%.2f", point.x, point.y); }

constexpr std::array<SvgMark, 3> kMarks = {
    {kLastMoveMark,
     {"\"ring ", "disc behind a piece: the colour of its new owner"},
     {"\"ep\"", "dashed ring: may be captured en passant by moving here"}}};

char LetterOf(Seat seat) { return Position::kInfo.seat_letters[Index(seat)]; }

std::string DrawCell(Cell cell, bool is_last) {
  std::string points;
  for (const Point corner : CellCorners(cell)) {
    points += (points.empty() ? "" : " ") + Numbers(ToPicture(corner));
  }
  return absl::StrFormat("<polygon data-cell=\"%s\" class=\"%c%c%s\" points=\"%s\"/>\n",
                         cell.ToString(), LetterOf(cell.sector()), cell.is_dark() ? 'd' : 'l',
                         is_last ? " last" : "", points);
}

// Draws the rim and the three fronts over the cells.
std::string DrawLines() {
  std::string rim;
  std::string fronts;
  for (size_t i = 0; i < 6; ++i) {
    rim += (i == 0 ? "M" : "L") + Numbers(ToPicture(kHexagonCorners[i]));
    if (i % 2 == 0) continue;
    fronts += "M" + Numbers(kSvgCenter) + "L" + Numbers(ToPicture(MiddleOfSide(i)));
  }
  return absl::StrFormat("<path class=\"front\" d=\"%s\"/>\n<path class=\"rim\" d=\"%sz\"/>\n",
                         fronts, rim);
}

std::string DrawText(std::string_view kind, Point at, std::string_view text) {
  return DrawSvgText(kind, at.x, at.y, text);
}

std::string DrawLabels() {
  std::string text;
  for (const RimLabel& label : RimLabels()) {
    const Point at = ToPicture(label.point) + 18 * label.outward;
    text += DrawText("label", at + Point{0, 6.5}, label.text);
  }
  return text;
}

// Returns the corner of a cell that is furthest from its middle among those below it: there pieces
// leave the most room.
Point RoomiestCorner(Cell cell) {
  const Point middle = ToPicture(CellCenter(cell));
  Point roomiest = middle;
  double longest = 0;
  for (const Point one : CellCorners(cell)) {
    const Point corner = ToPicture(one);
    const double distance = std::hypot(corner.x - middle.x, corner.y - middle.y);
    if (corner.y < middle.y + 8 || distance < longest) continue;
    longest = distance;
    roomiest = corner;
  }
  return roomiest;
}

// The names of v4.0, or nothing for the default names.
using V4Names = std::optional<V4Table>;

std::string NameOf(Cell cell, V4Names v4) { return v4 ? ToV4(cell, *v4) : cell.ToString(); }

std::string NameOf(PieceType type, V4Names v4) {
  return std::string(v4 ? V4Name(type) : PieceName(static_cast<size_t>(type)));
}

std::string DrawCellNames(V4Names v4) {
  std::string text;
  for (const Cell cell : kAllCells) {
    const Point middle = ToPicture(CellCenter(cell));
    // The longer names of v4.0 fit only below the middle.
    const Point at =
        middle + (v4 ? Point{0, 25} : 0.6 * (RoomiestCorner(cell) - middle) + Point{0, 3});
    text += DrawText(v4 ? "v4" : "cell", at, NameOf(cell, v4));
  }
  return text;
}

// Draws a piece; an inherited piece gets a disc in its owner's colour.
std::string DrawPiece(Cell cell, Piece piece, V4Names v4) {
  const Point at = ToPicture(CellCenter(cell));
  const size_t type = static_cast<size_t>(piece.type);
  const size_t color = Index(piece.color);
  std::string text = absl::StrFormat("<g transform=\"translate(%s)\"><title>%s", Numbers(at),
                                     std::string(kColorNames[color]));
  text += " " + NameOf(piece.type, v4);
  if (piece.owner != piece.color) text += " of " + Position::kInfo.seat_name(piece.owner);
  text += " on " + NameOf(cell, v4) + "</title>";
  if (piece.owner != piece.color) {
    text += absl::StrFormat("<circle class=\"edge\" r=\"24\"/><circle class=\"ring %c\" r=\"24\"/>",
                            LetterOf(piece.owner));
  }
  return text + DrawPieceShape(type, LetterOf(piece.color), 1.2) + "</g>\n";
}

std::string DrawMoves(const MoveMarks& moves) {
  std::string text;
  for (const Cell cell : kAllCells) {
    const auto found = moves.find(cell.ToString());
    if (found == moves.end()) continue;
    const Point at = ToPicture(CellCenter(cell));
    text += DrawMoveMark(found->second, at.x, at.y);
  }
  return text;
}

// Draws the players' names along their base rows, with the bots' names outside, and a mark next to
// the player to move.
std::string DrawNames(const Position& position, const SvgStyle& style) {
  std::string text;
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    const Point outward = (1 / kHexagonHeight) * MiddleOfSide(2 * i);
    const Point at = ToPicture(MiddleOfSide(2 * i)) + 62 * outward;
    // Rotated to follow the base row, so that all names read from left to right.
    const double angle = i == 0 ? 0 : i == 1 ? -60 : 60;
    const bool is_on_turn = position.to_move() == seat && !position.is_over();
    const std::string name =
        Position::kInfo.seat_name(seat) + (position.is_in(seat) ? "" : " (out)");
    text += absl::StrFormat("<g transform=\"translate(%s) rotate(%.0f)\">", Numbers(at), angle);
    if (is_on_turn) {
      text += DrawTurnMark(-25.0 - 8.0 * static_cast<double>(name.size()));
    }
    text += DrawText("name", {0, 8.5}, name);
    if (i < style.players.size()) {
      text += DrawPlayerName(style.players[i], 0, i == 0 ? 32 : -20, -205, 205);
    }
    text += "</g>\n";
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
    if (!position.is_in(seat)) continue;
    if (position.status(seat) == 'c') text += ", " + Position::kInfo.seat_name(seat) + " in check";
    if (position.status(seat) == 's')
      text += ", " + Position::kInfo.seat_name(seat) + " stalemated";
  }
  return text +
         absl::StrFormat(" · move %d, clock %d", position.move_number(), position.halfmove_clock());
}

}  // namespace

std::string ToSvg(const Position& position, std::optional<Move> last_move, const SvgStyle& style) {
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 980\" width=\"1000\" "
      "height=\"980\" role=\"img\">\n<title>Triumvirate: %s</title>\n<desc>%s</desc>\n"
      "<style>%s%s%s</style>\n<rect width=\"1000\" height=\"980\" fill=\"#faf7f0\"/>\n",
      Caption(position), EscapeXml(ToString(position)), std::string(kBoardStyle),
      std::string(kPieceStyle), std::string(kColorStyle));
  const V4Names v4 = V4TableOfNames(style.names);
  for (const Cell cell : kAllCells) text += DrawCell(cell, last_move && last_move->marks(cell));
  text += DrawLines() + DrawLabels() + DrawNames(position, style);
  if (style.has_cell_names || v4) text += DrawCellNames(v4);
  if (position.en_passant()) {
    const Point at = ToPicture(CellCenter(*position.en_passant()));
    text +=
        absl::StrFormat("<circle class=\"ep\" cx=\"%.2f\" cy=\"%.2f\" r=\"14\"/>\n", at.x, at.y);
  }
  for (const Cell cell : position.occupied()) text += DrawPiece(cell, *position.piece_at(cell), v4);
  text += DrawMoves(style.moves);
  return text + DrawText("note", {kSvgCenter.x, 942}, Caption(position)) +
         DrawLegend(text, kMarks, kSvgCenter.x, 968) + DrawMoveLegend(text, kSvgCenter.x, 20) +
         "</svg>\n";
}

}  // namespace triarch::triumvirate
