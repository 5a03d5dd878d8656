#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/triumvirate/hexagon.h"
#include "core/triumvirate/position.h"

// The board as an SVG picture. The pieces are paths of our own, so that it looks the same wherever
// it is shown; only the labels need a font, any one.
namespace triarch::triumvirate {
namespace {

constexpr Point kCenter = {500, 440};
constexpr double kRadius = 430;  // of the hexagon

// Drawn around (0, 0) with a height of about 32.
constexpr std::array<std::string_view, kPieceTypes> kShapes = {
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
// Lines within them.
constexpr std::array<std::string_view, kPieceTypes> kDetails = {
    "",
    "M-5.3-7.2h.01M-11.2 2.5l1.5-1.7",
    "M0-8v7.5M-3.7-4.2h7.4M-4.3 9.5h8.6",
    "M-8.3 8.2h16.6M-7.5-3.3h15",
    "M-10.6 10.6h21.2M-9.4 8.2c6-1.7 12.8-1.7 18.8 0",
    "M-10.5 10.4c6.5-2 14.5-2 21 0M0-.8v8.7"};

constexpr std::array<std::string_view, 3> kColorNames = {"white", "black", "red"};

// The classes w, b and r are the colours of a piece (fill, outline) and of an owner's ring; the
// cells have classes by sector and colour: wl, wd and so on.
constexpr std::string_view kStyle =
    "polygon{stroke:#4a4338;stroke-width:1;stroke-linejoin:round}"
    ".wl{fill:#f1e6cf}.wd{fill:#c8ab80}.bl{fill:#dfe6e3}.bd{fill:#94aaa8}"
    ".rl{fill:#f3dfd6}.rd{fill:#d0a394}"
    ".rim{fill:none;stroke:#3a332a;stroke-width:4}"
    ".front{fill:none;stroke:#3a332a;stroke-width:3;stroke-linecap:round}"
    "text{font-family:'DejaVu Sans','Helvetica Neue',Arial,sans-serif;text-anchor:middle;"
    "fill:#3a332a}.label{font-size:18px;fill-opacity:.85}.name{font-size:24px;font-weight:bold}"
    ".note{font-size:19px}"
    ".piece{stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}"
    ".line{fill:none}"
    ".w{fill:#fffdf7;stroke:#262019}.b{fill:#2a2725;stroke:#0d0c0b}.r{fill:#c3262b;stroke:#4f0a0c}"
    ".b .line{stroke:#e9e4da}.r .line{stroke:#ffe9e2}"
    ".edge{fill:none;stroke:#262019;stroke-width:5.5}.ring{fill-opacity:.35;stroke-width:4}"
    ".ring.w{stroke:#fffdf7}.ring.b{stroke:#1b1918}.ring.r{stroke:#c3262b}"
    ".ep{fill:none;stroke:#1f6f4a;stroke-width:4;stroke-dasharray:5 4}"
    ".turn{fill:#1f6f4a}";

// 3PF has no other character that means something in XML.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

Point ToPicture(Point point) { return kCenter + kRadius * point; }

std::string Numbers(Point point) { return absl::StrFormat("%.2f,%.2f", point.x, point.y); }

char LetterOf(Seat seat) { return Position::kInfo.seat_letters[Index(seat)]; }
std::string NameOf(Seat seat) { return std::string(Position::kInfo.seat_names[Index(seat)]); }

std::string DrawCell(Cell cell) {
  std::string points;
  for (const Point corner : CellCorners(cell)) {
    points += (points.empty() ? "" : " ") + Numbers(ToPicture(corner));
  }
  return absl::StrFormat("<polygon data-cell=\"%s\" class=\"%c%c\" points=\"%s\"/>\n",
                         cell.ToString(), LetterOf(cell.sector()), cell.is_dark() ? 'd' : 'l',
                         points);
}

// The rim and the three fronts, over the cells.
std::string DrawLines() {
  std::string rim;
  std::string fronts;
  for (size_t i = 0; i < 6; ++i) {
    rim += (i == 0 ? "M" : "L") + Numbers(ToPicture(kHexagonCorners[i]));
    if (i % 2 == 0) continue;
    fronts += "M" + Numbers(kCenter) + "L" + Numbers(ToPicture(MiddleOfSide(i)));
  }
  return absl::StrFormat("<path class=\"front\" d=\"%s\"/>\n<path class=\"rim\" d=\"%sz\"/>\n",
                         fronts, rim);
}

std::string DrawText(std::string_view kind, Point at, std::string_view text) {
  return absl::StrFormat("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", std::string(kind),
                         at.x, at.y, std::string(text));
}

std::string DrawLabels() {
  std::string text;
  for (const RimLabel& label : RimLabels()) {
    const Point at = ToPicture(label.point) + 18 * label.outward;
    text += DrawText("label", at + Point{0, 6.5}, label.text);
  }
  return text;
}

// An inherited piece stands on a disc in its owner's colour.
std::string DrawPiece(Cell cell, Piece piece) {
  const Point at = ToPicture(CellCenter(cell));
  const size_t type = static_cast<size_t>(piece.type);
  const size_t color = Index(piece.color);
  std::string text = absl::StrFormat("<g transform=\"translate(%s)\"><title>%s", Numbers(at),
                                     std::string(kColorNames[color]));
  constexpr std::array<std::string_view, kPieceTypes> kNames = {"pawn", "knight", "bishop",
                                                                "rook", "queen",  "king"};
  text += " " + std::string(kNames[type]);
  if (piece.owner != piece.color) text += " of " + NameOf(piece.owner);
  text += " on " + cell.ToString() + "</title>";
  if (piece.owner != piece.color) {
    text += absl::StrFormat("<circle class=\"edge\" r=\"24\"/><circle class=\"ring %c\" r=\"24\"/>",
                            LetterOf(piece.owner));
  }
  return text + absl::StrFormat(
                    "<g class=\"piece %c\" transform=\"scale(1.2)\"><path d=\"%s\"/><path "
                    "class=\"line\" d=\"%s\"/></g>"
                    "</g>\n",
                    LetterOf(piece.color), std::string(kShapes[type]), std::string(kDetails[type]));
}

// The players' names beside their base rows, with a mark at the one to move.
std::string DrawNames(const Position& position) {
  std::string text;
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    const Point outward = (1 / kHexagonHeight) * MiddleOfSide(2 * i);
    const Point at = ToPicture(MiddleOfSide(2 * i)) + 62 * outward;
    // Along the base row; White's reads from left to right, and so do the others'.
    const double angle = i == 0 ? 0 : i == 1 ? -60 : 60;
    const bool is_on_turn = position.to_move() == seat && !position.is_over();
    const std::string name = NameOf(seat) + (position.is_in(seat) ? "" : " (out)");
    text += absl::StrFormat("<g transform=\"translate(%s) rotate(%.0f)\">", Numbers(at), angle);
    if (is_on_turn) {
      const double x = -17.0 - 8.0 * static_cast<double>(name.size());
      text += absl::StrFormat("<path class=\"turn\" d=\"M%.1f-8l16 8l-16 8z\"/>", x - 8);
    }
    text += DrawText("name", {0, 8.5}, name);
    text += "</g>\n";
  }
  return text;
}

std::string Caption(const Position& position) {
  if (const std::optional<Outcome> outcome = position.outcome()) {
    return absl::StrFormat("The game is over: %s, result %s",
                           std::string(ToString(outcome->termination)),
                           ResultText(outcome->place, Position::kInfo.seats));
  }
  std::string text = NameOf(position.to_move()) + " to move";
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    if (!position.is_in(seat)) continue;
    if (position.status(seat) == 'c') text += ", " + NameOf(seat) + " in check";
    if (position.status(seat) == 's') text += ", " + NameOf(seat) + " stalemated";
  }
  return text +
         absl::StrFormat(" · move %d, clock %d", position.move_number(), position.halfmove_clock());
}

}  // namespace

std::string Position::ToSvg() const {
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 960\" width=\"1000\" "
      "height=\"960\" role=\"img\">\n<title>Triumvirate: %s</title>\n<desc>%s</desc>\n"
      "<style>%s</style>\n<rect width=\"1000\" height=\"960\" fill=\"#faf7f0\"/>\n",
      Caption(*this), Escaped(ToString()), std::string(kStyle));
  for (const Cell cell : kAllCells) text += DrawCell(cell);
  text += DrawLines() + DrawLabels() + DrawNames(*this);
  if (en_passant()) {
    const Point at = ToPicture(CellCenter(*en_passant()));
    text +=
        absl::StrFormat("<circle class=\"ep\" cx=\"%.2f\" cy=\"%.2f\" r=\"14\"/>\n", at.x, at.y);
  }
  for (const Cell cell : occupied()) text += DrawPiece(cell, *piece_at(cell));
  return text + DrawText("note", {kCenter.x, 938}, Caption(*this)) + "</svg>\n";
}

}  // namespace triarch::triumvirate
