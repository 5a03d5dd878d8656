#include "core/three_way/position.h"

#include "core/base/check.h"
#include "core/three_way/attacks.h"
#include "core/three_way/hash.h"

namespace triarch::three_way {

// Returns the castling rights that are lost when a piece leaves or enters the cell: those of the
// rook whose home it is.
unsigned Position::RightsOfCorner(Cell cell) {
  if (cell.row() != 0 || (cell.column() != 0 && cell.column() != kColumns - 1)) return 0;
  return RightBit(cell.third(), cell.column());
}

PieceType Position::TypeAt(Cell cell) const {
  size_t type = 0;
  for (size_t i = 1; i < kPieceTypes; ++i) type += typed_[i].contains(cell) ? i : 0;
  return static_cast<PieceType>(type);
}

Seat Position::OwnerAt(Cell cell) const {
  return SeatAt((owned_[Seat::kSecond].contains(cell) ? 1u : 0u) +
                (owned_[Seat::kThird].contains(cell) ? 2u : 0u));
}

Cell Position::KingOf(Seat seat) const {
  return (typed_[static_cast<size_t>(PieceType::kKing)] & owned_[seat]).first();
}

std::optional<Piece> Position::piece_at(Cell cell) const {
  if (!occupied().contains(cell)) return std::nullopt;
  return Piece{TypeAt(cell), OwnerAt(cell)};
}

void Position::Put(Cell cell, Piece piece) {
  const CellSet set = CellSet::Of(cell);
  typed_[static_cast<size_t>(piece.type)] ^= set;
  owned_[piece.owner] ^= set;
  hash_ ^= PieceHash(piece, cell);
}

// Removes and returns the piece on the cell. Requires: the cell is occupied.
Piece Position::Take(Cell cell) {
  const Piece piece{TypeAt(cell), OwnerAt(cell)};
  Put(cell, piece);  // the exclusive or removes it
  return piece;
}

// Moves the piece. Requires: `to` is empty.
void Position::Shift(Cell from, Cell to, Piece piece) {
  const CellSet both = CellSet::Of(from) | CellSet::Of(to);
  typed_[static_cast<size_t>(piece.type)] ^= both;
  owned_[piece.owner] ^= both;
  hash_ ^= PieceHash(piece, from) ^ PieceHash(piece, to);
}

void Position::SetToMove(Seat seat) {
  hash_ ^= kHash.to_move[Index(to_move_)] ^ kHash.to_move[Index(seat)];
  to_move_ = seat;
}

void Position::SetRights(unsigned rights) {
  hash_ ^= kHash.rights[rights_] ^ kHash.rights[rights];
  rights_ = static_cast<uint8_t>(rights);
}

// Sets the seat's en passant cell; `cell` is an index, or -1 for none.
void Position::SetEnPassant(Seat seat, int cell) {
  int8_t& current = en_passant_[seat];
  if (current >= 0) hash_ ^= kHash.en_passant[static_cast<size_t>(current)];
  current = static_cast<int8_t>(cell);
  if (cell >= 0) hash_ ^= kHash.en_passant[static_cast<size_t>(cell)];
}

std::optional<Cell> Position::en_passant(Seat seat) const {
  if (en_passant_[seat] < 0) return std::nullopt;
  return Cell::At(en_passant_[seat]);
}

void Position::MovePiece(Move move) {
  const Cell from = move.from();
  const Cell to = move.to();
  const Piece piece{TypeAt(from), to_move_};
  std::optional<Piece> captured;
  if (occupied().contains(to)) {
    captured = Take(to);
    halfmove_clock_ = 0;
  }
  unsigned lost = 0;
  if (piece.type == PieceType::kPawn) {
    MovePawn(move, piece);
  } else {
    Shift(from, to, piece);
    if (piece.type == PieceType::kKing) {
      lost = RightBit(to_move_, 0) | RightBit(to_move_, kColumns - 1);
      if (move.kind() == MoveKind::kCastling) Castle(move);
    }
  }
  if (rights_ != 0) {
    lost |= RightsOfCorner(from) | RightsOfCorner(to);
    if ((rights_ & lost) != 0) SetRights(rights_ & ~lost);
  }
  if (captured && captured->type == PieceType::kKing) {
    Eliminate(captured->owner, Termination::kKingCapture);
  }
}

// Moves the pawn to its target cell, from which a captured piece has already been removed.
void Position::MovePawn(Move move, Piece pawn) {
  const Cell from = move.from();
  halfmove_clock_ = 0;
  if (move.kind() == MoveKind::kEnPassant) {
    Take(Cell::At(kAttacks.pawn_step[pawn.owner][At(from)]));
  } else if (move.kind() == MoveKind::kDoublePush) {
    SetEnPassant(pawn.owner, kAttacks.pawn_step[pawn.owner][At(from)]);
  }
  if (move.promotion() == PieceType::kPawn) {
    Shift(from, move.to(), pawn);
  } else {
    Put(from, pawn);  // the exclusive or removes it
    Put(move.to(), {move.promotion(), pawn.owner});
  }
}

// Moves the rook from its corner to the cell that the king crossed.
void Position::Castle(Move move) {
  const int side = move.to().column() > move.from().column() ? 1 : -1;
  Shift(Cell::At(to_move_, side == 1 ? kColumns - 1 : 0, 0),
        Cell::At(to_move_, move.from().column() + side, 0), {PieceType::kRook, to_move_});
}

// Returns the next survivor in turn order, which is `seat` itself if no other survives.
Seat Position::NextIn(Seat seat) const {
  Seat next = Next(seat);
  while (!is_in(next)) next = Next(next);
  return next;
}

// Passes the turn to the next survivor. The move number increases when the turn passes White's
// place, whether or not White is still in (§5.4).
void Position::AdvanceTurn() {
  const Seat next = NextIn(to_move_);
  if (next <= to_move_) CountUp(move_number_);
  SetToMove(next);
}

// Eliminates a seat: removes its pieces, castling rights and en passant cell (§5.2, §5.3).
void Position::Eliminate(Seat victim, Termination ending) {
  for (const Cell cell : owned_[victim]) Take(cell);
  SetEnPassant(victim, -1);
  SetRights(rights_ & ~(RightBit(victim, 0) | RightBit(victim, kColumns - 1)));
  out_order_[victim] = static_cast<uint8_t>(4 - survivor_count());
  endings_[victim] = ending;
}

bool Position::is_material_insufficient() const {
  const CellSet heavy =
      of_type(PieceType::kPawn) | of_type(PieceType::kRook) | of_type(PieceType::kQueen);
  if (!heavy.empty()) return false;
  if (survivor_count() == 3) return true;
  // Two knights or three bishops can win against a bare king.
  for (const CellSet own : owned_) {
    if ((own & of_type(PieceType::kKnight)).size() >= 2) return false;
    if ((own & of_type(PieceType::kBishop)).size() >= 3) return false;
  }
  return true;
}

std::optional<Outcome> Position::outcome() const {
  if (!is_over()) return std::nullopt;
  Outcome outcome;
  for (size_t i = 0; i < kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    outcome.place[seat] = is_in(seat) ? uint8_t{1} : place_if_out(seat);
    // If only one player is left, the game ended the way the last eliminated player went out.
    if (!is_in(seat) && outcome.place[seat] == 2) outcome.termination = endings_[seat];
  }
  if (survivor_count() > 1) {
    outcome.termination = is_stalemate_ ? Termination::kStalemate : Termination::kClockLimit;
  }
  return outcome;
}

uint8_t Position::place_if_out(Seat seat) const {
  size_t place = survivor_count() + 1;
  for (const uint8_t order : out_order_) place += order > out_order_[seat] ? 1u : 0u;
  return static_cast<uint8_t>(place);
}

// Computes hash_ from scratch, for a position that is built piece by piece.
uint64_t Position::HashOfBoard() const {
  uint64_t hash = kHash.to_move[Index(to_move_)] ^ kHash.rights[rights_];
  for (const Cell cell : occupied()) hash ^= PieceHash(*piece_at(cell), cell);
  for (const int8_t cell : en_passant_) {
    hash ^= cell >= 0 ? kHash.en_passant[static_cast<size_t>(cell)] : 0;
  }
  return hash;
}

}  // namespace triarch::three_way
