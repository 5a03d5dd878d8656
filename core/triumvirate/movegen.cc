#include "core/triumvirate/movegen.h"

#include "core/base/check.h"
#include "core/game/move_sinks.h"

// The parts of the generator are inlined into each of its uses: as calls, they would pass the sets
// through memory, which costs 5 %.
namespace triarch::triumvirate {

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
          .inward_pawns = pawns & ~p_.homeward_,
          .homeward_pawns = pawns & p_.homeward_,
          .rooks = (typed(PieceType::kRook) | queens) & pieces,
          .bishops = (typed(PieceType::kBishop) | queens) & pieces};
}

// Returns the attackers of the cell that need no free line to it.
[[gnu::always_inline]] inline CellSet MoveGenerator::LeapersTo(Cell cell,
                                                               const Attackers& attackers) {
  const size_t at = At(cell);
  return (kAttacks.knight[at] & attackers.knights) | (kAttacks.king[at] & attackers.kings) |
         (kAttacks.pawn_capturers[0][at] & attackers.inward_pawns) |
         (kAttacks.pawn_capturers[1][at] & attackers.homeward_pawns);
}

bool MoveGenerator::IsAttacked(Cell cell, CellSet occupied, const Attackers& attackers) {
  if (!LeapersTo(cell, attackers).empty()) return true;
  const size_t at = At(cell);
  const CellSet aligned =
      (kAttacks.rook_lines[at] & attackers.rooks) | (kAttacks.bishop_lines[at] & attackers.bishops);
  return AnyOf(aligned, [&](Cell slider) { return (Between(cell, slider) & occupied).empty(); });
}

[[gnu::always_inline]] inline void MoveGenerator::FindChecksAndPins() {
  const size_t k = At(king_);
  CellSet mask = ~own_ & ~typed(PieceType::kKing);
  checkers_ = LeapersTo(king_, attackers_);
  for (const Cell checker : checkers_) mask &= CellSet::Of(checker);

  const CellSet aligned =
      (kAttacks.rook_lines[k] & attackers_.rooks) | (kAttacks.bishop_lines[k] & attackers_.bishops);
  for (const Cell slider : aligned) {
    const CellSet between = Between(king_, slider);
    const CellSet blockers = between & occupied_;
    if (blockers.empty()) {
      checkers_ |= CellSet::Of(slider);
      mask &= between | CellSet::Of(slider);
    } else if (blockers.has_one() && !(blockers & own_).empty()) {
      pinned_ |= blockers;
      pinners_ |= CellSet::Of(slider);
    }
  }
  targets_ = mask;
}

CellSet MoveGenerator::PinnedTargets(Cell from) const {
  CellSet allowed = targets_;
  for (const Cell pinner : pinners_) {
    const CellSet between = Between(king_, pinner);
    if (between.contains(from)) allowed &= between | CellSet::Of(pinner);
  }
  return allowed;
}

// Returns the seat's pawns that have the en passant target on one of their capture cells.
[[gnu::always_inline]] inline CellSet MoveGenerator::EnPassantCapturers() const {
  if (p_.en_passant_ < 0) return {};
  const Cell target = Cell::At(p_.en_passant_);
  const Cell victim = Cell::At(target.sector(), target.column(), kRows - 1);
  if (!enemies_.contains(victim)) return {};  // the seat has inherited the pawn
  const CellSet pawns = typed(PieceType::kPawn) & movers_;
  return (kAttacks.pawn_capturers[0][At(target)] & pawns & ~p_.homeward_) |
         (kAttacks.pawn_capturers[1][At(target)] & pawns & p_.homeward_);
}

bool MoveGenerator::IsEnPassantLegal(Cell from) const {
  const Cell target = Cell::At(p_.en_passant_);
  const CellSet victim = CellSet::Of(Cell::At(target.sector(), target.column(), kRows - 1));
  const CellSet occupied = (occupied_ ^ CellSet::Of(from) ^ victim) | CellSet::Of(target);
  return !IsAttacked(king_, occupied, AttackersAmong(enemies_ ^ victim));
}

bool MoveGenerator::HasEnPassant() const {
  for (const Cell from : EnPassantCapturers()) {
    if (IsEnPassantLegal(from)) return true;
  }
  return false;
}

