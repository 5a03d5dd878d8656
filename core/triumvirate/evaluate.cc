// The evaluation of positions and captures for bots. These values are not part of the rules.

#include "core/triumvirate/evaluate.h"

#include <algorithm>
#include <array>

#include "core/triumvirate/attackers.h"
#include "core/triumvirate/attacks.h"
#include "core/triumvirate/movegen.h"

namespace triarch::triumvirate {
namespace {

// By PieceType, in hundredths of a pawn. The king's value means "never trade it for anything".
constexpr std::array<int, kPieceTypes> kValue = {100, 300, 320, 500, 900, 10'000};
// The value of a pawn by its steps left to promotion (an ordinary pawn beyond three steps), and of
// a stuck pawn.
constexpr std::array<int, kRows> kPawnByStepsLeft = {100, 500, 250, 150};
constexpr int kStuckPawn = 30;

// Bonus for each cell that a piece reaches, and for each such cell next to an enemy king.
constexpr std::array<int, kPieceTypes> kMobility = {0, 4, 4, 2, 1, 0};
constexpr std::array<int, kPieceTypes> kKingAttack = {0, 8, 7, 8, 10, 0};

constexpr int kShield = 8;             // per friendly piece next to the king
constexpr int kCenterKing = -8;        // per step of the king towards the centre
constexpr int kCenterMinor = 4;        // per step of a knight or bishop towards the centre
constexpr int kCenterPawn = 3;         // per step of a pawn towards the centre
constexpr int kDangerSquareUnit = 80;  // attacks on a king add up faster than linearly

// Steps from the rim towards the centre point, summed over both directions: 0..6. kCenterBits[n]
// holds the cells whose number of steps has bit n, so three counts give the steps of a whole set.
constexpr std::array<CellSet, 3> MakeCenter() {
  std::array<CellSet, 3> sets{};
  for (int i = 0; i < kCells; ++i) {
    const Cell cell = Cell::At(i);
    const int steps = cell.row() + std::min(cell.column(), kColumns - 1 - cell.column());
    for (size_t n = 0; n < sets.size(); ++n) {
      if ((steps >> n & 1) != 0) sets[n] |= CellSet::Of(cell);
    }
  }
  return sets;
}
constexpr std::array<CellSet, 3> kCenterBits = MakeCenter();

int CenterSteps(CellSet cells) {
  return (cells & kCenterBits[0]).size() + 2 * (cells & kCenterBits[1]).size() +
         4 * (cells & kCenterBits[2]).size();
}

constexpr CellSet MakeRow(int row) {
  CellSet cells;
  for (size_t seat = 0; seat < kSeatsMax; ++seat) {
    for (int column = 0; column < kColumns; ++column) {
      cells |= CellSet::Of(Cell::At(SeatAt(seat), column, row));
    }
  }
  return cells;
}
constexpr std::array<CellSet, kRows> kRowCells = {MakeRow(0), MakeRow(1), MakeRow(2), MakeRow(3)};

template <PieceType kType>
[[gnu::always_inline]] inline CellSet Reach(Cell cell, CellSet occupied) {
  if constexpr (kType == PieceType::kKnight) return KnightAttacks(cell);
  if constexpr (kType == PieceType::kBishop) return BishopAttacks(cell, occupied);
  if constexpr (kType == PieceType::kRook) return RookAttacks(cell, occupied);
  if constexpr (kType == PieceType::kQueen) return QueenAttacks(cell, occupied);
  return KingAttacks(cell);
}

// Computes the value of a position for all seats, term by term.
class Evaluation {
 public:
  Evaluation(const Position& position, CellSet homeward)
      : p_(position), homeward_(homeward), occupied_(position.occupied()) {}

  PerSeat<int> Sum() {
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const Seat seat = SeatAt(i);
      const CellSet king = p_.owned_by(seat) & p_.of_type(PieceType::kKing);
      if (p_.is_in(seat) && !king.empty()) zone_[seat] = KingAttacks(king.first());
    }
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const Seat seat = SeatAt(i);
      if (!p_.is_in(seat)) continue;
      AddPieces(seat);
      AddPawns(seat);
      AddKing(seat);
    }
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const int danger = danger_[SeatAt(i)];
      sum_[SeatAt(i)] -= danger + danger * danger / kDangerSquareUnit;
      if (!p_.is_in(SeatAt(i))) sum_[SeatAt(i)] = 0;
    }
    return sum_;
  }

