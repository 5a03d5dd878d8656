#include "core/tri_d/position.h"

#include "core/base/check.h"
#include "core/tri_d/attacks.h"
#include "core/tri_d/hash.h"

namespace triarch::tri_d {
std::optional<Cell> Position::FreedPawn(Seat owner) const {
  const CellSet pawns = of_type(PieceType::kPawn) & owned_[owner];
  const CellSet freed = pawns & layout_.CellsOf(layout_.PromotionColumns(owner));
  if (freed == 0) return std::nullopt;
  return Cell::At(std::countr_zero(freed));
}

bool Position::MayAttackKingAt(Cell cell) const {
  const Seat owner = owned_[Seat::kFirst] & CellBit(cell) ? Seat::kFirst : Seat::kSecond;
  const Column from = layout_.ColumnOf(cell);
  const ColumnSet occupied = layout_.ColumnsOf(this->occupied()).any;
  const ColumnSet attacked = RookAttacks(from, occupied) | BishopAttacks(from, occupied) |
                             kAttacks.knight[static_cast<size_t>(from)];
  return (attacked & ColumnBit(layout_.ColumnOf(KingOf(Other(owner))))) != 0;
}

// The sets of types give the bits of the type's number.
PieceType Position::TypeAt(Cell cell) const {
  const CellSet kings = of_type(PieceType::kKing);
  const CellSet rooks = of_type(PieceType::kRook);
  const auto bit = [&](CellSet set) { return static_cast<unsigned>(set >> cell.index() & 1); };
  return static_cast<PieceType>(bit(of_type(PieceType::kKnight) | rooks | kings) |
                                bit(of_type(PieceType::kBishop) | rooks) << 1 |
                                bit(of_type(PieceType::kQueen) | kings) << 2);
}

Cell Position::KingOf(Seat seat) const {
  return Cell::At(std::countr_zero(of_type(PieceType::kKing) & owned_[seat]));
}

std::optional<Piece> Position::piece_at(Cell cell) const {
  if ((occupied() & CellBit(cell)) == 0) return std::nullopt;
  return Piece{TypeAt(cell),
               (owned_[Seat::kFirst] & CellBit(cell)) != 0 ? Seat::kFirst : Seat::kSecond};
}

std::optional<Cell> Position::en_passant() const {
  if (en_passant_ < 0) return std::nullopt;
  return Cell::At(en_passant_);
}

std::optional<Cell> Position::pending() const {
  if (pending_ < 0) return std::nullopt;
  return Cell::At(pending_);
}

void Position::Put(Cell cell, Piece piece) {
  typed_[static_cast<size_t>(piece.type)] ^= CellBit(cell);
  owned_[piece.owner] ^= CellBit(cell);
  hash_ ^= PieceHash(piece, HashCell(layout_, cell));
}

// Removes and returns the piece on the cell. Requires: the cell is occupied.
Piece Position::Take(Cell cell) {
  const Piece piece = *piece_at(cell);
  Put(cell, piece);  // the exclusive or removes it
  return piece;
}

void Position::SetRights(unsigned rights) {
  hash_ ^= kHash.rights[rights_] ^ kHash.rights[rights];
  rights_ = static_cast<uint8_t>(rights);
}

void Position::SetToMove(Seat seat) {
  hash_ ^= kHash.to_move[Index(to_move_)] ^ kHash.to_move[Index(seat)];
  to_move_ = seat;
}

void Position::SetDoubleSteppers(CellSet pawns) {
  AnyOf(double_steppers_ ^ pawns, [&](Cell cell) {
    hash_ ^= kHash.double_stepper[HashCell(layout_, cell)];
    return false;
  });
  double_steppers_ = pawns;
}

// Drops the castling rights of kings and home rooks on the cells (§6). A right exists only while
// king and rook are at home, so any king in `cells` loses all its rights.
void Position::DropRightsAt(CellSet cells) {
  if (rights_ == 0) return;
  unsigned rights = rights_;
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    const CellSet own = owned_[seat];
    if ((cells & own & of_type(PieceType::kKing)) != 0) {
      rights &= ~(RightBit(seat, true) | RightBit(seat, false));
    }
    const CellSet rooks = cells & own & of_type(PieceType::kRook);
    if (rooks == 0) continue;
    const bool is_first = seat == Seat::kFirst;
    for (const bool is_short : {true, false}) {
      if ((rights & RightBit(seat, is_short)) == 0) continue;
      const Column home = is_first ? (is_short ? ColumnAt(5, 0) : ColumnAt(0, 0))
                                   : (is_short ? ColumnAt(5, 9) : ColumnAt(0, 9));
      if ((rooks & layout_.CellsOf(ColumnBit(home))) != 0) rights &= ~RightBit(seat, is_short);
    }
  }
  if (rights != rights_) SetRights(rights);
}

void Position::Apply(Move move) {
  const int pushed = en_passant_;
  en_passant_ = -1;
  pending_ = -1;
  switch (move.kind()) {
    case MoveKind::kNormal:
    case MoveKind::kDoubleStep:
      MovePiece(move);
      break;
    case MoveKind::kEnPassant:
      Take(Cell::At(pushed));
      MovePiece(move);
      break;
    case MoveKind::kCastleShort:
    case MoveKind::kCastleLong:
      CastleWith(move);
      break;
    case MoveKind::kBoard:
      MoveBoard(move);
      break;
    case MoveKind::kFreed:
      Take(move.to());
      Put(move.to(), {move.promotion(), to_move_});
      halfmove_clock_ = 0;
      break;
  }
}

