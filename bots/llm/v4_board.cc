#include "bots/llm/v4_board.h"

#include <optional>
#include <string_view>

#include "absl/strings/str_format.h"

namespace triarch::llm {
namespace {

using triumvirate::Cell;
using triumvirate::kColumns;
using triumvirate::kRows;
using triumvirate::Position;
using triumvirate::V4Cell;
using triumvirate::V4Table;

std::string NameOf(Seat seat) { return Position::kInfo.seat_name(seat); }

// Returns "wT" for a white Train, and "wT>b" if it is Black's.
std::string Mark(triumvirate::Piece piece) {
  const auto& letters = Position::kInfo.seat_letters;
  std::string mark = {letters[Index(piece.color)], triumvirate::V4Letter(piece.type)};
  if (piece.owner != piece.color) mark += {'>', letters[Index(piece.owner)]};
  return mark;
}

std::string DrawSector(const Position& position, Seat sector, V4Table table) {
  const auto end_of = [&](int column) {
    return NameOf(Cell::At(sector, column, 0).bridge_neighbor());
  };
  std::string text =
      absl::StrFormat("%s's sector (the left four columns lead to %s, ", NameOf(sector), end_of(0));
  text += absl::StrFormat("the right four to %s):\n", end_of(kColumns - 1));
  for (int row = kRows - 1; row >= 0; --row) {
    std::string line;
    for (int column = 0; column < kColumns; ++column) {
      const Cell cell = Cell::At(sector, column, row);
      const auto piece = position.piece_at(cell);
      const std::string name = ToV4(cell, table);
      line += absl::StrFormat("%-13s", piece ? name + " " + Mark(*piece) : name);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// Returns the pairs of cells that meet across the fronts.
std::string FrontsText(V4Table table) {
  std::string text;
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    for (int column = 0; column < kColumns / 2; ++column) {
      const Cell cell = Cell::At(SeatAt(i), column, kRows - 1);
      const Cell other = Cell::At(cell.bridge_neighbor(), kColumns - 1 - column, kRows - 1);
      text += (text.empty() ? "" : ", ") + ToV4(cell, table) + " and " + ToV4(other, table);
    }
  }
  return text;
}

// Returns the corners whose Trains can still castle.
std::string CastlingText(const Position& position, Seat seat, V4Table table) {
  if (!position.is_in(seat)) return "none";
  const triumvirate::CellSet king = position.of_type(PieceType::kKing) & position.owned_by(seat);
  std::string corners;
  for (const bool is_short : {true, false}) {
    if (!(is_short ? position.can_castle_short(seat) : position.can_castle_long(seat))) continue;
    // The short side is the one of the nearer corner.
    const bool is_right = (king.first().column() >= kColumns / 2) == is_short;
    corners += corners.empty() ? "" : " and ";
    corners += ToV4(Cell::At(seat, is_right ? kColumns - 1 : 0, 0), table);
  }
  return corners.empty() ? "none" : corners;
}

std::string StatusText(const Position& position, Seat seat) {
  if (!position.is_in(seat)) return "out";
  if (position.in_check(seat)) return "in check";
  return position.has_legal_move(seat) ? "active" : "without a move";
}

// Returns "White … · Black … · Red …".
template <class F>
std::string PerPlayer(F text_of) {
  std::string text;
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    text += (i == 0 ? "" : " · ") + NameOf(SeatAt(i)) + " " + text_of(SeatAt(i));
  }
  return text;
}

}  // namespace

std::string V4Legend(V4Table table) {
  const V4Cell example = DescribeV4(*Cell::Parse("B3"), table);
  std::string text = absl::StrFormat(
      "Cells are named by SECTOR RING / OPPONENT DEPTH . FLANK. %s is in %s's sector, on ring %d; "
      "it faces %s, at depth %d and flank %d.\n",
      example.name, NameOf(example.sector), example.ring, NameOf(example.opponent), example.depth,
      example.flank);
  text += absl::StrFormat(
      "- Sector and opponent: W White, B Black, R Red.\n"
      "- Depth: 0 on the sector's front row to 3 on its base row.\n"
      "- Ring: %s.\n"
      "- Flank: 0 at the sides of the sector to 3 in its middle.\n"
      "- Some names are irregular in opponent%s. The board shows which cells are neighbours.\n",
      table == V4Table::kPublished
          ? "here the same number as the depth"
          : "3 on the base row and at the sides of the sector, 2 one step inside, else 1",
      table == V4Table::kPublished ? " and flank" : "");
  text += absl::StrFormat(
      "- The six cells of the rosette, around the centre, are named C/SECTOR.OPPONENT: C/W.B is in "
      "White's sector and faces Black.\n"
      "- The buried level of a cell is ring plus depth: %d + %d = %d for %s, 0 for the rosette. "
      "Pieces are more active on lower levels. Bring them below 4, and aim for the rosette, where "
      "all three sectors meet.\n"
      "Pieces: Leader L (king), Marshal M (queen), Train T (rook), Drone D (bishop), Noctis N "
      "(knight), Private P (pawn).\n",
      example.ring, example.depth, example.buried_level(), example.name);
  return text;
}

std::string V4Board(const Position& position, V4Table table) {
  std::string text =
      "The board. Each sector is shown as its owner sees it, the front row at the top, the base "
      "row at the bottom. A piece follows its cell: wT is a white Train, wT>b one that Black has "
      "inherited.\n";
  for (size_t i = 0; i < Position::kInfo.seats; ++i) text += DrawSector(position, SeatAt(i), table);
  const std::optional<Cell> en_passant = position.en_passant();
  text += absl::StrFormat(
      "Neighbours are the cells beside and above each other, and, across the fronts, %s.\n\n"
      "Trains that can still castle: %s\n"
      "Cell for en passant: %s\n"
      "Status: %s\n"
      "Moves since the last capture or move of a Private: %d\n",
      FrontsText(table), PerPlayer([&](Seat seat) { return CastlingText(position, seat, table); }),
      en_passant ? ToV4(*en_passant, table) : "none",
      PerPlayer([&](Seat seat) { return StatusText(position, seat); }), position.halfmove_clock());
  return text;
}

}  // namespace triarch::llm
