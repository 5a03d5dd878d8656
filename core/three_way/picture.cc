#include "core/three_way/picture.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/canvas.h"
#include "core/game/highlight.h"
#include "core/three_way/text.h"

// Draws the board for a terminal: White's third is at the bottom, hexagons have flat tops, and each
// file is a column of hexagons. A hexagon shows its piece in the middle and its name below. In
// colour, it is a separate area, three lines high. Without colour, it is drawn with slashes and
// underscores, two lines high.
namespace triarch::three_way {
namespace {

constexpr int kPitch = 5;   // from one file to the next, in characters
constexpr int kMargin = 2;  // left of the board
constexpr int kWidth = kMargin + 15 * kPitch + 2;
constexpr int kHalves = 24;  // the board's height, in halves of a hexagon

// Returns the distance from the top of the board to the top of the cell, in halves of a hexagon.
constexpr int TopOf(Cell cell) { return 10 - cell.hex().q - 2 * cell.hex().r; }

// Returns the column where the widest part of a cell begins.
constexpr int LeftOf(Cell cell) { return kMargin + kPitch * (cell.hex().q + 7); }

bool IsPassedOver(const Position& position, Cell cell) {
  return position.en_passant(Seat::kFirst) == cell || position.en_passant(Seat::kSecond) == cell ||
         position.en_passant(Seat::kThird) == cell;
}

// --- in colour ---

// A character is two dots, one above the other; half a hexagon is three dots high.
constexpr int kDots = 3;
constexpr int kColoredHeight = kHalves * kDots / 2;
using DotColors = std::array<std::array<int, kWidth>, 2 * kColoredHeight>;

// Colours are numbers of the 256-colour palette. A piece is a chip in its owner's colour; a cell
// has a tint and its name in a dark gray.
constexpr std::array<int, 3> kTints = {187, 137, 108};
constexpr std::array<int, 3> kNameColors = {241, 235, 236};
constexpr std::array<Ink, 3> kChips = {{{16, 231, true}, {231, 241, true}, {231, 16, true}}};

const Highlight* HighlightOf(const Highlights<Position>& highlights, Cell cell) {
  return highlights[static_cast<size_t>(cell.index())];
}

int TintOf(Cell cell, const Highlights<Position>& highlights) {
  const Highlight* const highlight = HighlightOf(highlights, cell);
  return highlight ? highlight->tint : kTints[static_cast<size_t>(cell.color())];
}

void FillCell(Cell cell, int tint, DotColors& dots) {
  constexpr std::array<int, 2 * kDots> kMargins = {2, 1, 0, 0, 1, 2};
  for (size_t i = 0; i < kMargins.size(); ++i) {
    auto& line = dots[static_cast<size_t>(kDots * TopOf(cell)) + i];
    std::fill_n(line.begin() + LeftOf(cell) + kMargins[i], 7 - 2 * kMargins[i], tint);
  }
}

void DrawAreas(const Highlights<Position>& highlights, Canvas& canvas) {
  DotColors dots;
  for (auto& line : dots) line.fill(kNoColor);
  for (const Cell cell : kAllCells) FillCell(cell, TintOf(cell, highlights), dots);
  for (int line = 0; line < kColoredHeight; ++line) {
    for (int column = 0; column < kWidth; ++column) {
      const auto x = static_cast<size_t>(column);
      const auto y = static_cast<size_t>(2 * line);
      canvas.SetDots(column, line, dots[y][x], dots[y + 1][x]);
    }
  }
}

void DrawColored(const Position& position, Cell cell, const Highlights<Position>& highlights,
                 Canvas& canvas) {
  const int column = LeftOf(cell) + 2;
  const int line = kDots * TopOf(cell) / 2 + 1;
  if (const std::optional<Piece> piece = position.piece_at(cell)) {
    const Ink chip = kChips[Index(piece->owner)];
    canvas.Write(column, line, "   ", chip);
    canvas.Set(column + 1, line, kPieceGlyphs[static_cast<size_t>(piece->type)], chip);
  } else if (IsPassedOver(position, cell)) {
    canvas.Set(column + 1, line, "x", {16, TintOf(cell, highlights), true});
  }
  canvas.Write(column, line + 1, cell.ToString(),
               {kNameColors[static_cast<size_t>(cell.color())], TintOf(cell, highlights)});
}

// --- without colour ---

// The hexagons share their outlines; one extra line closes the last.
constexpr int kPlainHeight = kHalves + 1;

void DrawOutlines(Canvas& canvas) {
  for (const Cell cell : kAllCells) {
    const int column = LeftOf(cell);
    const int line = TopOf(cell);
    canvas.Write(column + 1, line, "____");
    canvas.Write(column, line + 1, "/");
    canvas.Write(column + 5, line + 1, "\\");
    canvas.Write(column, line + 2, "\\____/");
  }
}

void DrawPlain(const Position& position, Cell cell, const Highlights<Position>& highlights,
               Canvas& canvas) {
  const int column = LeftOf(cell) + 2;
  const int line = TopOf(cell) + 1;
  if (const std::optional<Piece> piece = position.piece_at(cell)) {
    canvas.Write(column, line, {&Position::kInfo.seat_letters[Index(piece->owner)], 1});
    canvas.Write(column + 1, line, kPieceLetters.substr(static_cast<size_t>(piece->type), 1));
  } else if (IsPassedOver(position, cell)) {
    canvas.Write(column, line, "x");
  }
  if (const Highlight* const highlight = HighlightOf(highlights, cell)) {
    canvas.Set(column + 2, line, highlight->sign);
  }
  canvas.Write(column, line + 1, cell.ToString());
}

// --- both ---

// Draws the names of the seats in the notches behind their back ranks: White's opens to the bottom,
// Gray's to the right and Black's to the left.
void DrawNames(const Position& position, bool is_colored, Canvas& canvas) {
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    const std::string text = SeatLabel(position, seat);
    const int length = static_cast<int>(text.size());
    const int column = seat == Seat::kFirst    ? 40 - length / 2
                       : seat == Seat::kSecond ? 61
                                               : 16 - length;
    const int halves = seat == Seat::kFirst ? 23 : 5;
    const int line = is_colored ? halves * kDots / 2 : halves;
    canvas.Write(column, line, text);
    if (is_colored) {
      // Draw the name again on a chip, without the rest of the label.
      const std::string name = Position::kInfo.seat_name(seat);
      canvas.Write(column - 1, line, " " + name + " ", kChips[i]);
    }
  }
}

std::string DrawBoard(const Position& position, bool is_colored,
                      const Highlights<Position>& highlights) {
  Canvas canvas(kWidth, is_colored ? kColoredHeight : kPlainHeight);
  if (is_colored) {
    DrawAreas(highlights, canvas);
  } else {
    DrawOutlines(canvas);
  }
  for (const Cell cell : kAllCells) {
    (is_colored ? DrawColored : DrawPlain)(position, cell, highlights, canvas);
  }
  DrawNames(position, is_colored, canvas);
  return canvas.ToText();
}

// --- the text below the board ---

std::string CastlingText(const Position& position, Seat seat) {
  const bool is_short = position.can_castle_king_side(seat);
  const bool is_long = position.can_castle_queen_side(seat);
  return is_short ? (is_long ? "KQ" : "K") : (is_long ? "Q" : "-");
}

std::string EnPassantText(const Position& position, Seat seat) {
  const std::optional<Cell> cell = position.en_passant(seat);
  return cell ? cell->ToString() : "-";
}

std::string StatusText(const Position& position, Seat seat) {
  if (!position.is_in(seat)) return "out";
  return position.in_check(seat) ? "in check" : "active";
}

std::string DescribePosition(const Position& position) {
  const auto per_seat = [&](std::string (*text_of)(const Position&, Seat)) {
    return PerSeatText<Position>([&](Seat seat) { return text_of(position, seat); });
  };
  return absl::StrFormat(
      "to move     %s\n"
      "castling    %s\n"
      "en passant  %s\n"
      "status      %s\n"
      "clock       %d\n"
      "move        %d\n"
      "%s\n",
      ToMoveText(position), per_seat(CastlingText), per_seat(EnPassantText), per_seat(StatusText),
      position.halfmove_clock(), position.move_number(), ToString(position));
}

}  // namespace

absl::StatusOr<std::string> ToBoard(const Position& position, const BoardStyle& style,
                                    std::optional<Move> last_move) {
  if (!style.names.empty()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "unknown names %s; Three-Way Chess has only the default names", Quote(style.names)));
  }
  const Highlights<Position> highlights = HighlightsOf(position, style, last_move);
  return DrawBoard(position, style.is_colored, highlights) + '\n' +
         HighlightLines(style, last_move.has_value()) + DescribePosition(position);
}

}  // namespace triarch::three_way
