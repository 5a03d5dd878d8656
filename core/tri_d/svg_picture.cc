// Draws the boards of Tri-D chess as SVG.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/game/svg_pieces.h"
#include "core/tri_d/picture.h"
#include "core/tri_d/text.h"

// The picture shows the boards obliquely from White's side. The levels are stacked: W is lowest, N
// and B are above it and further away. Attack boards are drawn slightly above their main board and
// to its side, with a post to the corner of their pin, so no cell hides another.
namespace triarch::tri_d {
namespace {

// A point of the picture; y points down.
struct Point {
  double x = 0;
  double y = 0;

  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
};

constexpr double kFileWidth = 58;
constexpr Point kRankStep = {24, -42};  // one rank further away
constexpr double kLevelHeight = 196;
constexpr double kAttackHeight = 26;  // above the main board
constexpr double kAside = 1.5;        // sideways shift of attack boards, in files
constexpr Point kOrigin = {155, 872};

constexpr std::string_view kBoardStyle =
    "polygon{stroke:#5b4f3c;stroke-width:1.2;stroke-linejoin:round}"
    ".light{fill:#f3e7cd}.dark{fill:#c9ab7f}.alight{fill:#e2e9e6}.adark{fill:#9db3b0}"
    ".post{stroke:#8a7f6d;stroke-width:3;stroke-dasharray:2 5;stroke-linecap:round}"
    "text{font-family:'DejaVu Sans','Helvetica Neue',Arial,sans-serif;text-anchor:middle;"
    "fill:#3a332a}.label{font-size:11px;fill-opacity:.7}.name{font-size:17px;font-weight:bold}"
    ".free{font-size:12px;fill-opacity:.45}.note{font-size:19px}";
constexpr std::string_view kColorStyle =
    ".w{fill:#fffdf7;stroke:#262019}.b{fill:#2a2725;stroke:#0d0c0b}.b .line{stroke:#e9e4da}"
    ".ep{fill:none;stroke:#b3261e;stroke-width:3;stroke-dasharray:5 4}"
    ".pending{fill:none;stroke:#c77700;stroke-width:3}"
    ".check{fill:#b3261e;fill-opacity:.3}.double{fill:#1f6f4a}";

std::string Numbers(Point point) { return absl::StrFormat("%.2f,%.2f", point.x, point.y); }

constexpr std::array<SvgMark, 5> kMarks = {{kLastMoveMark,
                                            {"\"double\"", "green dot: double step left"},
                                            {"\"ep\"", "dashed ring: may be captured en passant"},
                                            {"\"pending\"", "ring: must promote first"},
                                            {"\"check\"", "red disc: king attacked"}}};

char LetterOf(Seat seat) { return Position::kInfo.seat_letters[Index(seat)]; }

// Returns the level of a pin: 0 W, 1 N, 2 B.
int LevelOf(Pin pin) { return (pin.number() - 1) / 2; }

// Returns a point of a plane, given in files and ranks from the corner z0.
Point PointOn(double file, double rank, int level, double above) {
  return {kOrigin.x + kFileWidth * file + kRankStep.x * rank,
          kOrigin.y + kRankStep.y * rank - kLevelHeight * level - above};
}

struct Plane {
  int level = 0;
  double above = 0;
  double aside = 0;  // in files

