#include "core/triumvirate/position.h"

#include "core/base/check.h"
#include "core/triumvirate/attacks.h"
#include "core/triumvirate/hash.h"
#include "core/triumvirate/movegen.h"

namespace triarch::triumvirate {
namespace {

constexpr unsigned RightBit(Seat seat, int corner) {
  return 1u << (2 * Index(seat) + (corner == 0 ? 0 : 1));
}

// Returns the castling rights that are lost when a piece leaves or enters the cell: those of the
// rook whose home it is.
constexpr unsigned RightsOfCorner(Cell cell) {
  if (cell.row() != 0 || (cell.column() != 0 && cell.column() != kColumns - 1)) return 0;
  return RightBit(cell.sector(), cell.column());
}

constexpr Seat Next(Seat seat) { return SeatAt((Index(seat) + 1) % 3); }

}  // namespace

PieceType Position::TypeAt(Cell cell) const {
  size_t type = 0;
  for (size_t i = 1; i < kPieceTypes; ++i) type += typed_[i].contains(cell) ? i : 0;
  return static_cast<PieceType>(type);
}

Seat Position::ColorAt(Cell cell) const {
  return SeatAt((colored_[Seat::kSecond].contains(cell) ? 1u : 0u) +
                (colored_[Seat::kThird].contains(cell) ? 2u : 0u));
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
  return Piece{TypeAt(cell), ColorAt(cell), OwnerAt(cell)};
}

void Position::Put(Cell cell, Piece piece, bool is_homeward) {
  const CellSet set = CellSet::Of(cell);
  typed_[static_cast<size_t>(piece.type)] ^= set;
  owned_[piece.owner] ^= set;
  colored_[piece.color] ^= set;
  hash_ ^= PieceHash(piece, cell);
  if (is_homeward) FlipHomeward(cell);
}

// Moves the piece, but not its mark as a homeward pawn. Requires: `to` is empty.
[[gnu::always_inline]] inline void Position::Shift(Cell from, Cell to, Piece piece) {
  const CellSet both = CellSet::Of(from) | CellSet::Of(to);
  typed_[static_cast<size_t>(piece.type)] ^= both;
  owned_[piece.owner] ^= both;
  colored_[piece.color] ^= both;
  hash_ ^= PieceHash(piece, from) ^ PieceHash(piece, to);
}

void Position::FlipHomeward(Cell cell) {
  homeward_ ^= CellSet::Of(cell);
  hash_ ^= kHash.homeward[At(cell)];
}

// Removes and returns the piece on the cell. Requires: the cell is occupied.
Piece Position::Take(Cell cell) {
  const Piece piece{TypeAt(cell), ColorAt(cell), OwnerAt(cell)};
  Put(cell, piece, homeward_.contains(cell));  // the exclusive or removes it
  return piece;
}

void Position::SetToMove(Seat seat) {
  hash_ ^= kHash.to_move[Index(to_move_)] ^ kHash.to_move[Index(seat)];
  to_move_ = seat;
}

void Position::SetRights(uint8_t rights) {
  hash_ ^= kHash.rights[rights_] ^ kHash.rights[rights];
  rights_ = rights;
}

// Stuck pawns move towards their new owner's base row. Other pawns move away from their owner's
// sector if the bridge touches it, and otherwise towards the end of the bridge opposite their cell.
Seat Position::FormulaTarget(Seat color, Seat owner, Cell cell) {
  const bool has_own_end = cell.is_on_bridge_of(owner);
  if (!has_own_end) return cell.bridge_neighbor();
  if (color != owner && cell.is_on_bridge_of(color)) return owner;
  return cell.sector() == owner ? cell.bridge_neighbor() : cell.sector();
}

Seat Position::pawn_target(Cell cell) const {
  return homeward_.contains(cell) ? cell.sector() : cell.bridge_neighbor();
}

bool Position::has_kept_target(Cell cell) const {
  return of_type(PieceType::kPawn).contains(cell) &&
         pawn_target(cell) != FormulaTarget(ColorAt(cell), OwnerAt(cell), cell);
}

bool Position::is_stuck(Cell cell) const {
  if (!of_type(PieceType::kPawn).contains(cell)) return false;
  const Seat color = ColorAt(cell);
  const Seat owner = OwnerAt(cell);
  return color != owner && cell.is_on_bridge_of(color) && cell.is_on_bridge_of(owner);
}

std::optional<Cell> Position::en_passant() const {
  if (en_passant_ < 0) return std::nullopt;
  return Cell::At(en_passant_);
}

// Short is the side with two cells between king and rook: the rook of local column 7 if the king is
// on column 4, the rook of column 0 if the king is on column 3 (Black's I8).
bool Position::can_castle_short(Seat seat) const {
  return (rights_ & RightBit(seat, KingOf(seat).column() == 4 ? kColumns - 1 : 0)) != 0 &&
         is_in(seat);
}
bool Position::can_castle_long(Seat seat) const {
  return (rights_ & RightBit(seat, KingOf(seat).column() == 4 ? 0 : kColumns - 1)) != 0 &&
         is_in(seat);
}

char Position::status(Seat seat) const {
  if (!is_in(seat)) return out_by_mate_[seat] ? 'm' : 'x';
  if (in_check(seat)) return 'c';
  return has_legal_move(seat) ? 'a' : 's';
}

void Position::MovePiece(Move move) {
  const Cell from = move.from();
  const Cell to = move.to();
  const Piece piece{TypeAt(from), ColorAt(from), to_move_};
  const bool is_capture = occupied().contains(to);
  if (is_capture) {
    Take(to);
    halfmove_clock_ = 0;
  }
  unsigned lost = 0;
  if (piece.type == PieceType::kPawn) {
    MovePawn(move, piece, is_capture);
  } else {
    Shift(from, to, piece);
    if (piece.type == PieceType::kKing) {
      lost = RightBit(to_move_, 0) | RightBit(to_move_, kColumns - 1);
      if (move.kind() == MoveKind::kCastling) Castle(move);
    }
  }
  if (rights_ == 0) return;
  lost |= RightsOfCorner(from) | RightsOfCorner(to);
  if ((rights_ & lost) != 0) SetRights(static_cast<uint8_t>(rights_ & ~lost));
}

// Moves the pawn to its target cell, from which a captured piece has already been removed.
void Position::MovePawn(Move move, Piece piece, bool is_capture) {
  const Cell from = move.from();
  const Cell to = move.to();
  halfmove_clock_ = 0;
  const bool was_homeward = homeward_.contains(from);
  if (move.kind() == MoveKind::kPromotion) {
    Put(from, piece, was_homeward);  // the exclusive or removes it
    Put(to, {move.promotion(), piece.color, piece.owner}, false);
    return;
  }
  if (move.kind() == MoveKind::kEnPassant) {
    Take(Cell::At(to.sector(), to.column(), kRows - 1));
    is_capture = true;
  }
  // The target is kept unless a capture takes the pawn onto another bridge (Ruling 2).
  const Seat kept = was_homeward ? from.sector() : from.bridge_neighbor();
  const bool is_same_bridge =
      from.is_on_bridge_of(to.sector()) && from.is_on_bridge_of(to.bridge_neighbor());
  const Seat target =
      is_capture && !is_same_bridge ? FormulaTarget(piece.color, piece.owner, to) : kept;
  Shift(from, to, piece);
  if (was_homeward) FlipHomeward(from);
  if (target == to.sector()) FlipHomeward(to);
  if (move.kind() == MoveKind::kDoublePush) {
    en_passant_ = static_cast<int8_t>(Cell::At(to.sector(), to.column(), 2).index());
  }
}

// Moves the rook from its corner to the cell that the king crossed.
void Position::Castle(Move move) {
  const int side = move.to().column() > move.from().column() ? 1 : -1;
  const Cell home = Cell::At(to_move_, side == 1 ? kColumns - 1 : 0, 0);
  Shift(home, Cell::At(to_move_, move.from().column() + side, 0),
        {PieceType::kRook, ColorAt(home), to_move_});
}

// Returns the next survivor in turn order.
Seat Position::NextIn(Seat seat) const {
  Seat next = Next(seat);
  while (!is_in(next)) next = Next(next);
  return next;
}

// Passes the turn to the next survivor. The move number increases when the turn passes from Red's
// place to White's, whether or not these seats are still in (§6).
void Position::AdvanceTurn() {
  const Seat next = NextIn(to_move_);
  if (next <= to_move_) CountUp(move_number_);
  SetToMove(next);
}

// Eliminates a seat (§6.4): removes its king and transfers all its other pieces to the heir.
void Position::Eliminate(Seat victim, Seat heir, bool by_mate) {
  Take(KingOf(victim));
  for (const Cell cell : owned_[victim]) {
    Piece piece = Take(cell);
    piece.owner = heir;
    const bool is_pawn = piece.type == PieceType::kPawn;
    Put(cell, piece, is_pawn && FormulaTarget(piece.color, heir, cell) == cell.sector());
  }
  const unsigned lost = RightBit(victim, 0) | RightBit(victim, kColumns - 1);
  SetRights(static_cast<uint8_t>(rights_ & ~lost));
  out_order_[victim] = static_cast<uint8_t>(4 - survivor_count());
  out_by_mate_[victim] = by_mate;
  last_out_by_mate_ = by_mate;
  hash_ ^= kHash.out[Index(victim)];
}

// Returns whether there are too few knights and bishops to win if there is nothing else.
bool Position::HasFewMinors() const {
  const int minors = (of_type(PieceType::kKnight) | of_type(PieceType::kBishop)).size();
  return minors == 0 || (minors == 1 && survivor_count() == 2);
}

// Requires: the game is over.
Outcome Position::FinalOutcome() const {
  const size_t survivors = survivor_count();
  Outcome outcome;
  if (survivors == 1) {
    outcome.termination = last_out_by_mate_ ? Termination::kCheckmate : Termination::kResignation;
  } else if (is_material_insufficient()) {
    outcome.termination = Termination::kInsufficientMaterial;
  } else {
    outcome.termination = Termination::kStalemate;
  }
  for (size_t i = 0; i < kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    outcome.place[seat] = is_in(seat) ? uint8_t{1} : place_if_out(seat);
  }
  return outcome;
}

uint8_t Position::place_if_out(Seat seat) const {
  size_t place = survivor_count() + 1;
  for (const uint8_t order : out_order_) place += order > out_order_[seat] ? 1 : 0;
  return static_cast<uint8_t>(place);
}

uint64_t Position::KeyWithEnPassant() const {
  return HasUsableEnPassant() ? hash_ ^ kHash.en_passant[static_cast<size_t>(en_passant_)] : hash_;
}

// Computes hash_ from scratch, for a position that is built piece by piece.
uint64_t Position::HashOfBoard() const {
  uint64_t hash = kHash.to_move[Index(to_move_)] ^ kHash.rights[rights_];
  for (const Cell cell : occupied()) hash ^= PieceHash(*piece_at(cell), cell);
  for (const Cell cell : homeward_) hash ^= kHash.homeward[At(cell)];
  for (size_t i = 0; i < kInfo.seats; ++i) hash ^= is_in(SeatAt(i)) ? 0 : kHash.out[i];
  return hash;
}

}  // namespace triarch::triumvirate
