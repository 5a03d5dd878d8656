// The evaluation of positions and captures for bots (docs/rules/three-way.md, "Piece values").

#include "core/three_way/evaluate.h"

#include <algorithm>
#include <array>

#include "core/three_way/attackers.h"
#include "core/three_way/attacks.h"

namespace triarch::three_way {
namespace {

// By PieceType. fit_piece_values.py measured the ratios in self-play: they are the mean of three
// rounds, where each round after the first was played with the values from the previous one. On
// this scale, a whole army is worth about as much as in chess, as BeatChance() of the searchers
// expects. The king's value means "never trade it for anything".
constexpr std::array<int, kPieceTypes> kValue = {90, 270, 240, 530, 1000, 10'000};
// Bonus of a pawn by its steps left to promotion. The measured values have large errors, so these
// are smoothed to increase towards promotion.
constexpr std::array<int, 4> kPawnBonus = {0, 300, 140, 20};

// Bonus per cell that a piece reaches beyond the mean of its type, so kValue is the value of a
// piece with average mobility. A third of this bonus won fewer games.
constexpr std::array<int, kPieceTypes> kMobility = {0, 12, 12, 6, 3, 0};
constexpr std::array<int, kPieceTypes> kUsualReach = {0, 6, 8, 6, 19, 0};
// Bonus per reached cell next to an enemy king. Twice this bonus lost games.
constexpr std::array<int, kPieceTypes> kKingAttack = {0, 8, 7, 8, 10, 0};

constexpr int kShield = 6;             // per friendly piece next to the king
constexpr int kDangerSquareUnit = 80;  // attacks on a king add up faster than linearly

struct PawnTables {
  // The cells from which a pawn has 1 to 3 steps left, by that number.
  PerSeat<std::array<CellSet, 4>> steps_left;
};

PawnTables MakePawnTables() {
  PawnTables tables;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    for (int c = 0; c < kCells; ++c) {
      size_t steps = 0;
      for (int at = c; kAttacks.pawn_step[seat][static_cast<size_t>(at)] >= 0; ++steps) {
        at = kAttacks.pawn_step[seat][static_cast<size_t>(at)];
      }
      if (steps < 4) tables.steps_left[seat][steps] |= CellSet::Of(Cell::At(c));
    }
  }
  return tables;
}
const PawnTables kPawns = MakePawnTables();

template <PieceType kType>
CellSet Reach(Cell cell, CellSet occupied) {
  if constexpr (kType == PieceType::kKnight) return KnightAttacks(cell);
  if constexpr (kType == PieceType::kBishop) return BishopAttacks(cell, occupied);
  if constexpr (kType == PieceType::kRook) return RookAttacks(cell, occupied);
  if constexpr (kType == PieceType::kQueen) return QueenAttacks(cell, occupied);
  return KingAttacks(cell);
}

// Computes the value of a position for all seats, term by term.
class Evaluation {
 public:
  explicit Evaluation(const Position& position) : p_(position), occupied_(position.occupied()) {}

  PerSeat<int> Sum() {
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const Seat seat = SeatAt(i);
      const CellSet king = p_.owned_by(seat) & p_.of_type(PieceType::kKing);
      if (!king.empty()) zone_[seat] = KingAttacks(king.first());
    }
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const Seat seat = SeatAt(i);
      if (!p_.is_in(seat)) continue;
      AddPiecesOf<PieceType::kKnight>(seat);
      AddPiecesOf<PieceType::kBishop>(seat);
      AddPiecesOf<PieceType::kRook>(seat);
      AddPiecesOf<PieceType::kQueen>(seat);
      AddPawns(seat);
      sum_[seat] += kShield * (zone_[seat] & p_.owned_by(seat)).size();
    }
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const int danger = danger_[SeatAt(i)];
      sum_[SeatAt(i)] -= danger + danger * danger / kDangerSquareUnit;
      if (!p_.is_in(SeatAt(i))) sum_[SeatAt(i)] = 0;
    }
    return sum_;
  }

 private:
  // A template over the type, because searches spend most of their time here.
  template <PieceType kType>
  void AddPiecesOf(Seat seat) {
    constexpr size_t kT = static_cast<size_t>(kType);
    const CellSet own = p_.owned_by(seat);
    int mobility = 0;
    int next_attacks = 0;
    int last_attacks = 0;
    int count = 0;
    AnyOf(own & p_.of_type(kType), [&](Cell cell) {
      const CellSet reach = Reach<kType>(cell, occupied_);
      ++count;
      mobility += (reach & ~own).size();
      next_attacks += (reach & zone_[Next(seat)]).size();
      last_attacks += (reach & zone_[Previous(seat)]).size();
      return false;
    });
    sum_[seat] += kValue[kT] * count + kMobility[kT] * (mobility - kUsualReach[kT] * count);
    danger_[Next(seat)] += kKingAttack[kT] * next_attacks;
    danger_[Previous(seat)] += kKingAttack[kT] * last_attacks;
  }

  void AddPawns(Seat seat) {
    const CellSet pawns = p_.owned_by(seat) & p_.of_type(PieceType::kPawn);
    sum_[seat] += kValue[0] * pawns.size();
    for (size_t steps = 1; steps < kPawnBonus.size(); ++steps) {
      sum_[seat] += kPawnBonus[steps] * (pawns & kPawns.steps_left[seat][steps]).size();
    }
  }

  const Position& p_;
  const CellSet occupied_;
  PerSeat<CellSet> zone_;  // the cells next to the king
  PerSeat<int> danger_{};  // enemy attacks on these cells
  PerSeat<int> sum_{};
};