void Position::MovePiece(Move move) {
  const CellSet from = CellBit(move.from());
  const CellSet to = CellBit(move.to());
  DropRightsAt(from | to);
  if ((double_steppers_ & (from | to)) != 0) SetDoubleSteppers(double_steppers_ & ~(from | to));
  Piece piece{TypeAt(move.from()), to_move_};
  Put(move.from(), piece);
  if ((occupied() & to) != 0) {
    Take(move.to());
    halfmove_clock_ = 0;
  }
  if (piece.type == PieceType::kPawn) {
    halfmove_clock_ = 0;
    piece.type = move.promotion();
  }
  Put(move.to(), piece);
  if (move.kind() == MoveKind::kDoubleStep) en_passant_ = static_cast<int8_t>(move.to().index());
}

// Castles; the move has the king's cells. Short: king and rook exchange places. Long: the rook goes
// to the cell that the king leaves.
void Position::CastleWith(Move move) {
  DropRightsAt(CellBit(move.from()));
  const Piece king = Take(move.from());
  if (move.kind() == MoveKind::kCastleShort) {
    const Piece rook = Take(move.to());
    Put(move.from(), rook);
  } else {
    const Column corner = to_move_ == Seat::kFirst ? ColumnAt(0, 0) : ColumnAt(0, 9);
    const CellSet rook_cell = layout_.CellsOf(ColumnBit(corner));
    Put(move.from(), Take(Cell::At(std::countr_zero(rook_cell))));
  }
  Put(move.to(), king);
}

// Moves an attack board. The passenger keeps its place on the board (§5).
void Position::MoveBoard(Move move) {
  const int board = move.board();
  const CellSet on_board = occupied() & CellsOfAttackBoard(board);
  DropRightsAt(on_board);
  if ((double_steppers_ & on_board) != 0) SetDoubleSteppers(double_steppers_ & ~on_board);
  std::optional<Piece> passenger;
  const Cell place = Cell::At(std::countr_zero(on_board));
  if (on_board != 0) passenger = Take(place);
  Pin& pin = layout_.pins[static_cast<size_t>(board)];
  const auto& hash = kHash.pin[ColorOfBoard(board)];
  hash_ ^= hash[static_cast<size_t>(pin.index())] ^ hash[static_cast<size_t>(move.pin().index())];
  pin = move.pin();
  if (passenger) Put(place, *passenger);
  if (move.promotion() == PieceType::kPawn) return;
  const std::optional<Cell> pawn = FreedPawn(to_move_);
  Take(*pawn);
  Put(*pawn, {move.promotion(), to_move_});
  halfmove_clock_ = 0;
}

void Position::Resign(Seat seat) {
  DCHECK(is_in(seat) && !is_over());
  is_out_[seat] = true;
}

bool Position::is_material_insufficient() const { return occupied() == of_type(PieceType::kKing); }

SeatStatus StatusOf(const Position& position, Seat seat) {
  if (!position.is_in(seat)) {
    const bool is_mate = position.ending_if_out(seat) == Termination::kCheckmate;
    return is_mate ? SeatStatus::kCheckmate : SeatStatus::kOut;
  }
  const std::optional<Outcome> outcome = position.outcome();
  const bool is_stalemate = outcome && outcome->termination == Termination::kStalemate;
  if (is_stalemate && seat == position.to_move()) return SeatStatus::kStalemate;
  return position.in_check(seat) ? SeatStatus::kCheck : SeatStatus::kActive;
}

std::optional<Outcome> Position::outcome() const {
  if (!is_over()) return std::nullopt;
  Outcome outcome;
  outcome.termination = is_stalemate_ ? Termination::kStalemate
                        : is_mate_    ? Termination::kCheckmate
                                      : Termination::kResignation;
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    outcome.place[seat] = is_in(seat) ? uint8_t{1} : uint8_t{2};
  }
  return outcome;
}

std::optional<Termination> Position::clock_draw() const {
  if (halfmove_clock_ < 100) return std::nullopt;
  return Termination::kFiftyMoves;
}

// Computes hash_ from scratch, for a position that is built piece by piece.
uint64_t Position::HashOfBoards() const {
  uint64_t hash = kHash.to_move[Index(to_move_)] ^ kHash.rights[rights_];
  AnyOf(occupied(), [&](Cell cell) {
    hash ^= PieceHash(*piece_at(cell), HashCell(layout_, cell));
    return false;
  });
  AnyOf(double_steppers_, [&](Cell cell) {
    hash ^= kHash.double_stepper[HashCell(layout_, cell)];
    return false;
  });
  for (int board = 0; board < kAttackBoards; ++board) {
    const Pin pin = layout_.pins[static_cast<size_t>(board)];
    hash ^= kHash.pin[ColorOfBoard(board)][static_cast<size_t>(pin.index())];
  }
  return hash;
}

}  // namespace triarch::tri_d