  Point At(double file, double rank) const { return PointOn(file + aside, rank, level, above); }
};

Plane PlaneOf(Pin pin) {
  return {LevelOf(pin), kAttackHeight, pin.is_king_side() ? kAside : -kAside};
}

Plane PlaneOf(const Position& position, Cell cell) {
  if (cell.is_main()) return {static_cast<int>(cell.board()), 0, 0};
  return PlaneOf(position.layout().pins[static_cast<size_t>(cell.attack_board())]);
}

Point CenterOf(const Position& position, Cell cell) {
  const Column column = position.layout().ColumnOf(cell);
  return PlaneOf(position, cell).At(FileOf(column) + 0.5, RankOf(column) + 0.5);
}

std::string DrawCell(const Position& position, Cell cell, bool is_last) {
  const Column column = position.layout().ColumnOf(cell);
  const Plane plane = PlaneOf(position, cell);
  const int file = FileOf(column);
  const int rank = RankOf(column);
  std::string points;
  for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
    points += (points.empty() ? "" : " ") + Numbers(plane.At(file + dx, rank + dy));
  }
  const bool is_dark = (file + rank) % 2 == 0;
  const std::string name = CellName(position.layout(), cell);
  const Point label = plane.At(file + 0.14, rank + 0.06);
  return absl::StrFormat("<polygon data-cell=\"%s\" class=\"%s%s%s\" points=\"%s\"/>\n", name,
                         cell.is_main() ? "" : "a", is_dark ? "dark" : "light",
                         is_last ? " last" : "", points) +
         DrawSvgText("label", label.x + 6, label.y - 1, name.substr(0, 2));
}

bool IsAttackedKing(const Position& position, Piece piece) {
  const SeatStatus status = StatusOf(position, piece.owner);
  return piece.type == PieceType::kKing &&
         (status == SeatStatus::kCheck || status == SeatStatus::kCheckmate);
}

std::string DrawPiece(const Position& position, Cell cell) {
  const Piece piece = *position.piece_at(cell);
  const size_t type = static_cast<size_t>(piece.type);
  const Point at = CenterOf(position, cell) + Point{3, -3};
  std::string text;
  const auto mark = [&](std::string_view kind) {
    text += absl::StrFormat("<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"20\"/>\n",
                            std::string(kind), at.x, at.y);
  };
  if (IsAttackedKing(position, piece)) mark("check");
  text += absl::StrFormat("<g transform=\"translate(%s)\"><title>%s %s on %s</title>", Numbers(at),
                          piece.owner == Seat::kFirst ? "white" : "black",
                          std::string(PieceName(type)), CellName(position.layout(), cell));
  text += DrawPieceShape(type, LetterOf(piece.owner), 1.0) + "</g>\n";
  if ((position.double_steppers() & CellBit(cell)) != 0) {
    text += absl::StrFormat("<circle class=\"double\" cx=\"%.2f\" cy=\"%.2f\" r=\"3\"/>\n",
                            at.x + 15, at.y + 11);
  }
  if (position.en_passant() == cell) mark("ep");
  if (position.pending() == cell) mark("pending");
  return text;
}

// Draws the post from the corner of a main board to the board on the pin, and the pin's name.
std::string DrawPin(const Position& position, Pin pin) {
  const int board = position.layout().BoardOn(pin);
  const Plane plane = PlaneOf(pin);
  const bool is_front = pin.number() % 2 == 1;
  // The corner cell of the main board, which lies under a cell of the attack board.
  const double file = pin.is_king_side() ? 4 + 0.5 : 1 + 0.5;
  const double rank = pin.first_rank() + (is_front ? 1.5 : 0.5);
  const Point from = PointOn(file, rank, LevelOf(pin), 0);
  const Point to = plane.At(file, rank);
  const Point name = plane.At(pin.first_file() + 1, pin.first_rank() - 0.55);
  if (board < 0) {
    const Point middle = plane.At(pin.first_file() + 1, pin.first_rank() + 1);
    return DrawSvgText("free", middle.x, middle.y, pin.ToString());
  }
  return absl::StrFormat("<line class=\"post\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
                         from.x, from.y, to.x, to.y) +
         DrawSvgText(
             "name", name.x, name.y,
             std::string(kBoardNames[static_cast<size_t>(3 + board)]) + " on " + pin.ToString());
}

// Draws the marks of moves, on cells and on the free pins that boards can move to.
std::string DrawMoves(const Position& position, const MoveMarks& moves) {
  std::string text;
  for (int i = 0; i < kCells; ++i) {
    const auto found = moves.find(CellName(position.layout(), Cell::At(i)));
    if (found == moves.end()) continue;
    const Point at = CenterOf(position, Cell::At(i)) + Point{3, -3};
    text += DrawMoveMark(found->second, at.x, at.y);
  }
  for (int i = 0; i < kPins; ++i) {
    const Pin pin = Pin::At(i);
    const auto found = moves.find(pin.ToString());
    if (found == moves.end()) continue;
    const Point at = PlaneOf(pin).At(pin.first_file() + 1, pin.first_rank() + 1);
    text += DrawMoveMark(found->second, at.x, at.y - 18);
  }
  return text;
}

// Returns the text after the name of a player who has lost.
std::string Leaving(const Position& position, Seat seat) {
  if (position.is_in(seat)) return "";
  return StatusOf(position, seat) == SeatStatus::kCheckmate ? " (checkmate)" : " (out)";
}

// Draws the players' names on their sides, with a disc in the colour of their pieces, a mark next
// to the player to move, and the bots' names below.
std::string DrawNames(const Position& position, const SvgStyle& style) {
  constexpr double kLetterWidth = 11;
  constexpr PerSeat<Point> kPlaces = {{{{740, 846}, {135, 70}, {}}}};
  std::string text;
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    const std::string name = Position::kInfo.seat_name(seat) + Leaving(position, seat);
    const double half_width = kLetterWidth / 2 * static_cast<double>(name.size());
    text += absl::StrFormat("<g transform=\"translate(%s)\">", Numbers(kPlaces[seat]));
    if (position.to_move() == seat && !position.is_over()) text += DrawTurnMark(-half_width - 44);
    text +=
        absl::StrFormat("<circle class=\"%c\" cx=\"%.1f\" cy=\"0\" r=\"8\" stroke-width=\"1.4\"/>",
                        LetterOf(seat), -half_width - 14);
    text += DrawSvgText("name", 0, 6, name) + "</g>\n";
    if (Index(seat) >= style.players.size()) continue;
    const Point at = kPlaces[seat] + Point{0, 30};
    const bool is_first = seat == Seat::kFirst;
    text += DrawPlayerName(style.players[Index(seat)], at.x, at.y, is_first ? 590 : 10,
                           is_first ? 850 : 250);
  }
  return text;
}

