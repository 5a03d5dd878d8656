#include "core/three_way/movegen.h"

#include <bit>

#include "core/base/check.h"
#include "core/game/move_sinks.h"

// The parts of the generator are inlined into each of its uses: as calls, they would pass the sets
// through memory, which costs 3 %.
namespace triarch::three_way {
namespace {

// Returns the cells of a seat's third from which its pawns may take a double step.
constexpr CellSet PawnRow(Seat seat) {
  CellSet row;
  for (int column = 0; column < kColumns; ++column) row |= CellSet::Of(Cell::At(seat, column, 1));
  return row;
}
constexpr PerSeat<CellSet> kPawnRow{
    {PawnRow(Seat::kFirst), PawnRow(Seat::kSecond), PawnRow(Seat::kThird)}};

// Returns the cells of a seat's third as a number of 32 bits.
constexpr uint32_t Third(CellSet set, Seat seat) {
  return static_cast<uint32_t>(seat == Seat::kThird ? set.high : set.low >> (32 * Index(seat)));
}
constexpr PerSeat<CellSet> kThird{{{{0xffffffffu, 0}, {0xffffffff00000000u, 0}, {0, 0xffffffffu}}}};

}  // namespace

[[gnu::always_inline]] inline MoveGenerator::MoveGenerator(const Position& position, Seat seat,
                                                           CellSet from)
    : p_(position),
      seat_(seat),
      own_(position.owned_[seat]),
      movers_(own_ & from),
      occupied_(position.occupied()),
      enemies_(occupied_ & ~own_),
      king_(position.KingOf(seat)),
      attackers_(AttackersAmong(enemies_)) {
  FindChecksAndPins();
}

[[gnu::always_inline]] inline MoveGenerator::Attackers MoveGenerator::AttackersAmong(
    CellSet pieces) const {
  const CellSet pawns = typed(PieceType::kPawn) & pieces;
  const CellSet queens = typed(PieceType::kQueen);
  return {.knights = typed(PieceType::kKnight) & pieces,
          .kings = typed(PieceType::kKing) & pieces,
          .next_pawns = pawns & p_.owned_[Next(seat_)],
          .previous_pawns = pawns & p_.owned_[Previous(seat_)],
          .rooks = (typed(PieceType::kRook) | queens) & pieces,
          .bishops = (typed(PieceType::kBishop) | queens) & pieces};
}

// Returns the attackers of the cell that need no free line to it.
[[gnu::always_inline]] inline CellSet MoveGenerator::LeapersTo(Cell cell,
                                                               const Attackers& attackers) const {
  const size_t at = At(cell);
  return (kAttacks.knight[at] & attackers.knights) | (kAttacks.king[at] & attackers.kings) |
         (kAttacks.pawn_capturers[Next(seat_)][at] & attackers.next_pawns) |
         (kAttacks.pawn_capturers[Previous(seat_)][at] & attackers.previous_pawns);
}

inline bool MoveGenerator::IsAttackedAlongLine(Cell cell, CellSet occupied,
                                               const Attackers& attackers) const {
  const CellSet aligned = (kAttacks.rook_lines[At(cell)] & attackers.rooks) |
                          (kAttacks.bishop_lines[At(cell)] & attackers.bishops);
  return AnyOf(aligned, [&](Cell slider) { return (Between(cell, slider) & occupied).empty(); });
}

bool MoveGenerator::IsAttacked(Cell cell, CellSet occupied, const Attackers& attackers) const {
  return !LeapersTo(cell, attackers).empty() || IsAttackedAlongLine(cell, occupied, attackers);
}

[[gnu::always_inline]] inline void MoveGenerator::FindChecksAndPins() {
  const size_t k = At(king_);
  CellSet mask = ~own_;
  const CellSet leapers = LeapersTo(king_, attackers_);
  is_in_check_ = !leapers.empty();
  for (const Cell checker : leapers) mask &= CellSet::Of(checker);

  const CellSet aligned =
      (kAttacks.rook_lines[k] & attackers_.rooks) | (kAttacks.bishop_lines[k] & attackers_.bishops);
  AnyOf(aligned, [&](Cell slider) {
    const CellSet between = Between(king_, slider);
    const CellSet blockers = between & occupied_;
    if (blockers.empty()) {
      is_in_check_ = true;
      mask &= between | CellSet::Of(slider);
    } else if (blockers.has_one() && !(blockers & own_).empty()) {
      pinned_ |= blockers;
      pinners_ |= CellSet::Of(slider);
    }
    return false;
  });
  targets_ = mask;
}

CellSet MoveGenerator::PinnedTargets(Cell from) const {
  for (const Cell pinner : pinners_) {
    const CellSet between = Between(king_, pinner);
    if (between.contains(from)) return targets_ & (between | CellSet::Of(pinner));
  }
  return targets_;
}

template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GeneratePieces(Sink& sink) const {
  const CellSet queens = typed(PieceType::kQueen);
  // A pinned knight has no move: its targets are never on a line through its cell.
  return AnyOf(
             movers_ & typed(PieceType::kKnight) & ~pinned_,
             [&](Cell from) { return sink.Targets(from, kAttacks.knight[At(from)] & targets_); }) ||
         AnyOf(movers_ & (typed(PieceType::kBishop) | queens),
               [&](Cell from) {
                 return sink.Targets(from, BishopAttacks(from, occupied_) & AllowedTargets(from));
               }) ||
         AnyOf(movers_ & (typed(PieceType::kRook) | queens), [&](Cell from) {
           return sink.Targets(from, RookAttacks(from, occupied_) & AllowedTargets(from));
         });
}

// Counts the moves of unpinned pawns on the row where they began. These moves stay in the third and
// never promote: steps lead 8 or 16 cells up.
[[gnu::always_inline]] inline size_t MoveGenerator::CountHomePawnMoves(CellSet pawns) const {
  const uint32_t free = ~Third(occupied_, seat_);
  const uint32_t targets = Third(targets_, seat_);
  const uint32_t once = Third(pawns, seat_) << kColumns & free;
  const uint32_t twice = once << kColumns & free;
  size_t count =
      static_cast<size_t>(std::popcount(uint64_t{once & targets} << 32 | (twice & targets)));
  AnyOf(enemies_ & targets_ & kThird[seat_], [&](Cell enemy) {
    count += static_cast<size_t>((kAttacks.pawn_capturers[seat_][At(enemy)] & pawns).size());
    return false;
  });
  return count;
}

template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GeneratePawns(Sink& sink) const {
  const CellSet promotion = kAttacks.promotion[seat_];
  CellSet pawns = movers_ & typed(PieceType::kPawn) & ~promotion;
  if constexpr (requires { sink.Add(size_t{}); }) {
    const CellSet home = pawns & kPawnRow[seat_] & ~pinned_;
    if (sink.Add(CountHomePawnMoves(home))) return true;
    pawns ^= home;
  }
  return AnyOf(pawns, [&](Cell from) {
    const CellSet allowed = AllowedTargets(from);
    CellSet to = kAttacks.pawn_captures[seat_][At(from)] & enemies_ & allowed;
    const Cell step = Cell::At(kAttacks.pawn_step[seat_][At(from)]);
    if (!occupied_.contains(step)) {
      to |= CellSet::Of(step) & allowed;
      if (kPawnRow[seat_].contains(from)) {
        const Cell second = Cell::At(kAttacks.pawn_step[seat_][At(step)]);
        if (!occupied_.contains(second) && allowed.contains(second) &&
            sink.One(Move(from, second, MoveKind::kDoublePush))) {
          return true;
        }
      }
    }
    if (to.empty()) return false;
    const CellSet promotions = to & promotion;
    if (promotions.empty()) return sink.Targets(from, to);
    const CellSet rest = to & ~promotions;
    return sink.Promotions(from, promotions, MoveKind::kNormal) ||
           (!rest.empty() && sink.Targets(from, rest));
  });
}

// §3. The pusher's pawn must still stand where it landed, directly in front of the capturer. Then
// the passed-over cell is a capture cell of the capturer: to the left if the pusher is the previous
// seat, to the right if it is the next.
template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GenerateEnPassantOf(Sink& sink,
                                                                      Seat pusher) const {
  if (p_.en_passant_[pusher] < 0) return false;
  const Cell to = Cell::At(p_.en_passant_[pusher]);
  const CellSet pawns = typed(PieceType::kPawn);
  // A pawn rarely stands there, so this comes first.
  const int capturer = kAttacks.en_passant_from[seat_][At(to)];
  if (capturer < 0 || !(pawns & movers_).contains(Cell::At(capturer))) return false;
  const Cell from = Cell::At(capturer);
  const Cell victim = Cell::At(kAttacks.pawn_step[pusher][At(to)]);
  if (occupied_.contains(to) || !(pawns & p_.owned_[pusher]).contains(victim)) return false;

  const CellSet taken = CellSet::Of(victim);
  const CellSet occupied = (occupied_ ^ CellSet::Of(from) ^ taken) | CellSet::Of(to);
  if (IsAttacked(king_, occupied, AttackersAmong(enemies_ ^ taken))) return false;
  if (kAttacks.promotion[seat_].contains(to)) {
    return sink.Promotions(from, CellSet::Of(to), MoveKind::kEnPassant);
  }
  return sink.One(Move(from, to, MoveKind::kEnPassant));
}

template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GenerateEnPassant(Sink& sink) const {
  return GenerateEnPassantOf(sink, Next(seat_)) || GenerateEnPassantOf(sink, Previous(seat_));
}

// Returns those of the king's steps that no enemy attacks. Leapers are gone through by attacker,
// because few stand near the king; sliders by step or by attacker, whichever are fewer.
CellSet MoveGenerator::SafeSteps(CellSet steps) const {
  const auto remove = [&](CellSet attacked) {
    steps &= ~attacked;
    return false;
  };
  const size_t k = At(king_);
  AnyOf(attackers_.kings & kAttacks.kings_near[k],
        [&](Cell at) { return remove(kAttacks.king[At(at)]); });
  AnyOf(attackers_.knights & kAttacks.knights_near[k],
        [&](Cell at) { return remove(kAttacks.knight[At(at)]); });
  AnyOf(attackers_.next_pawns & kAttacks.pawns_near[Next(seat_)][k],
        [&](Cell at) { return remove(PawnCaptures(Next(seat_), at)); });
  AnyOf(attackers_.previous_pawns & kAttacks.pawns_near[Previous(seat_)][k],
        [&](Cell at) { return remove(PawnCaptures(Previous(seat_), at)); });
  const CellSet occupied = occupied_ ^ CellSet::Of(king_);
  if (steps.size() < (attackers_.rooks | attackers_.bishops).size()) {
    AnyOf(steps, [&](Cell step) {
      return IsAttackedAlongLine(step, occupied, attackers_) && remove(CellSet::Of(step));
    });
    return steps;
  }
  AnyOf(attackers_.rooks, [&](Cell rook) {
    return !(kAttacks.rook_lines[At(rook)] & steps).empty() && remove(RookAttacks(rook, occupied));
  });
  AnyOf(attackers_.bishops, [&](Cell bishop) {
    return !(kAttacks.bishop_lines[At(bishop)] & steps).empty() &&
           remove(BishopAttacks(bishop, occupied));
  });
  return steps;
}

template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GenerateKing(Sink& sink) const {
  if (!movers_.contains(king_)) return false;
  CellSet to = kAttacks.king[At(king_)] & ~own_;
  if constexpr (Sink::kCapturesOnly) to &= enemies_;
  if (!to.empty()) to = SafeSteps(to);
  return sink.Targets(king_, to) || (!Sink::kCapturesOnly && GenerateCastling(sink));
}

// §4. A castling right implies that king and rook are at home.
template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GenerateCastling(Sink& sink) const {
  const unsigned rights = (p_.rights_ >> (2 * Index(seat_))) & 3u;
  if (rights == 0 || is_in_check_) return false;
  for (const int corner : {0, kColumns - 1}) {
    if (((rights >> (corner == 0 ? 0 : 1)) & 1u) == 0) continue;
    const Cell rook = Cell::At(seat_, corner, 0);
    if (!(Between(king_, rook) & occupied_).empty()) continue;
    const int side = corner == 0 ? -1 : 1;
    const Cell passed = Cell::At(seat_, king_.column() + side, 0);
    const Cell to = Cell::At(seat_, king_.column() + 2 * side, 0);
    if (IsAttacked(passed, occupied_, attackers_) || IsAttacked(to, occupied_, attackers_)) {
      continue;
    }
    if (sink.One(Move(king_, to, MoveKind::kCastling))) return true;
  }
  return false;
}

template <class Sink>
void MoveGenerator::Generate(Sink& sink) const {
  // With an empty mask (two checks) the king must move. A capture en passant is tried in any case:
  // it can capture one checker and block another.
  if (!targets_.empty() && (GeneratePieces(sink) || GeneratePawns(sink))) return;
  if (!GenerateEnPassant(sink)) GenerateKing(sink);
}

MoveList<Move> Position::LegalMoves() const {
  MoveList<Move> moves;
  if (is_over()) return moves;
  MoveLister<Move> lister{moves};
  MoveGenerator(*this, to_move_).Generate(lister);
  return moves;
}

void Position::ListMoves(MoveSets& moves) const {
  moves.clear();
  if (!is_over()) MoveGenerator(*this, to_move_).Generate(moves);
}

void Position::ListMovesFrom(Cell from, MoveSets& moves) const {
  moves.clear();
  if (!is_over()) MoveGenerator(*this, to_move_, CellSet::Of(from)).Generate(moves);
}

MoveList<Move> Position::Captures() const {
  MoveList<Move> moves;
  if (is_over()) return moves;
  const MoveGenerator generator(*this, to_move_);
  CaptureLister<Move, CellSet> lister{moves, occupied() & ~owned_[to_move_]};
  generator.Generate(lister);
  return moves;
}

size_t Position::CountLegalMoves() const {
  if (is_over()) return 0;
  MoveCounter counter;
  MoveGenerator(*this, to_move_).Generate(counter);
  return counter.count;
}

// Judges the player to move, and passes the turn until a player has a move (§5.4).
template <class Sink>
void Position::Judge(Sink& sink) {
  size_t skipped = 0;  // in a row
  while (survivor_count() > 1) {
    if (skipped + 1 == survivor_count()) break;  // all other survivors were skipped
    const MoveGenerator generator(*this, to_move_);
    generator.Generate(sink);
    if (!sink.empty()) return;
    if (generator.in_check()) {
      Eliminate(to_move_, Termination::kCheckmate);
      skipped = 0;
    } else if (survivor_count() == 2) {
      break;
    } else {
      ++skipped;
    }
    AdvanceTurn();
  }
  is_stalemate_ = survivor_count() > 1;
}

template <class Sink>
void Position::PlayInto(Move move, Sink& sink) {
  DCHECK(owned_[to_move_].contains(move.from()));
  CountUp(halfmove_clock_);
  SetEnPassant(to_move_, -1);
  MovePiece(move);
  AdvanceTurn();
  Judge(sink);
}

void Position::Play(Move move) {
  MoveFinder finder;
  PlayInto(move, finder);
}

size_t Position::PlayAndCount(Move move) {
  MoveCounter counter;
  PlayInto(move, counter);
  return is_over() ? 0 : counter.count;
}

void Position::PlayAndList(Move move, MoveList<Move>& moves) {
  moves.clear();
  MoveLister<Move> lister{moves};
  PlayInto(move, lister);
  if (is_over()) moves.clear();
}

void Position::PlayAndList(Move move, MoveSets& moves) {
  moves.clear();
  PlayInto(move, moves);
  if (is_over()) moves.clear();
}

void Position::JudgeTurn() {
  MoveFinder finder;
  if (!is_over()) Judge(finder);
}

void Position::Resign(Seat seat) {
  DCHECK(is_in(seat) && !is_over());
  Eliminate(seat, Termination::kResignation);
  if (seat == to_move_) AdvanceTurn();
  MoveFinder finder;
  Judge(finder);
}

// Does not build a MoveGenerator, because it is called for both opponents after every recorded ply.
bool Position::in_check(Seat seat) const {
  if (!is_in(seat)) return false;
  const Cell king = KingOf(seat);
  const size_t k = At(king);
  const CellSet all = occupied();
  const CellSet queens = of_type(PieceType::kQueen);
  const CellSet pawns = of_type(PieceType::kPawn);
  const CellSet near =
      (kAttacks.knight[k] & of_type(PieceType::kKnight)) |
      (kAttacks.king[k] & of_type(PieceType::kKing)) |
      (kAttacks.pawn_capturers[Next(seat)][k] & pawns & owned_[Next(seat)]) |
      (kAttacks.pawn_capturers[Previous(seat)][k] & pawns & owned_[Previous(seat)]);
  const CellSet aligned = (kAttacks.rook_lines[k] & (of_type(PieceType::kRook) | queens)) |
                          (kAttacks.bishop_lines[k] & (of_type(PieceType::kBishop) | queens));
  const CellSet enemies = all & ~owned_[seat];
  if (!(near & enemies).empty()) return true;
  return AnyOf(aligned & enemies,
               [&](Cell slider) { return (Between(king, slider) & all).empty(); });
}

}  // namespace triarch::three_way