 private:
  void AddPieces(Seat seat) {
    AddPiecesOf<PieceType::kKnight>(seat);
    AddPiecesOf<PieceType::kBishop>(seat);
    AddPiecesOf<PieceType::kRook>(seat);
    AddPiecesOf<PieceType::kQueen>(seat);
    const CellSet minors = p_.of_type(PieceType::kKnight) | p_.of_type(PieceType::kBishop);
    sum_[seat] += kCenterMinor * CenterSteps(p_.owned_by(seat) & minors);
  }

  // A template over the type, because searches spend most of their time here.
  template <PieceType kType>
  void AddPiecesOf(Seat seat) {
    constexpr size_t kT = static_cast<size_t>(kType);
    const CellSet own = p_.owned_by(seat);
    const Seat next = seat == Seat::kThird ? Seat::kFirst : SeatAt(Index(seat) + 1);
    const Seat last = ThirdSeat(seat, next);
    int mobility = 0;
    int next_attacks = 0;
    int last_attacks = 0;
    int count = 0;
    AnyOf(own & p_.of_type(kType), [&](Cell cell) {
      const CellSet reach = Reach<kType>(cell, occupied_);
      ++count;
      mobility += (reach & ~own).size();
      next_attacks += (reach & zone_[next]).size();
      last_attacks += (reach & zone_[last]).size();
      return false;
    });
    sum_[seat] += kValue[kT] * count + kMobility[kT] * mobility;
    danger_[next] += kKingAttack[kT] * next_attacks;
    danger_[last] += kKingAttack[kT] * last_attacks;
  }

  void AddPawns(Seat seat) {
    const CellSet pawns = p_.owned_by(seat) & p_.of_type(PieceType::kPawn);
    CellSet stuck;
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const Seat color = SeatAt(i);
      if (color == seat) continue;
      stuck |= pawns & p_.colored(color) & kBridgeWithout[ThirdSeat(color, seat)];
    }
    const CellSet free = pawns & ~stuck;
    sum_[seat] += kStuckPawn * stuck.size() + kValue[0] * free.size();
    sum_[seat] += kCenterPawn * CenterSteps(free & ~homeward_);
    // A pawn that moves towards the base row of its current sector has one step left per row.
    for (size_t row = 1; row < kRows; ++row) {
      const int bonus = kPawnByStepsLeft[row] - kValue[0];
      sum_[seat] += bonus * (free & homeward_ & kRowCells[row]).size();
    }
  }

  void AddKing(Seat seat) {
    const CellSet king = p_.owned_by(seat) & p_.of_type(PieceType::kKing);
    sum_[seat] += kShield * (zone_[seat] & p_.owned_by(seat)).size();
    sum_[seat] += kCenterKing * CenterSteps(king);
  }

  const Position& p_;
  const CellSet homeward_;
  const CellSet occupied_;
  PerSeat<CellSet> zone_;  // the cells next to the king
  PerSeat<int> danger_{};  // enemy attacks on these cells
  PerSeat<int> sum_{};
};

// Finds the attackers of a cell, given the occupied cells.
class Attackers {
 public:
  Attackers(const Position& position, CellSet homeward, CellSet occupied, Cell cell)
      : p_(position), homeward_(homeward), occupied_(occupied), cell_(cell) {}

  // Returns the value of the least valuable attacker among `side`, or 0 if no piece attacks.
  int Least(CellSet side) const {
    side &= occupied_;
    const CellSet pawns = side & p_.of_type(PieceType::kPawn);
    const auto& capturers = kAttacks.pawn_capturers;
    if (!(pawns & ~homeward_ & capturers[0][At(cell_)]).empty() ||
        !(pawns & homeward_ & capturers[1][At(cell_)]).empty()) {
      return kValue[0];
    }
    if (Has<PieceType::kKnight>(side)) return kValue[1];
    if (Has<PieceType::kBishop>(side)) return kValue[2];
    if (Has<PieceType::kRook>(side)) return kValue[3];
    if (Has<PieceType::kQueen>(side)) return kValue[4];
    if (Has<PieceType::kKing>(side)) return kValue[5];
    return 0;
  }

