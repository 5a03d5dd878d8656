#include "core/tri_d/picture.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/canvas.h"
#include "core/game/highlight.h"
#include "core/tri_d/text.h"

// Draws the seven boards side by side for a terminal. The main boards run from the lowest to the
// highest, each with its four pins around it as seen from above: even numbers behind it, odd
// numbers in front, the queen's side on the left. An attack board is drawn at its pin. Files and
// ranks are written at the edges; with the board's letter or pin they give the name of every cell.
namespace triarch::tri_d {
namespace {

constexpr int kCellWidth = 5;
constexpr int kMargin = 3;  // of a board, for the rank numbers
constexpr int kPinPitch = 2 * kCellWidth + kMargin + 1;
constexpr int kPitch = 2 * kPinPitch + 3;  // from one main board to the next, in characters
constexpr int kWidth = 3 * kPitch;
constexpr int kMainTop = 5;  // the line of a title
constexpr int kFrontTop = 12;
constexpr int kHeight = 16;

// Numbers of the 256-colour palette: light and dark cells, of the main boards and of the attack
// boards.
constexpr std::array<std::array<int, 2>, 2> kTints = {{{187, 144}, {152, 109}}};
constexpr std::array<Ink, 2> kChips = {{{16, 231, true}, {231, 16, true}}};
constexpr Ink kFreeInk = {244, kNoColor, false};

// The start of a board's title; the highest rank is on the next line.
struct Spot {
  int column;
  int line;
};

Spot SpotOf(Pin pin) {
  const int level = (pin.number() - 1) / 2;
  return {level * kPitch + kMargin + (pin.is_king_side() ? kPinPitch : 0),
          pin.number() % 2 == 0 ? 0 : kFrontTop};
}

Spot SpotOf(const Position& position, int board) {
  if (board < 3) return {board * kPitch + kMargin + kCellWidth / 2, kMainTop};
  return SpotOf(position.layout().pins[static_cast<size_t>(board - 3)]);
}

std::string Title(const Position& position, int board) {
  std::string text(kBoardNames[static_cast<size_t>(board)]);
  if (board >= 3) {
    text += " on " + position.layout().pins[static_cast<size_t>(board - 3)].ToString();
  }
  return text;
}

// What is drawn, and how.
struct BoardView {
  const Position& position;
  Highlights<Position> highlights;
  bool is_colored = true;
};

void DrawCell(const BoardView& view, Cell cell, Spot at, Canvas& canvas) {
  const auto& [position, highlights, is_colored] = view;
  const Highlight* const highlight = highlights[static_cast<size_t>(cell.index())];
  const Column column = position.layout().ColumnOf(cell);
  const bool is_dark = (FileOf(column) + RankOf(column)) % 2 == 0;
  const int tint = highlight ? highlight->tint : kTints[cell.is_main() ? 0 : 1][is_dark ? 1 : 0];
  const std::optional<Piece> piece = position.piece_at(cell);
  if (is_colored) canvas.Write(at.column, at.line, "     ", {kNoColor, tint, false});
  if (highlight && !is_colored) {
    canvas.Set(at.column + (piece ? 3 : 2), at.line, highlight->sign);
  }
  if (!piece) {
    if (!is_colored && !highlight) canvas.Write(at.column + 2, at.line, is_dark ? ":" : ".");
    return;
  }
  const size_t type = static_cast<size_t>(piece->type);
  if (is_colored) {
    const Ink chip = kChips[Index(piece->owner)];
    canvas.Write(at.column + 1, at.line, "   ", chip);
    canvas.Set(at.column + 2, at.line, kPieceGlyphs[type], chip);
  } else {
    const std::array<char, 2> text = {Position::kInfo.seat_letters[Index(piece->owner)],
                                      kPieceLetters[type]};
    canvas.Write(at.column + 1, at.line, {text.data(), text.size()});
  }
}

void DrawOneBoard(const BoardView& view, int board, Canvas& canvas) {
  const Position& position = view.position;
  const Spot spot = SpotOf(position, board);
  const auto [first_cell, size] = ShapeOf(board);
  canvas.Write(spot.column + 1, spot.line, Title(position, board),
               {kNoColor, kNoColor, view.is_colored});
  for (int place = 0; place < size * size; ++place) {
    const int file = place % size;
    const int rank = place / size;
    const Cell cell = Cell::At(first_cell + place);
    const Spot at = {spot.column + kCellWidth * file, spot.line + size - rank};
    DrawCell(view, cell, at, canvas);
    const Column column = position.layout().ColumnOf(cell);
    if (file == 0) canvas.Write(at.column - 2, at.line, std::to_string(RankOf(column)));
    if (rank == 0) {
      canvas.Write(at.column + 2, at.line + 1,
                   kFileLetters.substr(static_cast<size_t>(FileOf(column)), 1));
    }
  }
}

void DrawFreePins(const Layout& layout, const BoardStyle& style, Canvas& canvas) {
  for (int i = 0; i < kPins; ++i) {
    const Pin pin = Pin::At(i);
    if (layout.is_taken(pin)) continue;
    const Spot spot = SpotOf(pin);
    const std::string text = "(" + pin.ToString() + ")";
    const Highlight* const highlight = MoveHighlight(style.moves, pin.ToString());
    Ink ink = style.is_colored ? kFreeInk : Ink{};
    if (highlight && style.is_colored) ink = {16, highlight->tint, false};
    canvas.Write(spot.column + 3, spot.line + 1, text, ink);
    if (highlight && !style.is_colored) {
      canvas.Set(spot.column + 2, spot.line + 1, highlight->sign);
    }
  }
}

std::string CastlingText(const Position& position, Seat seat) {
  const bool is_short = position.can_castle_short(seat);
  const bool is_long = position.can_castle_long(seat);
  return is_short ? (is_long ? "KQ" : "K") : (is_long ? "Q" : "-");
}

std::string StatusText(const Position& position, Seat seat) {
  constexpr std::array<std::string_view, 5> kWords = {"active", "in check", "stalemate",
                                                      "checkmate", "out"};
  return std::string(kWords[static_cast<size_t>(StatusOf(position, seat))]);
}

std::string DoubleStepText(const Position& position, Seat seat) {
  std::string text;
  AnyOf(position.double_steppers() & position.owned_by(seat), [&](Cell cell) {
    if (!text.empty()) text += ' ';
    text += CellName(position.layout(), cell);
    return false;
  });
  return text.empty() ? "-" : text;
}

std::string NameOr(const Position& position, std::optional<Cell> cell) {
  return cell ? CellName(position.layout(), *cell) : "-";
}

std::string DescribePosition(const Position& position) {
  const auto per_seat = [&](std::string (*text_of)(const Position&, Seat)) {
    return PerSeatText<Position>([&](Seat seat) { return text_of(position, seat); });
  };
  return absl::StrFormat(
      "to move     %s%s\n"
      "castling    %s\n"
      "en passant  %s\n"
      "double step %s\n"
      "            %s\n"
      "status      %s\n"
      "clock       %d\n"
      "move        %d\n"
      "%s\n",
      ToMoveText(position),
      position.pending() ? ", who must first promote " + NameOr(position, position.pending()) : "",
      per_seat(CastlingText), NameOr(position, position.en_passant()),
      "White " + DoubleStepText(position, Seat::kFirst),
      "Black " + DoubleStepText(position, Seat::kSecond), per_seat(StatusText),
      position.halfmove_clock(), position.move_number(), ToString(position));
}

}  // namespace

absl::StatusOr<std::string> ToBoard(const Position& position, const BoardStyle& style,
                                    std::optional<Move> last_move) {
  if (!style.names.empty()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "unknown names %s; Tri-D chess has only the default names", Quote(style.names)));
  }
  Canvas canvas(kWidth, kHeight);
  const BoardView view = {position, HighlightsOf(position, style, last_move), style.is_colored};
  for (int board = 0; board < kBoards; ++board) {
    DrawOneBoard(view, board, canvas);
  }
  DrawFreePins(position.layout(), style, canvas);
  // The player to move in a position that was set up may be mated or stalemated.
  Position judged = position;
  judged.JudgeTurn();
  return canvas.ToText() + '\n' + HighlightLines(style, last_move.has_value()) +
         DescribePosition(judged);
}

}  // namespace triarch::tri_d
