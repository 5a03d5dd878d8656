#include <array>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/canvas.h"
#include "core/tri_d/position.h"

// The seven boards side by side for a terminal: the main boards from the lowest to the highest, and
// below them the attack boards in the order of TFEN, each with its pin. Files and ranks stand at
// the edges, so that with the board's letter or pin every cell has its name.
namespace triarch::tri_d {
namespace {

constexpr int kCellWidth = 3;
constexpr int kMainTop = 1;
constexpr int kAttackTop = 9;
constexpr int kPitch = 20;  // from one board to the next, in characters
constexpr int kMargin = 3;  // of a board, for the numbers of the ranks
constexpr int kWidth = 4 * kPitch;
constexpr int kHeight = 13;
constexpr std::string_view kTypeLetters = "PNBRQK";

// Numbers of the 256-colour palette: light and dark cells, on the attack boards of another tint.
constexpr std::array<std::array<int, 2>, 2> kTints = {{{187, 144}, {152, 109}}};
constexpr std::array<Ink, 2> kChips = {{{16, 231, true}, {231, 16, true}}};

struct Place {
  int column;
  int line;  // of the highest rank
  int size;  // files and ranks
  int first_cell;
};

Place PlaceOf(int board) {
  if (board < 3) return {board * kPitch + kMargin, kMainTop + 1, 4, 16 * board};
  const int attack = board - 3;
  return {attack * kPitch + kMargin, kAttackTop + 1, 2, kMainCells + 4 * attack};
}

std::string Title(const Position& position, int board) {
  std::string text(kBoardNames[static_cast<size_t>(board)]);
  if (board >= 3) {
    text += " on " + position.layout().pins[static_cast<size_t>(board - 3)].ToString();
  }
  return text;
}

void DrawCell(const Position& position, Cell cell, int column, int line, bool is_colored,
              Canvas* canvas) {
  const Column at = position.layout().ColumnOf(cell);
  const bool is_dark = (FileOf(at) + RankOf(at)) % 2 == 0;
  const std::optional<Piece> piece = position.piece_at(cell);
  if (!is_colored) {
    std::string text = is_dark ? " : " : " . ";
    if (piece) {
      text = {' ', "wb"[Index(piece->owner)], kTypeLetters[static_cast<size_t>(piece->type)]};
    }
    canvas->Write(column, line, text);
    return;
  }
  const int tint = kTints[cell.is_main() ? 0 : 1][is_dark ? 1 : 0];
  Ink ink{kNoColor, tint, false};
  if (piece) ink = kChips[Index(piece->owner)];
  canvas->Write(column, line, "   ", ink);
  if (!piece) return;
  canvas->Set(column + 1, line, kPieceGlyphs[static_cast<size_t>(piece->type)], ink);
}

void DrawOneBoard(const Position& position, int board, bool is_colored, Canvas* canvas) {
  const Place place = PlaceOf(board);
  canvas->Write(place.column, place.line - 1, Title(position, board),
                {kNoColor, kNoColor, is_colored});
  for (int rank = 0; rank < place.size; ++rank) {
    const int line = place.line + place.size - 1 - rank;
    for (int file = 0; file < place.size; ++file) {
      const Cell cell = Cell::At(place.first_cell + place.size * rank + file);
      const int column = place.column + kCellWidth * file;
      DrawCell(position, cell, column, line, is_colored, canvas);
      const Column at = position.layout().ColumnOf(cell);
      if (file == 0) canvas->Write(place.column - 2, line, std::to_string(RankOf(at)));
      if (rank > 0) continue;
      canvas->Write(column + 1, line + 1, kFileLetters.substr(static_cast<size_t>(FileOf(at)), 1));
    }
  }
}

std::string CastlingText(const Position& position, Seat seat) {
  const bool is_short = position.can_castle_short(seat);
  const bool is_long = position.can_castle_long(seat);
  return is_short ? (is_long ? "KQ" : "K") : (is_long ? "Q" : "-");
}

std::string StatusText(const Position& position, Seat seat) {
  if (!position.is_in(seat)) return "out";
  return position.in_check(seat) ? "in check" : "active";
}

std::string DoubleStepText(const Position& position, Seat seat) {
  std::string text;
  AnyOf(position.double_steppers() & position.owned_by(seat), [&](Cell cell) {
    if (!text.empty()) text += ' ';
    text += position.CellName(cell);
    return false;
  });
  return text.empty() ? "-" : text;
}

std::string NameOr(const Position& position, std::optional<Cell> cell) {
  return cell ? position.CellName(*cell) : "-";
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
      position.halfmove_clock(), position.move_number(), position.ToString());
}

}  // namespace

absl::StatusOr<std::string> Position::ToBoard(const BoardStyle& style) const {
  if (!style.names.empty()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "unknown names %s; Tri-D chess has only the usual ones", Quote(style.names)));
  }
  Canvas canvas(kWidth, kHeight);
  for (int board = 0; board < kBoards; ++board) {
    DrawOneBoard(*this, board, style.is_colored, &canvas);
  }
  return canvas.ToText() + '\n' + DescribePosition(*this);
}

}  // namespace triarch::tri_d