 private:
  template <PieceType kType>
  bool Has(CellSet side) const {
    const CellSet pieces = side & p_.of_type(kType);
    return !pieces.empty() && !(pieces & Reach<kType>(cell_, occupied_)).empty();
  }

  const Position& p_;
  const CellSet homeward_;
  const CellSet occupied_;
  const Cell cell_;
};

int PawnValue(Cell cell, bool is_homeward) {
  return is_homeward ? kPawnByStepsLeft[static_cast<size_t>(cell.row())] : kValue[0];
}

}  // namespace

PerSeat<int> Evaluate(const Position& position) {
  return Evaluation(position, position.homeward()).Sum();
}

std::optional<Seat> VictimOf(const Position& position, Move move) {
  if (move.kind() == MoveKind::kCastling) return std::nullopt;
  const Cell cell = move.kind() == MoveKind::kEnPassant
                        ? Cell::At(move.to().sector(), move.to().column(), kRows - 1)
                        : move.to();
  if (!position.occupied().contains(cell)) return std::nullopt;
  return position.OwnerAt(cell);
}

int GainOfCapture(const Position& position, Move move) {
  const CellSet victim_cell = CellSet::Of(move.to()) & position.occupied();
  if (move.kind() == MoveKind::kEnPassant) return kValue[0];
  const bool is_promotion = move.kind() == MoveKind::kPromotion;

  const auto type_of = [&](Cell cell) {
    size_t t = 0;
    while (t + 1 < kPieceTypes && !position.of_type(static_cast<PieceType>(t)).contains(cell)) ++t;
    return t;
  };
  int gain = 0;
  if (!victim_cell.empty()) {
    const size_t victim = type_of(move.to());
    gain = victim != 0 ? kValue[victim]
           : position.is_stuck(move.to())
               ? kStuckPawn
               : PawnValue(move.to(), position.homeward().contains(move.to()));
  }
  const size_t mover = is_promotion ? static_cast<size_t>(move.promotion()) : type_of(move.from());
  if (is_promotion) gain += kValue[mover] - PawnValue(move.from(), true);

  // Estimate the recapture: the opponents recapture if that gains material, considering a second
  // capture by the mover. Ignores which opponent recaptures, and whether doing so would help the
  // other.
  const CellSet own = position.owned_by(position.to_move());
  const Attackers attackers(position, position.homeward(),
                            position.occupied() ^ CellSet::Of(move.from()), move.to());
  const int taker = attackers.Least(~own);
  if (taker == 0) return gain;
  const bool is_defended = attackers.Least(own) != 0;
  return gain - std::max(0, kValue[mover] - (is_defended ? taker : 0));
}

CellNumbers CellsOwnedBy(const Position& position, Seat seat) {
  const CellSet cells = position.owned_by(seat);
  return {cells.low, cells.high};
}

CellNumbers AttackersOf(const Position& position, CellNumber cell, CellNumbers cells) {
  const Cell at = Cell::At(cell.index());
  const CellSet occupied{cells.low, cells.high};
  const auto of = [&](PieceType type) { return position.of_type(type); };
  const CellSet queens = of(PieceType::kQueen);
  CellSet found = (KnightAttacks(at) & of(PieceType::kKnight)) |
                  (KingAttacks(at) & of(PieceType::kKing)) |
                  (RookAttacks(at, occupied) & (of(PieceType::kRook) | queens)) |
                  (BishopAttacks(at, occupied) & (of(PieceType::kBishop) | queens));
  const auto& capturers = kAttacks.pawn_capturers;
  AnyOf((capturers[0][At(at)] | capturers[1][At(at)]) & of(PieceType::kPawn), [&](Cell pawn) {
    const bool is_homeward = position.pawn_target(pawn) == pawn.sector();
    if (capturers[is_homeward ? 1 : 0][At(at)].contains(pawn)) found |= CellSet::Of(pawn);
    return false;
  });
  found &= occupied;
  return {found.low, found.high};
}

int PieceValue(const Position& position, CellNumber cell) {
  const Cell at = Cell::At(cell.index());
  size_t t = 0;
  while (t + 1 < kPieceTypes && !position.of_type(static_cast<PieceType>(t)).contains(at)) ++t;
  if (t != 0) return kValue[t];
  if (position.is_stuck(at)) return kStuckPawn;
  return PawnValue(at, position.pawn_target(at) == at.sector());
}

}  // namespace triarch::triumvirate
