// The evaluation of positions and captures for bots (docs/rules/tri-d.md, "Piece values").

#include "core/tri_d/evaluate.h"

#include <algorithm>
#include <array>

#include "core/tri_d/attackers.h"
#include "core/tri_d/attacks.h"

namespace triarch::tri_d {
namespace {

// By PieceType, in hundredths of a pawn, rounded from the values that bots/fit_piece_values.py
// measured in self-play (docs/rules/tri-d.md). The king's value means "never trade it for
// anything".
constexpr std::array<int, kPieceTypes> kValue = {100, 325, 350, 450, 950, 10'000};
// Bonus of a pawn by its ranks left to promotion. A freed pawn (§4) has none left.
constexpr std::array<int, 4> kPawnBonus = {200, 200, 70, 30};

// Bonus for each cell that a piece reaches, and for each such cell next to the enemy king.
constexpr std::array<int, kPieceTypes> kMobility = {0, 4, 4, 2, 1, 0};
constexpr std::array<int, kPieceTypes> kKingAttack = {0, 8, 7, 8, 10, 0};
constexpr int kShield = 6;             // per friendly piece next to the king
constexpr int kDangerSquareUnit = 80;  // attacks on a king add up faster than linearly

ColumnSet Reach(PieceType type, Column column, ColumnSet occupied) {
  switch (type) {
    case PieceType::kKnight:
      return kAttacks.knight[At(column)];
    case PieceType::kBishop:
      return BishopAttacks(column, occupied);
    case PieceType::kRook:
      return RookAttacks(column, occupied);
    case PieceType::kQueen:
      return RookAttacks(column, occupied) | BishopAttacks(column, occupied);
    default:
      return kAttacks.king[At(column)];
  }
}

// The value of a pawn in a column. On files a and d, it depends on whether a board stands on the
// corner pin (§4).
struct PawnWorth {
  int16_t without_board = 0;
  int16_t with_board = 0;
  int8_t corner = -1;  // index of that pin; -1 if it makes no difference
};

constexpr int16_t PawnWorthWith(int ranks_left) {
  const size_t left = static_cast<size_t>(ranks_left);
  return static_cast<int16_t>(kValue[0] + (left < kPawnBonus.size() ? kPawnBonus[left] : 0));
}

constexpr auto kPawnWorth = [] {
  std::array<std::array<PawnWorth, kColumns>, 2> table{};
  for (Column column = 0; column < kColumns; ++column) {
    const int file = FileOf(column);
    const bool is_corner = file == 1 || file == 4;
    const int last = file == 2 || file == 3 || is_corner ? 8 : 9;
    const int last_with_board = is_corner ? 9 : last;
    for (const bool is_first : {true, false}) {
      const int rank = is_first ? RankOf(column) : 9 - RankOf(column);
      PawnWorth& worth = table[is_first ? 0 : 1][static_cast<size_t>(column)];
      worth.without_board = PawnWorthWith(last - rank);
      worth.with_board = PawnWorthWith(last_with_board - rank);
      if (worth.with_board == worth.without_board) continue;
      worth.corner = static_cast<int8_t>(Pin::At(file == 4, is_first ? 6 : 1).index());
    }
  }
  return table;
}();

int PawnValue(const Layout& layout, Seat owner, Column column) {
  const PawnWorth& worth = kPawnWorth[Index(owner)][At(column)];
  const bool has_board = worth.corner >= 0 && layout.is_taken(Pin::At(worth.corner));
  return has_board ? worth.with_board : worth.without_board;
}

// Returns the value of the least valuable attacker of the column among `side`, given the occupied
// cells, or 0 if there is no attacker.
int LeastAttacker(const Position& position, CellSet side, CellSet occupied, Column column) {
  side &= occupied;
  const Layout& layout = position.layout();
  const size_t at = At(column);
  const auto of = [&](PieceType type) { return side & position.of_type(type); };
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    const CellSet pawns = of(PieceType::kPawn) & position.owned_by(seat);
    if ((pawns & layout.CellsOf(kAttacks.pawn_capturers[Index(seat)][at])) != 0) return kValue[0];
  }
  if ((of(PieceType::kKnight) & layout.CellsOf(kAttacks.knight[at])) != 0) return kValue[1];
  const ColumnSet columns = layout.ColumnsOf(occupied).any;
  const CellSet diagonal = layout.CellsOf(BishopAttacks(column, columns));
  const CellSet straight = layout.CellsOf(RookAttacks(column, columns));
  if ((of(PieceType::kBishop) & diagonal) != 0) return kValue[2];
  if ((of(PieceType::kRook) & straight) != 0) return kValue[3];
  if ((of(PieceType::kQueen) & (straight | diagonal)) != 0) return kValue[4];
  return (of(PieceType::kKing) & layout.CellsOf(kAttacks.king[at])) != 0 ? kValue[5] : 0;
}

// Returns the loss if `others` capture a piece of that value in the column, given the occupied
// cells: 0 if this gains them nothing. Considers a recapture by `own`.
int LossAt(const Position& position, Column column, int value, CellSet others, CellSet own,
           CellSet occupied) {
  const int taker = LeastAttacker(position, others, occupied, column);
  if (taker == 0) return 0;
  const bool is_defended = LeastAttacker(position, own, occupied, column) != 0;
  return std::max(0, value - (is_defended ? taker : 0));
}

// Returns the gain of a board move by the promotion of a pawn that it carries or leaves behind.
int GainOfBoard(const Position& position, Move move) {
  const Seat mover = position.to_move();
  Position next = position;
  next.Play(move);
  const CellSet promoted = position.of_type(PieceType::kPawn) & ~next.of_type(PieceType::kPawn);
  const Cell cell = Cell::At(std::countr_zero(promoted));
  const int value = kValue[static_cast<size_t>(move.promotion())];
  const int pawn = PawnValue(position.layout(), mover, position.layout().ColumnOf(cell));
  return value - pawn -
         LossAt(next, next.layout().ColumnOf(cell), value, next.owned_by(Other(mover)),
                next.owned_by(mover) & ~promoted, next.occupied());
}

}  // namespace

PerSeat<int> Evaluate(const Position& position) {
  PerSeat<int> sum;
  PerSeat<int> danger;
  const ColumnSet columns = position.layout().ColumnsOf(position.occupied()).any;
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    const Seat other = Other(seat);
    const CellSet own = position.owned_by(seat);
    const CellSet zone = position.layout().CellsOf(
        kAttacks.king[At(position.layout().ColumnOf(position.KingOf(other)))]);
    AnyOf(own, [&](Cell cell) {
      const PieceType type = position.TypeAt(cell);
      const Column column = position.layout().ColumnOf(cell);
      if (type == PieceType::kPawn) {
        sum[seat] += PawnValue(position.layout(), seat, column);
        return false;
      }
      const CellSet reach = position.layout().CellsOf(Reach(type, column, columns));
      const size_t t = static_cast<size_t>(type);
      if (type == PieceType::kKing) {
        sum[seat] += kShield * std::popcount(reach & own);
        return false;
      }
      sum[seat] += kValue[t] + kMobility[t] * std::popcount(reach & ~own);
      danger[other] += kKingAttack[t] * std::popcount(reach & zone);
      return false;
    });
  }
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    sum[seat] -= danger[seat] + danger[seat] * danger[seat] / kDangerSquareUnit;
    if (!position.is_in(seat)) sum[seat] = 0;
  }
  return sum;
}

