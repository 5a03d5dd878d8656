#include "core/tri_d/movegen.h"

#include "core/game/move_sinks.h"
#include "core/tri_d/hash.h"

namespace triarch::tri_d {
namespace {

// §5: the pins to which a board may go from each pin, by its passenger: [0] White's piece, [1]
// Black's piece, [2] none.
struct BoardMoves {
  std::array<std::array<uint16_t, kPins>, 3> to{};  // bit: Pin::index()
};
constexpr BoardMoves kBoardMoves = [] {
  constexpr std::array<std::pair<int, int>, 9> kForwardSteps = {
      {{1, 2}, {1, 3}, {2, 4}, {3, 2}, {3, 4}, {3, 5}, {4, 6}, {5, 4}, {5, 6}}};
  BoardMoves moves;
  const auto add = [&](size_t by, Pin from, Pin to) {
    moves.to[by][static_cast<size_t>(from.index())] |= static_cast<uint16_t>(1u << to.index());
  };
  for (const bool is_king_side : {false, true}) {
    for (const auto& [low, high] : kForwardSteps) {
      const Pin back = Pin::At(is_king_side, low);
      const Pin front = Pin::At(is_king_side, high);
      add(0, back, front);
      add(1, front, back);
      add(2, back, front);
      add(2, front, back);
    }
    for (int number = 1; number <= 6; ++number) {
      for (const size_t by : {size_t{0}, size_t{1}, size_t{2}}) {
        add(by, Pin::At(is_king_side, number), Pin::At(!is_king_side, number));
      }
    }
  }
  return moves;
}();

// The cell under a board on each pin where a pawn can stand unpromoted (§4): a1W, d1W, a8B or d8B.
constexpr std::array<CellSet, kPins> kCornerUnder = [] {
  std::array<CellSet, kPins> cells{};
  cells[0] = CellBit(Cell::At(0));    // below QL1
  cells[5] = CellBit(Cell::At(44));   // QL6
  cells[6] = CellBit(Cell::At(3));    // KL1
  cells[11] = CellBit(Cell::At(47));  // KL6
  return cells;
}();
constexpr CellSet CornerUnder(Pin pin) { return kCornerUnder[static_cast<size_t>(pin.index())]; }

}  // namespace

MoveGenerator::MoveGenerator(const Position& position, Seat seat, CellSet from)
    : p_(position),
      seat_(seat),
      own_(position.owned_[seat]),
      movers_(own_ & from),
      moves_boards_(from == kAllCells),
      occupied_(position.occupied()),
      enemies_(occupied_ & ~own_),
      king_(position.KingOf(seat)),
      map_(position.layout_),
      occupied_levels_(map_.LevelsOf(occupied_)),
      k_(ColumnOf(king_)),
      any_(occupied_levels_.any()),
      several_(occupied_levels_.several()),
      attackers_{
          .pawns = ColumnsOf(enemies_ & typed(PieceType::kPawn)),
          .knights = ColumnsOf(enemies_ & typed(PieceType::kKnight)),
          .kings = ColumnBit(ColumnOf(position.KingOf(Other(seat)))),
          .rooks = ColumnsOf(enemies_ & (typed(PieceType::kRook) | typed(PieceType::kQueen))),
          .bishops = ColumnsOf(enemies_ & (typed(PieceType::kBishop) | typed(PieceType::kQueen)))},
      attacked_(AttackedColumns()),
      is_in_check_((attacked_ & ColumnBit(k_)) != 0) {
  FindChecksAndPins();
}

// Returns the columns that an enemy attacks. The king hides none behind it, because it is to move.
ColumnSet MoveGenerator::AttackedColumns() const {
  const ColumnSet left = any_ & (several_ | ~ColumnBit(k_));
  return AllPawnAttacks(attackers_.pawns, Other(seat_)) | AllKnightAttacks(attackers_.knights) |
         kAttacks.king[At(std::countr_zero(attackers_.kings))] |
         AllSliderAttacks(attackers_.rooks, attackers_.bishops, left);
}

// Returns whether an enemy attacks the cells of the column, given the occupied columns.
bool MoveGenerator::IsAttacked(Column column, ColumnSet occupied) const {
  const size_t at = At(column);
  if (((kAttacks.knight[at] & attackers_.knights) | (kAttacks.king[at] & attackers_.kings) |
       (kAttacks.pawn_capturers[Index(Other(seat_))][at] & attackers_.pawns)) != 0) {
    return true;
  }
  ColumnSet aligned = (kAttacks.rook_lines[at] & attackers_.rooks) |
                      (kAttacks.bishop_lines[at] & attackers_.bishops);
  for (; aligned != 0; aligned &= aligned - 1) {
    if ((Between(column, std::countr_zero(aligned)) & occupied) == 0) return true;
  }
  return false;
}

// Adds the checks by pawns, knights and a king.
void MoveGenerator::AddLeapers() {
  const size_t at = At(k_);
  const ColumnSet pawns = kAttacks.pawn_capturers[Index(Other(seat_))][at] & attackers_.pawns;
  const CellSet checkers =
      enemies_ & ((CellsOf(kAttacks.knight[at] & attackers_.knights) & typed(PieceType::kKnight)) |
                  (CellsOf(pawns) & typed(PieceType::kPawn)) |
                  (CellsOf(kAttacks.king[at] & attackers_.kings) & typed(PieceType::kKing)));
  AnyOf(checkers, [&](Cell checker) {
    targets_ &= CellBit(checker);
    return false;
  });
}

// Adds the checks or pins by the sliders of a column on a line of the king. At most one column in
// between is occupied, by one piece.
void MoveGenerator::AddSliders(Column column, ColumnSet between) {
  const bool is_straight = (kAttacks.rook_lines[At(k_)] & ColumnBit(column)) != 0;
  const CellSet sliders =
      CellsOf(ColumnBit(column)) & enemies_ &
      (typed(is_straight ? PieceType::kRook : PieceType::kBishop) | typed(PieceType::kQueen));
  const CellSet blocker = CellsOf(between) & occupied_;
  if (blocker == 0) {
    AnyOf(sliders, [&](Cell slider) {
      targets_ &= CellsOf(between) | CellBit(slider);
      return false;
    });
  } else if ((blocker & own_) != 0) {
    pinned_ |= blocker;
    pinners_ |= sliders;
  }
}

void MoveGenerator::FindChecksAndPins() {
  targets_ = ~own_;
  if (is_in_check_) AddLeapers();
  ColumnSet sliders = (kAttacks.rook_lines[At(k_)] & attackers_.rooks) |
                      (kAttacks.bishop_lines[At(k_)] & attackers_.bishops);
  for (; sliders != 0; sliders &= sliders - 1) {
    const Column column = std::countr_zero(sliders);
    const ColumnSet between = Between(k_, column);
    const ColumnSet blockers = between & any_;
    if ((blockers & ((blockers - 1) | several_)) == 0) AddSliders(column, between);
  }
}

// Returns the targets to which a pinned piece may go.
CellSet MoveGenerator::TargetsOfPinned(Cell from) const {
  CellSet allowed = targets_;
  const ColumnSet column = ColumnBit(ColumnOf(from));
  AnyOf(pinners_, [&](Cell pinner) {
    const ColumnSet between = Between(k_, ColumnOf(pinner));
    if ((between & column) != 0) allowed &= CellsOf(between) | CellBit(pinner);
    return false;
  });
  return allowed;
}

// Returns whether the move leaves the mover's king unattacked. Tries the move on a copy.
bool MoveGenerator::IsLegal(Move move) const {
  Position next = p_;
  next.Apply(move);
  return !next.in_check(seat_);
}

template <class Sink>
bool MoveGenerator::GenerateFreed(Sink& sink) const {
  const Cell cell = *p_.pending();
  if ((movers_ & CellBit(cell)) == 0) return false;
  for (const PieceType type : kPromotions) {
    if (sink.One(Move(cell, cell, MoveKind::kFreed, type))) return true;
  }
  return false;
}

template <class Sink>
bool MoveGenerator::PassTargets(Sink& sink, Cell from, ColumnSet columns) const {
  if constexpr (requires { sink.Add(size_t{}); }) {
    if (!is_in_check_ && !is_pinned(from)) return sink.Add(open_levels_.CountIn(columns));
  }
  return sink.Targets(from, CellsOf(columns) & AllowedTargets(from));
}

template <class Sink>
bool MoveGenerator::GeneratePieces(Sink& sink) const {
  const CellSet queens = typed(PieceType::kQueen);
  // A pinned knight has no move: its targets are never on a line through its column.
  return AnyOf(movers_ & typed(PieceType::kKnight) & ~pinned_,
               [&](Cell from) {
                 return PassTargets(sink, from, kAttacks.knight[At(ColumnOf(from))]);
               }) ||
         AnyOf(movers_ & (typed(PieceType::kBishop) | queens),
               [&](Cell from) {
                 return PassTargets(sink, from, BishopAttacks(ColumnOf(from), any_));
               }) ||
         AnyOf(movers_ & (typed(PieceType::kRook) | queens), [&](Cell from) {
           return PassTargets(sink, from, RookAttacks(ColumnOf(from), any_));
         });
}

size_t MoveGenerator::CountPawnMoves(CellSet pawns) const {
  const Levels empty = open_levels_ - occupied_levels_;
  const Levels enemies = open_levels_ & occupied_levels_;
  const ColumnSet promotion = p_.layout_.PromotionColumns(seat_);
  size_t count = 0;
  const auto add = [&](const Levels& targets, ColumnSet columns) {
    count += targets.CountIn(columns);
    const ColumnSet promoting = columns & promotion;
    if (promoting != 0) count += (kPromotions.size() - 1) * targets.CountIn(promoting);
  };
  const auto add_pawns = [&](ColumnSet columns) {  // one pawn in each
    add(empty, Ahead(columns, seat_));
    const ColumnSet left = Ahead(Left(columns), seat_) & any_;
    const ColumnSet right = Ahead(Right(columns), seat_) & any_;
    if ((left | right) == 0) return;
    add(enemies, left);
    add(enemies, right);
  };
  const Levels levels = map_.LevelsOf(pawns);
  add_pawns(levels.any());
  if (levels.several() != 0) {
    ColumnSet before = 0;
    for (const ColumnSet level : levels.at) {
      add_pawns(level & before);
      before |= level;
    }
  }
  // No two pawns begin in the same column.
  const ColumnSet passed = Ahead(ColumnsOf(pawns & p_.double_steppers_), seat_) & ~any_;
  return count + empty.CountIn(Ahead(passed, seat_));
}

template <class Sink>
bool MoveGenerator::GeneratePawns(Sink& sink) const {
  CellSet pawns = movers_ & typed(PieceType::kPawn);
  if constexpr (requires { sink.Add(size_t{}); }) {
    if (!is_in_check_) {
      if (sink.Add(CountPawnMoves(pawns & ~pinned_))) return true;
      pawns &= pinned_;
    }
  }
  const int forward = Forward(seat_);
  const ColumnSet promotion = p_.layout_.PromotionColumns(seat_);
  return AnyOf(pawns, [&](Cell from) {
    const Column column = ColumnOf(from);
    const Column next = column + forward;
    if (next < 0 || next >= kColumns) return false;  // the pawn is on the last rank of the map
    const CellSet allowed = AllowedTargets(from);
    const ColumnSet attacked = kAttacks.pawn_captures[Index(seat_)][At(column)];
    CellSet to = CellsOf(ColumnBit(next)) & ~occupied_;
    if ((attacked & any_) != 0) to |= CellsOf(attacked) & enemies_;
    to &= allowed;
    if ((p_.double_steppers_ & CellBit(from)) != 0 && (any_ & ColumnBit(next)) == 0) {
      const CellSet second = CellsOf(ColumnBit(next + forward)) & ~occupied_ & allowed;
      if (AnyOf(second,
                [&](Cell cell) { return sink.One(Move(from, cell, MoveKind::kDoubleStep)); })) {
        return true;
      }
    }
    if (to == 0) return false;
    CellSet promotions = 0;
    if (((attacked | ColumnBit(next)) & promotion) != 0) promotions = to & CellsOf(promotion);
    const CellSet rest = to & ~promotions;
    return (promotions != 0 && sink.Promotions(from, promotions, MoveKind::kNormal)) ||
           (rest != 0 && sink.Targets(from, rest));
  });
}

// The capturing pawn may land on any cell of the column that the double step passed (§4).
template <class Sink>
bool MoveGenerator::GenerateEnPassant(Sink& sink) const {
  if (p_.en_passant_ < 0) return false;
  const Column passed = ColumnOf(Cell::At(p_.en_passant_)) - Forward(Other(seat_));
  const CellSet capturers = CellsOf(kAttacks.pawn_capturers[Index(seat_)][At(passed)]) & movers_ &
                            typed(PieceType::kPawn);
  if (capturers == 0) return false;
  const CellSet to = CellsOf(ColumnBit(passed)) & ~occupied_;
  return AnyOf(capturers, [&](Cell from) {
    return AnyOf(to, [&](Cell cell) {
      const Move move(from, cell, MoveKind::kEnPassant);
      return IsLegal(move) && sink.One(move);
    });
  });
}

bool MoveGenerator::HasEnPassant() const {
  MoveFinder finder;
  GenerateEnPassant(finder);
  return finder.found;
}

template <class Sink>
bool MoveGenerator::GenerateKing(Sink& sink) const {
  if ((movers_ & CellBit(king_)) == 0) return false;
  ColumnSet columns = kAttacks.king[At(k_)] & ~attacked_;
  if constexpr (Sink::kCapturesOnly) columns &= any_;
  if constexpr (requires { sink.Add(size_t{}); }) {
    if (sink.Add(open_levels_.CountIn(columns))) return true;
  } else {
    if (sink.Targets(king_, CellsOf(columns) & ~own_)) return true;
  }
  return !Sink::kCapturesOnly && GenerateCastling(sink);
}

// §6. A castling right implies that king and rook are at home. The cell that the king leaves is
// taken by the rook. The column that the rook leaves is only emptied for the long castling, and it
// is a corner of the map, so no line passes it. Therefore the lines to the king's target stay the
// same.
template <class Sink>
bool MoveGenerator::GenerateCastling(Sink& sink) const {
  if (is_in_check_ || p_.move_number_ == 1) return false;
  const int rank = seat_ == Seat::kFirst ? 0 : kRanks - 1;
  const auto try_castling = [&](MoveKind kind, int file) {
    const Column to = ColumnAt(file, rank);
    const CellSet cell = CellsOf(ColumnBit(to));
    if (kind == MoveKind::kCastleLong && (cell & occupied_) != 0) return false;
    if ((attacked_ & ColumnBit(to)) != 0) return false;
    return sink.One(Move(king_, Cell::At(std::countr_zero(cell)), kind));
  };
  return (p_.can_castle_short(seat_) && try_castling(MoveKind::kCastleShort, 5)) ||
         (p_.can_castle_long(seat_) && try_castling(MoveKind::kCastleLong, 1));
}

// Returns the attack boards that the player may move, by their first bits of the 16 for the cells
// of attack boards. One test of all four costs less than branches for each.
inline unsigned MoveGenerator::MovableBoards() const {
  const auto boards_with = [](unsigned cells) {
    return (cells | cells >> 1 | cells >> 2 | cells >> 3) & 0x1111;
  };
  const auto cells = static_cast<unsigned>(occupied_ >> kMainCells);
  const auto own = static_cast<unsigned>(own_ >> kMainCells);
  const unsigned of_color = seat_ == Seat::kFirst ? 0x0011 : 0x1100;
  const unsigned pairs = (cells & 0x5555) + (cells >> 1 & 0x5555);  // pieces on each two cells
  const unsigned crowded = boards_with((pairs & 0xaaaa) | (pairs & pairs >> 2 & 0x1111));
  return (boards_with(own) | (of_color & ~boards_with(cells))) & ~crowded;
}

// Generates the moves of attack boards (§5).
template <class Sink>
bool MoveGenerator::GenerateBoards(Sink& sink) const {
  if (!moves_boards_) return false;
  const unsigned taken = p_.layout_.taken();
  for (unsigned boards = MovableBoards(); boards != 0; boards &= boards - 1) {
    const int board = std::countr_zero(boards) / 4;
    const CellSet on_board = occupied_ & CellsOfAttackBoard(board);
    const size_t by = on_board == 0 ? 2 : Index(seat_);
    const Pin from = p_.layout_.pins[static_cast<size_t>(board)];
    // Only with a pawn on the board or below it can the move promote or free one.
    const bool has_pawn = ((on_board | CornerUnder(from)) & typed(PieceType::kPawn)) != 0;
    if (Sink::kCapturesOnly && !has_pawn) continue;
    unsigned pins = kBoardMoves.to[by][static_cast<size_t>(from.index())] & ~taken;
    for (; pins != 0; pins &= pins - 1) {
      const Pin pin = Pin::At(std::countr_zero(pins));
      if (ExposesKing(on_board, pin)) continue;
      if (has_pawn ? GeneratePawnBoard(sink, board, pin) : sink.One(Move::OfBoard(board, pin))) {
        return true;
      }
    }
  }
  return false;
}

// Returns what a move of a board with that passenger, if any, to the pin changes.
MoveGenerator::AfterBoardMove MoveGenerator::MoveBoard(CellSet passenger, Pin pin) const {
  if (passenger == 0) return {.occupied = any_, .king = k_};
  const Cell cell = Cell::At(std::countr_zero(passenger));
  const Column to =
      kBoardTables.pin_columns[static_cast<size_t>(pin.index())][static_cast<size_t>(cell.place())];
  const ColumnSet left = any_ & (several_ | ~ColumnBit(ColumnOf(cell)));
  return {.occupied = left | ColumnBit(to), .king = cell == king_ ? to : k_};
}

// Returns whether the king would be attacked after a board with that passenger, if any, has gone to
// the pin. No enemy piece moves with it.
bool MoveGenerator::ExposesKing(CellSet passenger, Pin pin) const {
  if (!is_in_check_ && (passenger & (pinned_ | CellBit(king_))) == 0) return false;
  if (passenger == 0) return true;
  const AfterBoardMove after = MoveBoard(passenger, pin);
  return IsAttacked(after.king, after.occupied);
}

// Generates the move of a board with a pawn on it or below it, which leaves the king unattacked.
template <class Sink>
bool MoveGenerator::GeneratePawnBoard(Sink& sink, int board, Pin pin) const {
  Layout next = p_.layout_;
  const auto promotes = [&](CellSet pawns, Seat seat) {
    pawns &= typed(PieceType::kPawn) & p_.owned_[seat];
    return pawns != 0 && (next.CellsOf(next.PromotionColumns(seat)) & pawns) != 0;
  };
  const CellSet on_board = occupied_ & CellsOfAttackBoard(board);
  Pin& moved = next.pins[static_cast<size_t>(board)];
  const CellSet corner = CornerUnder(moved);
  moved = pin;
  if (promotes(corner, Other(seat_))) {
    // §4: the opponent promotes first, possibly to a piece that attacks the king.
    const AfterBoardMove after = MoveBoard(on_board, pin);
    const Column from = ColumnOf(Cell::At(std::countr_zero(corner)));
    const ColumnSet attacked = RookAttacks(from, after.occupied) |
                               BishopAttacks(from, after.occupied) | kAttacks.knight[At(from)];
    if ((attacked & ColumnBit(after.king)) != 0) return false;
  }
  if (!promotes(on_board | corner, seat_)) return sink.One(Move::OfBoard(board, pin));
  for (const PieceType type : kPromotions) {
    if (sink.One(Move::OfBoard(board, pin, type))) return true;
  }
  return false;
}

template <class Sink>
void MoveGenerator::Generate(Sink& sink) {
  if constexpr (requires { sink.Add(size_t{}); }) open_levels_ = map_.LevelsOf(~own_);
  if (p_.pending_ >= 0) {
    GenerateFreed(sink);
    return;
  }
  if (targets_ != 0 && (GeneratePieces(sink) || GeneratePawns(sink))) return;
  if (GenerateKing(sink) || GenerateEnPassant(sink)) return;
  GenerateBoards(sink);
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
  if (!is_over()) MoveGenerator(*this, to_move_, CellBit(from)).Generate(moves);
}

MoveList<Move> Position::Captures() const {
  MoveList<Move> moves;
  if (is_over()) return moves;
  MoveGenerator generator(*this, to_move_);
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

// Judges mate and stalemate of the player to move (§7).
template <class Sink>
void Position::Judge(Sink& sink) {
  MoveGenerator generator(*this, to_move_);
  generator.Generate(sink);
  if (!sink.empty()) return;
  if (generator.in_check()) {
    is_out_[to_move_] = true;
    is_mate_ = true;
  } else {
    is_stalemate_ = true;
  }
}

template <class Sink>
void Position::PlayInto(Move move, Sink& sink) {
  const Seat mover = to_move_;
  CountUp(halfmove_clock_);
  Apply(move);
  if (move.kind() != MoveKind::kFreed) {
    if (mover == Seat::kSecond) CountUp(move_number_);
    SetToMove(Other(mover));
    const std::optional<Cell> freed =
        move.kind() == MoveKind::kBoard ? FreedPawn(to_move_) : std::nullopt;
    if (freed) pending_ = static_cast<int8_t>(freed->index());
  }
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

bool Position::in_check(Seat seat) const {
  if (!is_in(seat)) return false;
  const Column k = layout_.ColumnOf(KingOf(seat));
  const size_t at = At(k);
  const CellSet enemies = owned_[Other(seat)];
  const CellSet queens = of_type(PieceType::kQueen);
  const auto of = [&](PieceType type) { return of_type(type) & enemies; };
  if ((layout_.CellsOf(kAttacks.knight[at]) & of(PieceType::kKnight)) != 0) return true;
  if ((layout_.CellsOf(kAttacks.king[at]) & of(PieceType::kKing)) != 0) return true;
  if ((layout_.CellsOf(kAttacks.pawn_capturers[Index(Other(seat))][at]) & of(PieceType::kPawn)) !=
      0) {
    return true;
  }
  const CellSet sliders =
      ((layout_.CellsOf(kAttacks.rook_lines[at]) & (of_type(PieceType::kRook) | queens)) |
       (layout_.CellsOf(kAttacks.bishop_lines[at]) & (of_type(PieceType::kBishop) | queens))) &
      enemies;
  if (sliders == 0) return false;
  const ColumnSet occupied_columns = layout_.ColumnsOf(occupied()).any;
  return AnyOf(sliders, [&](Cell slider) {
    return (Between(k, layout_.ColumnOf(slider)) & occupied_columns) == 0;
  });
}

// En passant counts only if the capture is legal (§7).
uint64_t Position::key() const {
  if (en_passant_ < 0 || is_over() || !MoveGenerator(*this, to_move_).HasEnPassant()) return hash_;
  return hash_ ^ kHash.en_passant[HashCell(layout_, Cell::At(en_passant_))];
}

}  // namespace triarch::tri_d