// Returns the stuck pawns (§4): inherited pawns on the bridge between their colour's sector and
// their owner's.
[[gnu::always_inline]] inline CellSet MoveGenerator::StuckPawns() const {
  if ((own_ & ~p_.colored_[seat_]).empty()) return {};
  CellSet stuck;
  for (size_t i = 0; i < 3; ++i) {
    const Seat color = SeatAt(i);
    if (color != seat_) stuck |= p_.colored_[color] & kBridgeWithout[ThirdSeat(color, seat_)];
  }
  return stuck & own_ & typed(PieceType::kPawn);
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

// Requires: `to` is not empty.
template <class Sink>
bool MoveGenerator::GeneratePawnTargets(Sink& sink, Cell from, CellSet to) const {
  const CellSet promotions = to & kBaseRows & ~kSector[seat_];
  if (promotions.empty()) return sink.Targets(from, to);
  const CellSet rest = to & ~promotions;
  return sink.Promotions(from, promotions, MoveKind::kPromotion) ||
         (!rest.empty() && sink.Targets(from, rest));
}

[[gnu::always_inline]] inline MoveGenerator::PawnPushes MoveGenerator::FindPawnPushes() const {
  const CellSet pawns = movers_ & typed(PieceType::kPawn) & ~StuckPawns();
  const CellSet empty = ~occupied_;
  const CellSet single =
      pawns & ((InwardStepsTo(empty) & ~p_.homeward_) | (HomewardStepsTo(empty) & p_.homeward_));
  const CellSet second_row = RowCells(1) & kSector[seat_] & p_.colored_[seat_];
  const CellSet landing = empty & targets_ & kFrontRows;
  return {.single = single, .twice = single & second_row & ShiftDown(landing, 2 * kColumns)};
}

// Returns the cells where a pawn of the seat captures, if one stands there. May return the cell of
// a pawn that has nothing to capture over the front.
CellSet MoveGenerator::PawnCapturers() const {
  const CaptureSources inward = InwardCapturesTo(enemies_);
  const CaptureSources homeward = HomewardCapturesTo(enemies_);
  return ((inward.left | inward.right | kFrontRows) & ~p_.homeward_) |
         ((homeward.left | homeward.right) & p_.homeward_);
}

// Counts all pawns' moves at once, except captures en passant. Requires: no pawn is pinned.
[[gnu::always_inline]] inline size_t MoveGenerator::CountPawnMoves(CellSet pawns,
                                                                   const PawnPushes& pushes) const {
  const CellSet victims = enemies_ & targets_;
  const CellSet homeward = pawns & p_.homeward_;
  const CellSet inward = pawns & ~homeward;
  // A pawn on a foreign second row that moves homeward promotes, to one of four pieces.
  const CellSet promoting = homeward & RowCells(1) & ~kSector[seat_];
  size_t count = SizeOf(pushes.twice & pawns);
  const auto add = [&](CellSet movers) {
    count += SizeOf(movers) + 3 * SizeOf(movers & promoting);
  };
  if (checkers_.empty()) {
    add(pushes.single & pawns);
  } else {
    add(pushes.single &
        ((InwardStepsTo(targets_) & inward) | (HomewardStepsTo(targets_) & homeward)));
  }
  if (!homeward.empty()) {
    const CaptureSources sources = HomewardCapturesTo(victims);
    add(sources.left & homeward);
    add(sources.right & homeward);
  }
  const CaptureSources sources = InwardCapturesTo(victims);
  count += SizeOf(sources.left & inward) + SizeOf(sources.right & inward);
  ForEach<Cell>(inward & kFrontRows,
                [&](Cell from) { count += SizeOf(PawnCaptures(from, false) & victims); });
  return count;
}

template <class Sink>
bool MoveGenerator::GeneratePush(Sink& sink, Cell from, CellSet allowed,
                                 const PawnPushes& pushes) const {
  const bool is_homeward = p_.homeward_.contains(from);
  const Cell step = Cell::At(kAttacks.pawn_step[is_homeward ? 1 : 0][At(from)]);
  if (allowed.contains(step)) {
    const bool is_promotion = step.is_base_row() && step.sector() != seat_;
    if (is_promotion ? sink.Promotions(from, CellSet::Of(step), MoveKind::kPromotion)
                     : sink.One(Move(from, step))) {
      return true;
    }
  }
  if (!pushes.twice.contains(from)) return false;
  const Cell front = Cell::At(seat_, from.column(), kRows - 1);
  return allowed.contains(front) && sink.One(Move(from, front, MoveKind::kDoublePush));
}

template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GeneratePawns(Sink& sink) const {
  CellSet pawns = movers_ & typed(PieceType::kPawn);
  if (pawns.empty()) return false;
  const PawnPushes pushes = FindPawnPushes();
  if constexpr (requires { sink.Add(size_t{}); }) {
    if (sink.Add(CountPawnMoves(pawns & ~pinned_, pushes))) return true;
    pawns &= pinned_;
  } else {
    pawns &= PawnCapturers() | pushes.single;
  }
  return AnyOf(pawns, [&](Cell from) {
    const CellSet allowed = AllowedTargets(from);
    const CellSet captures = PawnCaptures(from, p_.homeward_.contains(from)) & enemies_ & allowed;
    if (!captures.empty() && GeneratePawnTargets(sink, from, captures)) return true;
    return pushes.single.contains(from) && GeneratePush(sink, from, allowed, pushes);
  });
}

template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GenerateEnPassant(Sink& sink) const {
  for (const Cell from : EnPassantCapturers()) {
    if (!IsEnPassantLegal(from)) continue;
    if (sink.One(Move(from, Cell::At(p_.en_passant_), MoveKind::kEnPassant))) return true;
  }
  return false;
}

// Returns the cells of `zone`, which are next to the king, that the enemies attack once the king
// has moved.
CellSet MoveGenerator::AttackedNear(CellSet zone) const {
  const CellSet occupied = occupied_ ^ CellSet::Of(king_);
  const NearKing& near = kAttacks.near_king[At(king_)];
  CellSet attacked;
  const CellSet kings = near.kings & attackers_.kings;
  ForEach<Cell>((near.knights & attackers_.knights) | kings, [&](Cell from) {
    attacked |= kings.contains(from) ? KingAttacks(from) : KnightAttacks(from);
  });
  ForEach<Cell>(near.pawns & (attackers_.inward_pawns | attackers_.homeward_pawns),
                [&](Cell from) { attacked |= PawnCaptures(from, p_.homeward_.contains(from)); });
  // Most sliders reach none of the cells, not even on an empty board.
  ForEach<Cell>(near.rooks & attackers_.rooks, [&](Cell from) {
    const CellSet aligned = kAttacks.rook_lines[At(from)] & zone & ~attacked;
    if (!aligned.empty()) attacked |= RookAttacks(from, occupied);
  });
  ForEach<Cell>(near.bishops & attackers_.bishops, [&](Cell from) {
    const CellSet aligned = kAttacks.bishop_lines[At(from)] & zone & ~attacked;
    if (!aligned.empty()) attacked |= BishopAttacks(from, occupied);
  });
  return attacked;
}

template <class Sink>
bool MoveGenerator::GenerateKing(Sink& sink) const {
  if (!movers_.contains(king_)) return false;
  CellSet to = kAttacks.king[At(king_)] & ~own_ & ~typed(PieceType::kKing);
  if constexpr (Sink::kCapturesOnly) to &= enemies_;
  if (!to.empty()) to &= ~AttackedNear(to);
  return sink.Targets(king_, to) || (!Sink::kCapturesOnly && GenerateCastling(sink));
}

// §5. A castling right implies that king and rook are at home.
template <class Sink>
[[gnu::always_inline]] inline bool MoveGenerator::GenerateCastling(Sink& sink) const {
  const unsigned rights = (p_.rights_ >> (2 * Index(seat_))) & 3u;
  if (rights == 0 || in_check()) return false;
  for (const int corner : {0, kColumns - 1}) {
    if (((rights >> (corner == 0 ? 0 : 1)) & 1u) == 0) continue;
    const Cell rook = Cell::At(seat_, corner, 0);
    if (!(Between(king_, rook) & occupied_).empty()) continue;
    const int side = corner == 0 ? -1 : 1;
    const Cell crossed = Cell::At(seat_, king_.column() + side, 0);
    const Cell to = Cell::At(seat_, king_.column() + 2 * side, 0);
    if (IsAttacked(crossed, occupied_, attackers_) || IsAttacked(to, occupied_, attackers_))
      continue;
    if (sink.One(Move(king_, to, MoveKind::kCastling))) return true;
  }
  return false;
}

template <class Sink>
void MoveGenerator::Generate(Sink& sink) const {
  // With an empty mask (two checks that nothing can block) the king must move. A capture en passant
  // is tried in any case: it can capture one checker and block another.
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

// Plays the move, passes the turn on and judges each survivor that it reaches: a checkmated seat is
// eliminated, a stalemated one is skipped (§6.2 to §6.4).
template <class Sink>
void Position::PlayInto(Move move, Sink& sink) {
  DCHECK(owned_[to_move_].contains(move.from()));
  const Seat mover = to_move_;
  CountUp(halfmove_clock_);
  en_passant_ = -1;
  MovePiece(move);
  AdvanceTurn();
  Judge(mover, sink);
}

template <class Sink>
void Position::Judge(Seat mover, Sink& sink) {
  // The seats that the turn has reached, in order, with their move numbers.
  struct Visit {
    Seat seat;
    uint32_t move_number;
  };
  std::array<Visit, 12> visits;  // at most 3 survivors, then 2, then 1, each twice
  size_t visit_count = 0;
  size_t stalemated = 0;  // in a row
  while (true) {
    const size_t survivors = survivor_count();
    if (survivors == 1) return;
    visits[visit_count++] = {to_move_, move_number_};
    const MoveGenerator generator(*this, to_move_);
    generator.Generate(sink);
    if (!sink.empty()) return;
    if (generator.in_check()) {
      Eliminate(to_move_, MateAuthor(to_move_, mover), /*by_mate=*/true);
      stalemated = 0;
    } else if (++stalemated == survivors) {
      all_stalemated_ = true;
      size_t first = 0;
      while (!is_in(visits[first].seat)) ++first;
      SetToMove(visits[first].seat);
      move_number_ = visits[first].move_number;
      return;
    }
    AdvanceTurn();
  }
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
  if (!is_over()) Judge(to_move_, finder);
}

void Position::Resign(Seat seat) {
  DCHECK(is_in(seat) && !outcome());
  Eliminate(seat, NextIn(seat), /*by_mate=*/false);
  if (seat == to_move_) AdvanceTurn();
  MoveFinder finder;
  Judge(seat, finder);
}

bool Position::has_legal_move(Seat seat) const {
  if (!is_in(seat)) return false;
  MoveFinder finder;
  MoveGenerator(*this, seat).Generate(finder);
  return finder.found;
}

// Does not build a MoveGenerator, because it is called for both opponents after every recorded ply.
bool Position::in_check(Seat seat) const {
  if (!is_in(seat)) return false;
  const Cell king = KingOf(seat);
  const size_t k = At(king);
  const CellSet all = occupied();
  const CellSet queens = of_type(PieceType::kQueen);
  const CellSet pawns = of_type(PieceType::kPawn);
  const CellSet near = (kAttacks.knight[k] & of_type(PieceType::kKnight)) |
                       (kAttacks.king[k] & of_type(PieceType::kKing)) |
                       (kAttacks.pawn_capturers[0][k] & pawns & ~homeward_) |
                       (kAttacks.pawn_capturers[1][k] & pawns & homeward_);
  const CellSet aligned = (kAttacks.rook_lines[k] & (of_type(PieceType::kRook) | queens)) |
                          (kAttacks.bishop_lines[k] & (of_type(PieceType::kBishop) | queens));
  const CellSet enemies = all & ~owned_[seat];
  if (!(near & enemies).empty()) return true;
  return AnyOf(aligned & enemies,
               [&](Cell slider) { return (Between(king, slider) & all).empty(); });
}

// Returns the heir of a mated seat: the owner of the checking pieces or, if both opponents give
// check, the one who moved last (§6.3, Ruling 7). That is `mover` or, in a position that was set up
// and has no last move, the seat before the victim.
Seat Position::MateAuthor(Seat victim, Seat mover) const {
  const CellSet checkers = MoveGenerator(*this, victim).checkers();
  if (mover != victim && !(checkers & owned_[mover]).empty()) return mover;
  const Seat next = NextIn(victim);
  const Seat last = NextIn(next);  // with two survivors: the victim, who does not check itself
  return (checkers & owned_[last]).empty() ? next : last;
}

bool Position::HasUsableEnPassant() const {
  return en_passant_ >= 0 && !is_over() && MoveGenerator(*this, to_move_).HasEnPassant();
}

}  // namespace triarch::triumvirate