std::optional<Seat> VictimOf(const Position& position, Move move) {
  const bool is_piece_move =
      move.kind() == MoveKind::kNormal || move.kind() == MoveKind::kDoubleStep;
  const bool is_capture = move.kind() == MoveKind::kEnPassant ||
                          (is_piece_move && (position.occupied() & CellBit(move.to())) != 0);
  return is_capture ? std::optional(Other(position.to_move())) : std::nullopt;
}

int GainOfCapture(const Position& position, Move move) {
  const bool is_promotion = move.promotion() != PieceType::kPawn;
  if (move.kind() == MoveKind::kBoard) return GainOfBoard(position, move);
  if (move.kind() == MoveKind::kFreed) {  // its player also moves next, so no recapture
    return kValue[static_cast<size_t>(move.promotion())] -
           PawnValue(position.layout(), position.to_move(), position.layout().ColumnOf(move.to()));
  }
  if (move.kind() == MoveKind::kCastleShort || move.kind() == MoveKind::kCastleLong) return 0;
  const bool is_capture = (position.occupied() & CellBit(move.to())) != 0;

  const Seat other = Other(position.to_move());
  const Column from = position.layout().ColumnOf(move.from());
  const Column to = position.layout().ColumnOf(move.to());
  int gain = move.kind() == MoveKind::kEnPassant ? kValue[0] : 0;
  if (is_capture) {
    const PieceType victim = position.TypeAt(move.to());
    gain += victim == PieceType::kPawn ? PawnValue(position.layout(), other, to)
                                       : kValue[static_cast<size_t>(victim)];
  }
  const PieceType mover = is_promotion ? move.promotion() : position.TypeAt(move.from());
  const int value = kValue[static_cast<size_t>(mover)];
  if (is_promotion) gain += value - PawnValue(position.layout(), position.to_move(), from);

  const CellSet left = (position.occupied() ^ CellBit(move.from())) | CellBit(move.to());
  const CellSet others = position.owned_by(other) & ~CellBit(move.to());
  return gain - LossAt(position, to, value, others,
                       position.owned_by(position.to_move()) & ~CellBit(move.from()), left);
}

CellNumbers CellsOwnedBy(const Position& position, Seat seat) {
  return {position.owned_by(seat), 0};
}

CellNumbers AttackersOf(const Position& position, CellNumber cell, CellNumbers cells) {
  const Layout& layout = position.layout();
  const Column column = layout.ColumnOf(Cell::At(cell.index()));
  const size_t at = At(column);
  const ColumnSet columns = layout.ColumnsOf(cells.low).any;
  const auto of = [&](PieceType type) { return position.of_type(type) & cells.low; };
  const auto from = [&](ColumnSet set) { return layout.CellsOf(set); };
  const CellSet queens = of(PieceType::kQueen);
  CellSet found = (from(kAttacks.knight[at]) & of(PieceType::kKnight)) |
                  (from(kAttacks.king[at]) & of(PieceType::kKing)) |
                  (from(RookAttacks(column, columns)) & (of(PieceType::kRook) | queens)) |
                  (from(BishopAttacks(column, columns)) & (of(PieceType::kBishop) | queens));
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    found |= from(kAttacks.pawn_capturers[Index(seat)][at]) & of(PieceType::kPawn) &
             position.owned_by(seat);
  }
  return {found, 0};
}

int PieceValue(const Position& position, CellNumber cell) {
  const Cell at = Cell::At(cell.index());
  const Piece piece = *position.piece_at(at);
  return piece.type == PieceType::kPawn
             ? PawnValue(position.layout(), piece.owner, position.layout().ColumnOf(at))
             : kValue[static_cast<size_t>(piece.type)];
}

}  // namespace triarch::tri_d