std::string Caption(const Position& position) {
  if (const std::optional<Outcome> outcome = position.outcome()) {
    return OverCaption(*outcome, Position::kInfo);
  }
  std::string text = Position::kInfo.seat_name(position.to_move()) + " to move";
  if (const std::optional<Cell> pending = position.pending()) {
    text += ", first to promote " + CellName(position.layout(), *pending);
  }
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    if (position.in_check(seat)) text += ", " + Position::kInfo.seat_name(seat) + " in check";
  }
  return text +
         absl::StrFormat(" · move %d, clock %d", position.move_number(), position.halfmove_clock());
}

std::string Draw(const Position& position, std::optional<Move> last_move, const SvgStyle& style) {
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 960\" width=\"860\" "
      "height=\"960\" role=\"img\">\n<title>Tri-D chess: %s</title>\n<desc>%s</desc>\n"
      "<style>%s%s%s</style>\n<rect width=\"860\" height=\"960\" fill=\"#faf7f0\"/>\n",
      Caption(position), EscapeXml(ToString(position)), std::string(kBoardStyle),
      std::string(kPieceStyle), std::string(kColorStyle));
  for (int pin = 0; pin < kPins; ++pin) text += DrawPin(position, Pin::At(pin));
  for (int i = 0; i < kCells; ++i) {
    const Cell cell = Cell::At(i);
    text += DrawCell(position, cell, last_move && last_move->marks(cell));
  }
  text += DrawNames(position, style);
  for (int level = 0; level < 3; ++level) {
    const Point name = PointOn(3, 1 + 2 * level - 0.6, level, 0);
    text += DrawSvgText("name", name.x, name.y, kBoardNames[static_cast<size_t>(level)]);
  }
  // Draw higher cells first, because a piece may extend over the edge behind it.
  for (int i = kCells - 1; i >= 0; --i) {
    if ((position.occupied() & CellBit(Cell::At(i))) != 0) text += DrawPiece(position, Cell::At(i));
  }
  text += DrawMoves(position, style.moves);
  return text + DrawSvgText("note", 430, 931, Caption(position)) +
         DrawLegend(text, kMarks, 430, 953) + DrawMoveLegend(text, 430, 20) + "</svg>\n";
}

}  // namespace

// The player to move in a position that was set up may be mated or stalemated.
std::string ToSvg(const Position& position, std::optional<Move> last_move, const SvgStyle& style) {
  Position judged = position;
  judged.JudgeTurn();
  return Draw(judged, last_move, style);
}

}  // namespace triarch::tri_d