// Returns the value of the least valuable attacker of `cell` among `side`, given the occupied
// cells, or 0 if there is no attacker.
int LeastAttacker(const Position& position, CellSet side, CellSet occupied, Cell cell) {
  side &= occupied;
  const auto of = [&](PieceType type) { return side & position.of_type(type); };
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const CellSet pawns = of(PieceType::kPawn) & position.owned_by(SeatAt(i));
    if (!(pawns & kAttacks.pawn_capturers[SeatAt(i)][At(cell)]).empty()) return kValue[0];
  }
  if (!(of(PieceType::kKnight) & KnightAttacks(cell)).empty()) return kValue[1];
  const auto slides = [&](CellSet pieces) {
    return AnyOf(pieces, [&](Cell from) { return (Between(cell, from) & occupied).empty(); });
  };
  const CellSet straight = kAttacks.rook_lines[At(cell)];
  const CellSet diagonal = kAttacks.bishop_lines[At(cell)];
  if (slides(of(PieceType::kBishop) & diagonal)) return kValue[2];
  if (slides(of(PieceType::kRook) & straight)) return kValue[3];
  if (slides(of(PieceType::kQueen) & (straight | diagonal))) return kValue[4];
  return (of(PieceType::kKing) & KingAttacks(cell)).empty() ? 0 : kValue[5];
}

int PawnValue(Seat owner, Cell cell) {
  for (size_t steps = 1; steps < kPawnBonus.size(); ++steps) {
    if (kPawns.steps_left[owner][steps].contains(cell)) return kValue[0] + kPawnBonus[steps];
  }
  return kValue[0];
}

}  // namespace

PerSeat<int> Evaluate(const Position& position) { return Evaluation(position).Sum(); }

std::optional<Seat> VictimOf(const Position& position, Move move) {
  if (move.kind() == MoveKind::kCastling) return std::nullopt;
  const Cell cell = move.kind() == MoveKind::kEnPassant
                        ? Cell::At(kAttacks.pawn_step[position.to_move()][At(move.from())])
                        : move.to();
  if (!position.occupied().contains(cell)) return std::nullopt;
  return position.OwnerAt(cell);
}

int GainOfCapture(const Position& position, Move move) {
  const bool is_promotion = move.promotion() != PieceType::kPawn;
  const bool is_capture = position.occupied().contains(move.to());

  int gain = move.kind() == MoveKind::kEnPassant ? kValue[0] : 0;
  CellSet others = position.occupied() & ~position.owned_by(position.to_move());
  if (is_capture) {
    const PieceType victim = position.TypeAt(move.to());
    const Seat owner = position.OwnerAt(move.to());
    gain += victim == PieceType::kPawn ? PawnValue(owner, move.to())
                                       : kValue[static_cast<size_t>(victim)];
    if (victim == PieceType::kKing)
      others &= ~position.owned_by(owner);  // its army cannot recapture
  }
  const PieceType mover = is_promotion ? move.promotion() : position.TypeAt(move.from());
  const int value = kValue[static_cast<size_t>(mover)];
  if (is_promotion) gain += value - PawnValue(position.to_move(), move.from());

  // Estimate the recapture: the opponents recapture if that gains material, considering a second
  // capture by the mover. Ignores which opponent recaptures, and whether doing so would help the
  // other.
  const CellSet left = position.occupied() ^ CellSet::Of(move.from());
  const int taker = LeastAttacker(position, others, left, move.to());
  if (taker == 0) return gain;
  const bool is_defended =
      LeastAttacker(position, position.owned_by(position.to_move()), left, move.to()) != 0;
  return gain - std::max(0, value - (is_defended ? taker : 0));
}

CellNumbers CellsOwnedBy(const Position& position, Seat seat) {
  const CellSet cells = position.owned_by(seat);
  return {cells.low, cells.high};
}

CellNumbers AttackersOf(const Position& position, CellNumber cell, CellNumbers cells) {
  const Cell at = Cell::At(cell.index());
  const CellSet occupied{cells.low, cells.high};
  const auto of = [&](PieceType type) { return position.of_type(type) & occupied; };
  const CellSet queens = of(PieceType::kQueen);
  CellSet found =
      (KnightAttacks(at) & of(PieceType::kKnight)) | (KingAttacks(at) & of(PieceType::kKing));
  const CellSet sliders = (kAttacks.rook_lines[At(at)] & (of(PieceType::kRook) | queens)) |
                          (kAttacks.bishop_lines[At(at)] & (of(PieceType::kBishop) | queens));
  AnyOf(sliders, [&](Cell from) {
    if ((Between(at, from) & occupied).empty()) found |= CellSet::Of(from);
    return false;
  });
  for (size_t i = 0; i < kSeatsMax; ++i) {
    found |= kAttacks.pawn_capturers[SeatAt(i)][At(at)] & of(PieceType::kPawn) &
             position.owned_by(SeatAt(i));
  }
  return {found.low, found.high};
}

int PieceValue(const Position& position, CellNumber cell) {
  const Cell at = Cell::At(cell.index());
  const Piece piece = *position.piece_at(at);
  return piece.type == PieceType::kPawn ? PawnValue(piece.owner, at)
                                        : kValue[static_cast<size_t>(piece.type)];
}

}  // namespace triarch::three_way
