// Explains why a move of Tri-D chess is illegal.

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/tri_d/attacks.h"
#include "core/tri_d/text.h"
#include "core/tri_d/written_move.h"

// The explanations name the rule that forbids the move and the piece that is in the way.
namespace triarch::tri_d {
namespace {

std::string PieceText(const Position& position, Cell cell) {
  return std::string(kPieceNames[static_cast<size_t>(position.piece_at(cell)->type)]);
}

// Returns "the rook on a1W".
std::string ThePiece(const Position& position, Cell cell) {
  return "the " + PieceText(position, cell) + " on " + CellName(position.layout(), cell);
}

std::string ColumnName(Column column) {
  return std::string(1, kFileLetters[static_cast<size_t>(FileOf(column))]) +
         std::to_string(RankOf(column));
}

// Explains that a cell does not exist. Cells of attack boards may exist later.
std::string NoCell(const std::string& name) {
  const bool may_exist = IsCell(kGame<Position>, name) || name.ends_with('L');
  return "there is no cell " + name + (may_exist ? " now" : "");
}

// Returns the piece in the columns that is nearest to `from`, if any.
std::optional<Cell> NearestIn(const Position& position, ColumnSet columns, Cell from) {
  const Layout& layout = position.layout();
  const Column start = layout.ColumnOf(from);
  const auto distance = [&](Cell cell) {
    const Column column = layout.ColumnOf(cell);
    return std::abs(FileOf(column) - FileOf(start)) + std::abs(RankOf(column) - RankOf(start));
  };
  std::optional<Cell> nearest;
  AnyOf(position.occupied() & layout.CellsOf(columns), [&](Cell cell) {
    if (!nearest || distance(cell) < distance(*nearest)) nearest = cell;
    return false;
  });
  return nearest;
}

// Explains that the vertical shadow (§3) of a piece on `blocker` stops the piece.
std::string PassesNoShadow(const Position& position, Cell from, Cell blocker) {
  return absl::StrFormat(
      "%s cannot pass %s, where %s stands", ThePiece(position, from),
      ColumnName(position.layout().ColumnOf(blocker)),
      "the " + PieceText(position, blocker) + " on " + CellName(position.layout(), blocker));
}

// --- how pieces move, regardless of check ---

// Explains why the pawn cannot go to `to` (§4); empty if it can. Requires: `to` holds no friendly
// piece.
std::string WhyPawnStays(const Position& position, Cell from, Cell to) {
  const Layout& layout = position.layout();
  const Seat seat = position.piece_at(from)->owner;
  const Column start = layout.ColumnOf(from);
  const Column end = layout.ColumnOf(to);
  const int forward = Forward(seat);
  const bool is_held = position.piece_at(to).has_value();
  const std::string pawn = ThePiece(position, from);
  const std::string to_name = CellName(position.layout(), to);
  if ((kAttacks.pawn_captures[Index(seat)][At(start)] & ColumnBit(end)) != 0) {
    const std::optional<Cell> pushed = position.en_passant();
    if (is_held || (pushed && layout.ColumnOf(*pushed) + forward == end)) return "";
    return pawn + " has nothing to capture on " + to_name;
  }
  const std::string no_capture = pawn + " does not capture straight ahead on " + to_name;
  if (end == start + forward) return is_held ? no_capture : "";
  if (end != start + 2 * forward) return pawn + " does not reach " + to_name;
  if ((position.double_steppers() & CellBit(from)) == 0) {
    return pawn + " has no double step to " + to_name;
  }
  const std::optional<Cell> blocker = NearestIn(position, ColumnBit(start + forward), from);
  if (blocker) return PassesNoShadow(position, from, *blocker);
  return is_held ? no_capture : "";
}

// Returns the columns that a piece other than a pawn attacks on an empty map.
ColumnSet Lines(PieceType type, Column start) {
  switch (type) {
    case PieceType::kKnight:
      return kAttacks.knight[At(start)];
    case PieceType::kKing:
      return kAttacks.king[At(start)];
    case PieceType::kBishop:
      return kAttacks.bishop_lines[At(start)];
    case PieceType::kRook:
      return kAttacks.rook_lines[At(start)];
    default:
      return kAttacks.bishop_lines[At(start)] | kAttacks.rook_lines[At(start)];
  }
}

// Explains why the piece does not reach `to`, regardless of check (§3); empty if it does.
std::string WhyNotReached(const Position& position, Cell from, Cell to) {
  const Column start = position.layout().ColumnOf(from);
  const Column end = position.layout().ColumnOf(to);
  if (start == end) {
    return absl::StrFormat("%s cannot go to %s in its own column", ThePiece(position, from),
                           CellName(position.layout(), to));
  }
  const PieceType type = position.piece_at(from)->type;
  if (type == PieceType::kPawn) return WhyPawnStays(position, from, to);
  if ((Lines(type, start) & ColumnBit(end)) == 0) {
    return ThePiece(position, from) + " does not reach " + CellName(position.layout(), to);
  }
  if (type == PieceType::kKnight || type == PieceType::kKing) return "";
  const std::optional<Cell> blocker = NearestIn(position, Between(start, end), from);
  return blocker ? PassesNoShadow(position, from, *blocker) : "";
}

// Explains why the piece of the player to move may not go to `to`.
std::string WhyPieceStays(const Position& position, Cell from, Cell to) {
  std::string why = WhyNotReached(position, from, to);
  if (!why.empty()) return why;
  const std::string to_name = CellName(position.layout(), to);
  if (position.piece_at(from)->type == PieceType::kKing) {
    return "the king would be attacked on " + to_name;
  }
  return ThePiece(position, from) +
         (position.in_check(position.to_move()) ? " does not answer the check by going to "
                                                : " would leave its king attacked by going to ") +
         to_name;
}

// Explains the error in a start cell that is written in full; empty if the cell is correct.
std::string WhyNotFrom(const Position& position, const WrittenMove& written) {
  if (!written.file || !written.rank || written.level.empty()) return "";
  const std::string name =
      std::string(1, kFileLetters[*written.file]) + std::to_string(*written.rank) + written.level;
  const std::optional<Cell> from = FindCell(position.layout(), name);
  if (!from) return NoCell(name);
  const std::optional<Piece> piece = position.piece_at(*from);
  if (!piece) return "no piece stands on " + name;
  if (piece->owner != position.to_move()) {
    return absl::StrFormat("the piece on %s is %s's, but it is %s's turn", name,
                           Position::kInfo.seat_name(piece->owner),
                           Position::kInfo.seat_name(position.to_move()));
  }
  if (!written.type || *written.type == piece->type) return "";
  return absl::StrFormat("the piece on %s is not a %s", name,
                         std::string(kPieceNames[static_cast<size_t>(*written.type)]));
}

// --- boards (§5) ---

// Returns the player who may move the board: the owner of its only piece or, if it is empty, the
// player of its colour.
Seat ControllerOf(const Position& position, int board, CellSet pieces) {
  if (pieces == 0) return SeatAt(ColorOfBoard(board));
  return position.piece_at(Cell::At(std::countr_zero(pieces)))->owner;
}

// Returns whether a board can go from one pin to the other in one move, forward or backward.
bool IsBeside(Pin a, Pin b) {
  if (a.is_king_side() != b.is_king_side()) return a.number() == b.number();
  const int steps = std::abs(a.number() - b.number());
  return steps == 1 || steps == 2;
}

// Explains why the player to move may not move the board to the pin. Requires: the pin is free.
std::string WhyBoardStays(const Position& position, int board, Pin to) {
  const Seat mover = position.to_move();
  const Pin from = position.layout().pins[static_cast<size_t>(board)];
  const std::string name = std::string(AttackBoardName(board)) + " on " + from.ToString();
  if (!IsBeside(from, to)) {
    return "no board goes from " + from.ToString() + " to " + to.ToString() + " in one move";
  }
  const CellSet pieces = position.occupied() & CellsOfAttackBoard(board);
  if (std::popcount(pieces) > 1) {
    return absl::StrFormat("%s carries %d pieces; a moving board may carry at most one", name,
                           std::popcount(pieces));
  }
  const bool is_empty = pieces == 0;
  const Seat owner = ControllerOf(position, board, pieces);
  if (owner != mover) {
    return absl::StrFormat("%s %s's, but it is %s's turn",
                           is_empty ? name + " is empty and thus" : "the piece on " + name + " is",
                           Position::kInfo.seat_name(owner), Position::kInfo.seat_name(mover));
  }
  const int ranks = to.first_rank() - from.first_rank();
  if (!is_empty && (mover == Seat::kFirst ? ranks < 0 : ranks > 0)) {
    return name + " carries a piece, so it cannot go back to " + to.ToString();
  }
  if (position.in_check(mover)) {
    return name + " does not answer the check by going to " + to.ToString();
  }
  // An empty board neither shields nor opens anything.
  const std::string king = Position::kInfo.seat_name(mover) + "'s king";
  if (is_empty) return name + " may not free a pawn that could attack " + king;
  return name + " would leave " + king + " attacked by going to " + to.ToString();
}

}  // namespace

bool IsFrom(const Position& position, Cell from, const WrittenMove& written) {
  const Column column = position.layout().ColumnOf(from);
  if (written.type && position.piece_at(from)->type != *written.type) return false;
  if (written.file && static_cast<int>(*written.file) != FileOf(column)) return false;
  if (written.rank && *written.rank != RankOf(column)) return false;
  if (written.level.empty()) return true;
  return CellName(position.layout(), from).substr(2) == written.level ||
         kBoardNames[static_cast<size_t>(from.board())] == written.level;
}

bool IsBoardMeant(const Position& position, int board, const WrittenBoardMove& written) {
  return written.from.empty() || written.from == AttackBoardName(board) ||
         written.from == position.layout().pins[static_cast<size_t>(board)].ToString();
}

std::string WhyIllegal(const Position& position, const WrittenMove& written) {
  const std::optional<Cell> to = FindCell(position.layout(), written.to);
  if (!to) return NoCell(written.to);
  if (const std::string why = WhyNotFrom(position, written); !why.empty()) return why;
  const std::string seat = Position::kInfo.seat_name(position.to_move());
  const CellSet own = position.owned_by(position.to_move());
  if ((own & CellBit(*to)) != 0) return written.to + " holds one of " + seat + "'s pieces";
  std::vector<Cell> meant;
  AnyOf(own, [&](Cell from) {
    if (IsFrom(position, from, written)) meant.push_back(from);
    return false;
  });
  for (const Cell from : meant) {
    if (meant.size() == 1 || WhyNotReached(position, from, *to).empty()) {
      return WhyPieceStays(position, from, *to);
    }
  }
  // This is the short form, which always names the type of the piece.
  const bool is_narrowed = written.file || written.rank || !written.level.empty();
  return absl::StrFormat("no %s%s of %s's reaches %s", is_narrowed ? "such " : "",
                         std::string(kPieceNames[static_cast<size_t>(*written.type)]), seat,
                         written.to);
}

std::string WhyNoBoard(const Position& position, const WrittenBoardMove& written) {
  const Layout& layout = position.layout();
  const std::optional<Pin> from = Pin::Parse(written.from);
  if (from && !layout.is_taken(*from)) return "no board stands on " + written.from;
  const Pin to = *Pin::Parse(written.to);
  if (layout.is_taken(to)) {
    return written.to + " is taken by " + std::string(AttackBoardName(layout.BoardOn(to)));
  }
  std::string why;
  for (int board = 0; board < kAttackBoards; ++board) {
    if (!IsBoardMeant(position, board, written)) continue;
    // Without a start, mention only the boards near the target pin.
    if (written.from.empty() && !IsBeside(layout.pins[static_cast<size_t>(board)], to)) continue;
    why += (why.empty() ? "" : "; ") + WhyBoardStays(position, board, to);
  }
  return why.empty() ? "no board stands next to " + written.to : why;
}

// Explains why castling is illegal (§6).
std::string WhyNoCastling(const Position& position, bool is_short) {
  const Seat seat = position.to_move();
  const bool has_right =
      is_short ? position.can_castle_short(seat) : position.can_castle_long(seat);
  if (!has_right) return is_short ? "the right to 0-0 is lost" : "the right to 0-0-0 is lost";
  if (position.move_number() == 1) return "castling is not allowed as the first move";
  if (position.in_check(seat)) return "the king is in check";
  const bool is_first = seat == Seat::kFirst;
  const std::string to = is_short ? (is_first ? "e0KL1" : "e9KL6") : (is_first ? "a0QL1" : "a9QL6");
  if (!is_short && position.piece_at(*FindCell(position.layout(), to))) return to + " is not empty";
  return "the king would be attacked on " + to;
}

}  // namespace triarch::tri_d
