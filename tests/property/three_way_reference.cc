#include "tests/property/three_way_reference.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/text.h"

namespace triarch::three_way_reference {
namespace {

constexpr std::string_view kSeatLetters = "WGB";
constexpr std::string_view kRightLetters = "qk";
constexpr char kNoPiece = ' ';
constexpr int kKingColumn = 4;
constexpr int64_t kClockMax = 100;

constexpr std::array<Hex, 6> kLines = {
    {{1, 0, -1}, {1, -1, 0}, {0, -1, 1}, {-1, 0, 1}, {-1, 1, 0}, {0, 1, -1}}};
constexpr std::array<Hex, 6> kDiagonals = {
    {{2, -1, -1}, {1, -2, 1}, {-1, -1, 2}, {-2, 1, 1}, {-1, 2, -1}, {1, 1, -2}}};

// Pawn directions by seat.
struct PawnSteps {
  Hex forward;
  Hex left;   // captures towards prev
  Hex right;  // captures towards next
};
constexpr std::array<PawnSteps, kSeats> kPawns = {{
    {{0, 1, -1}, {-1, 2, -1}, {1, 1, -2}},
    {{-1, 0, 1}, {-1, -1, 2}, {-2, 1, 1}},
    {{1, -1, 0}, {2, -1, -1}, {1, -2, 1}},
}};

struct Move {
  Hex from;
  Hex to;
  char promotion = kNoPiece;
  // For an en passant capture: the cell of the captured pawn.
  std::optional<Hex> victim{};
  // For castling: 0 on the queen side, 1 on the king side.
  std::optional<int> castling{};
};

Hex operator+(Hex a, Hex b) { return {a.q + b.q, a.r + b.r, a.s + b.s}; }

int NextOf(int seat) { return (seat + 1) % kSeats; }
int PrevOf(int seat) { return (seat + 2) % kSeats; }

bool IsEmpty(const State& state, Hex cell) { return state.at(cell).type == kNoPiece; }

bool IsIn(const State& state, int seat) { return state.statuses[seat] == SeatStatus::kIn; }

int PresentOf(const State& state) {
  return static_cast<int>(
      std::count(state.statuses.begin(), state.statuses.end(), SeatStatus::kIn));
}

Piece Lift(State& state, Hex cell) { return std::exchange(state.at(cell), Piece{}); }

Piece PieceOf(int seat, char type) { return {type, static_cast<signed char>(seat)}; }

std::optional<Hex> KingOf(const State& state, int seat) {
  for (const Hex cell : Cells()) {
    if (state.at(cell) == PieceOf(seat, 'k')) return cell;
  }
  return std::nullopt;
}

Hex CornerOf(int seat, int side) { return CellAt(seat, 0, side == 0 ? 0 : kColumns - 1); }

bool IsOnPawnRow(int seat, Hex cell) {
  for (int column = 0; column < kColumns; ++column) {
    if (CellAt(seat, 1, column) == cell) return true;
  }
  return false;
}

// Returns whether a pawn of that seat promotes there, i.e. has no cell ahead.
bool IsPromotionCell(int seat, Hex cell) { return !IsOnBoard(cell + kPawns[seat].forward); }

// ---- Attacks. ----

void AddIfOnBoard(Hex cell, std::vector<Hex>& cells) {
  if (IsOnBoard(cell)) cells.push_back(cell);
}

void AddSlides(const State& state, Hex from, const std::array<Hex, 6>& steps,
               std::vector<Hex>& cells) {
  for (const Hex step : steps) {
    for (Hex cell = from + step; IsOnBoard(cell); cell = cell + step) {
      cells.push_back(cell);
      if (!IsEmpty(state, cell)) break;
    }
  }
}

// Returns all steps whose components are 1, 2 and 3 in size.
const std::vector<Hex>& KnightSteps() {
  static const auto& steps = *[] {
    auto* made = new std::vector<Hex>;
    for (int q = -3; q <= 3; ++q) {
      for (int r = -3; r <= 3; ++r) {
        const int s = -q - r;
        std::array<int, 3> sizes = {std::abs(q), std::abs(r), std::abs(s)};
        std::sort(sizes.begin(), sizes.end());
        if (sizes == std::array<int, 3>{1, 2, 3}) made->push_back({q, r, s});
      }
    }
    return made;
  }();
  return steps;
}

// Returns every cell that the piece on `from` attacks. Except for pawns, these are also the cells
// it could move to if no own piece were there.
std::vector<Hex> AttacksFrom(const State& state, Hex from) {
  const Piece& piece = state.at(from);
  std::vector<Hex> cells;
  cells.reserve(40);
  switch (piece.type) {
    case 'k':
      for (const Hex step : kLines) AddIfOnBoard(from + step, cells);
      for (const Hex step : kDiagonals) AddIfOnBoard(from + step, cells);
      break;
    case 'n':
      for (const Hex step : KnightSteps()) AddIfOnBoard(from + step, cells);
      break;
    case 'r':
      AddSlides(state, from, kLines, cells);
      break;
    case 'b':
      AddSlides(state, from, kDiagonals, cells);
      break;
    case 'q':
      AddSlides(state, from, kLines, cells);
      AddSlides(state, from, kDiagonals, cells);
      break;
    case 'p':
      if (IsPromotionCell(piece.owner, from)) break;
      AddIfOnBoard(from + kPawns[piece.owner].left, cells);
      AddIfOnBoard(from + kPawns[piece.owner].right, cells);
      break;
    default:
      break;
  }
  return cells;
}

bool IsAttackedByOpponents(const State& state, Hex cell, int seat) {
  for (const Hex from : Cells()) {
    if (IsEmpty(state, from) || state.at(from).owner == seat) continue;
    const std::vector<Hex> attacked = AttacksFrom(state, from);
    if (std::find(attacked.begin(), attacked.end(), cell) != attacked.end()) return true;
  }
  return false;
}

// ---- Moves. ----

void AddPawnMove(int seat, Move move, std::vector<Move>& moves) {
  if (!IsPromotionCell(seat, move.to)) {
    moves.push_back(move);
    return;
  }
  for (const char promotion : {'q', 'r', 'b', 'n'}) {
    move.promotion = promotion;
    moves.push_back(move);
  }
}

void AddPawnPushes(const State& state, Hex from, std::vector<Move>& moves) {
  const int seat = state.at(from).owner;
  const Hex once = from + kPawns[seat].forward;
  if (!IsOnBoard(once) || !IsEmpty(state, once)) return;
  AddPawnMove(seat, {from, once}, moves);
  const Hex twice = once + kPawns[seat].forward;
  if (IsOnPawnRow(seat, from) && IsOnBoard(twice) && IsEmpty(state, twice)) {
    AddPawnMove(seat, {from, twice}, moves);
  }
}

// Adds one of a pawn's two captures: of the piece on `to`, or of the pawn of `pusher` en passant.
void AddPawnCapture(const State& state, Hex from, Hex to, int pusher, std::vector<Move>& moves) {
  const int seat = state.at(from).owner;
  if (!IsOnBoard(to)) return;
  if (!IsEmpty(state, to)) {
    if (state.at(to).owner != seat) AddPawnMove(seat, {from, to}, moves);
    return;
  }
  // The pawn that made the double push stands one step beyond the cell it passed.
  const Hex victim = from + kPawns[seat].forward;
  if (state.ep[pusher] == to && victim == to + kPawns[pusher].forward && IsOnBoard(victim) &&
      state.at(victim) == PieceOf(pusher, 'p')) {
    AddPawnMove(seat, {from, to, kNoPiece, victim}, moves);
  }
}

void AddPawnMoves(const State& state, Hex from, std::vector<Move>& moves) {
  const int seat = state.at(from).owner;
  if (IsPromotionCell(seat, from)) return;
  AddPawnPushes(state, from, moves);
  AddPawnCapture(state, from, from + kPawns[seat].left, PrevOf(seat), moves);
  AddPawnCapture(state, from, from + kPawns[seat].right, NextOf(seat), moves);
}

bool CanCastle(const State& state, int seat, int side) {
  if (!state.rights[seat][side]) return false;
  const int towards = side == 0 ? -1 : 1;
  for (int column = kKingColumn + towards; column > 0 && column < kColumns - 1; column += towards) {
    if (!IsEmpty(state, CellAt(seat, 0, column))) return false;
  }
  // The cells where the king starts, passes and ends.
  for (const int column : {kKingColumn, kKingColumn + towards, kKingColumn + 2 * towards}) {
    if (IsAttackedByOpponents(state, CellAt(seat, 0, column), seat)) return false;
  }
  return true;
}

void AddCastlings(const State& state, int seat, std::vector<Move>& moves) {
  for (const int side : {0, 1}) {
    if (!CanCastle(state, seat, side)) continue;
    const int column = side == 0 ? kKingColumn - 2 : kKingColumn + 2;
    moves.push_back(
        {CellAt(seat, 0, kKingColumn), CellAt(seat, 0, column), kNoPiece, std::nullopt, side});
  }
}

// Returns the pseudo-legal moves.
std::vector<Move> MovesWithoutKingSafety(const State& state, int seat) {
  std::vector<Move> moves;
  for (const Hex from : Cells()) {
    const Piece& piece = state.at(from);
    if (piece.type == kNoPiece || piece.owner != seat) continue;
    if (piece.type == 'p') {
      AddPawnMoves(state, from, moves);
      continue;
    }
    for (const Hex to : AttacksFrom(state, from)) {
      if (state.at(to).owner != seat) moves.push_back({from, to});
    }
  }
  AddCastlings(state, seat, moves);
  return moves;
}

// Moves the pieces. The army of a captured king stays on the board.
void MovePieces(State& state, const Move& move) {
  Piece moved = Lift(state, move.from);
  if (move.promotion != kNoPiece) moved.type = move.promotion;
  if (move.victim) Lift(state, *move.victim);
  state.at(move.to) = moved;
  if (move.castling) {
    const int column = *move.castling == 0 ? kKingColumn - 1 : kKingColumn + 1;
    state.at(CellAt(moved.owner, 0, column)) = Lift(state, CornerOf(moved.owner, *move.castling));
  }
}

bool IsLegal(const State& state, const Move& move, int seat) {
  State after = state;
  MovePieces(after, move);
  return !InCheck(after, seat);
}

// Assumes that it is the seat's turn and the game is not over.
std::vector<Move> LegalMovesOf(const State& state, int seat) {
  std::vector<Move> moves = MovesWithoutKingSafety(state, seat);
  std::erase_if(moves, [&](const Move& move) { return !IsLegal(state, move, seat); });
  return moves;
}

std::string MoveText(const Move& move) {
  std::string text = CellName(move.from) + "-" + CellName(move.to);
  if (move.promotion != kNoPiece) text += {'=', static_cast<char>(move.promotion - 'a' + 'A')};
  return text;
}

// ---- the turn ----

void Eliminate(State& state, int seat, SeatStatus status) {
  state.out_order[seat] = 1 + *std::max_element(state.out_order.begin(), state.out_order.end());
  state.statuses[seat] = status;
  state.rights[seat] = {};
  state.ep[seat] = std::nullopt;
  for (const Hex cell : Cells()) {
    if (state.at(cell).owner == seat) Lift(state, cell);
  }
}

// Passes to the next player who is in. The move number increases when the turn passes from Black's
// place to White's.
void Advance(State& state) {
  do {
    state.active = NextOf(state.active);
    if (state.active == 0) ++state.number;
  } while (!IsIn(state, state.active));
}

// Drops the rights that end with a move of `seat`. `state` is the position before the move.
void DropRights(State& state, const Move& move, int seat) {
  if (state.at(move.from).type == 'k') state.rights[seat] = {};
  for (int owner = 0; owner < kSeats; ++owner) {
    for (const int side : {0, 1}) {
      // While the right exists, its rook stands in the corner.
      const Hex corner = CornerOf(owner, side);
      if (move.from == corner || move.to == corner) state.rights[owner][side] = false;
    }
  }
}

std::optional<Hex> PassedOver(const State& state, const Move& move) {
  const Piece& piece = state.at(move.from);
  if (piece.type != 'p') return std::nullopt;
  const Hex once = move.from + kPawns[piece.owner].forward;
  if (move.to != once + kPawns[piece.owner].forward) return std::nullopt;
  return once;
}

void PlayMove(State& state, const Move& move) {
  const int mover = state.active;
  const Piece captured = state.at(move.to);
  const bool is_irreversible = captured.type != kNoPiece ||
                               state.at(move.from).type == 'p';  // pawns also capture en passant
  DropRights(state, move, mover);
  state.ep[mover] = PassedOver(state, move);
  state.clock = is_irreversible ? 0 : state.clock + 1;
  MovePieces(state, move);
  if (captured.type == 'k') Eliminate(state, captured.owner, SeatStatus::kCaptured);
  Advance(state);
  JudgeTurn(state);
}

// ---- reading and writing ----

int64_t NumberOf(std::string_view text) {
  const std::optional<int64_t> number = ParseInt64(text);
  CHECK(number.has_value() && *number >= 0);
  return *number;
}

void ParseRow(std::string_view text, int seat, int third, int row, State& state) {
  int column = 0;
  for (const char letter : text) {
    if (letter >= '1' && letter <= '8') {
      column += letter - '0';
      continue;
    }
    CHECK(std::string_view("kqrbnp").find(letter) != std::string_view::npos && column < kColumns);
    Piece& piece = state.at(CellAt(third, row, column));
    CHECK(piece.type == kNoPiece);
    piece = PieceOf(seat, letter);
    ++column;
  }
  CHECK(column == kColumns);
}

void ParsePart(std::string_view text, int seat, State& state) {
  const std::vector<std::string_view> rows = Split(text, '/');
  size_t next = 0;
  for (int third = 0; third < kSeats; ++third) {
    if (rows.at(next) == "X") {
      ++next;
      continue;
    }
    for (int row = 0; row < kRows; ++row) ParseRow(rows.at(next++), seat, third, row, state);
  }
  CHECK(next == rows.size());
}

// A player with pieces is in and has one king; a player without pieces is out.
void ParsePlayers(State& state) {
  for (int seat = 0; seat < kSeats; ++seat) {
    const auto is_own = [&](Hex cell) { return state.at(cell).owner == seat; };
    const auto is_king = [&](Hex cell) { return state.at(cell) == PieceOf(seat, 'k'); };
    if (std::none_of(Cells().begin(), Cells().end(), is_own)) {
      state.statuses[seat] = SeatStatus::kOut;
      state.out_order[seat] = 1;
    } else {
      CHECK(std::count_if(Cells().begin(), Cells().end(), is_king) == 1);
    }
  }
  CHECK(PresentOf(state) >= 2);
}

void ParseRights(std::string_view text, State& state) {
  CHECK(text.size() == 2 * kSeats);
  for (int seat = 0; seat < kSeats; ++seat) {
    for (const int side : {0, 1}) {
      const char letter = text[static_cast<size_t>(2 * seat + side)];
      if (letter == '-') continue;
      CHECK(letter == kRightLetters[static_cast<size_t>(side)]);
      CHECK(state.at(CellAt(seat, 0, kKingColumn)) == PieceOf(seat, 'k'));
      CHECK(state.at(CornerOf(seat, side)) == PieceOf(seat, 'r'));
      state.rights[seat][side] = true;
    }
  }
}

void ParseEnPassant(std::string_view text, State& state) {
  CHECK(text.size() == kSeats);
  for (int seat = 0; seat < kSeats; ++seat) {
    const char digit = text[static_cast<size_t>(seat)];
    if (digit == '-') continue;
    CHECK(digit >= '1' && digit <= '8' && IsIn(state, seat));
    state.ep[seat] = CellAt(seat, 2, digit - '1');
  }
}

std::string RowText(const State& state, int seat, int third, int row) {
  std::string text;
  int gap = 0;
  const auto close_gap = [&] {
    if (gap > 0) text += std::to_string(gap);
    gap = 0;
  };
  for (int column = 0; column < kColumns; ++column) {
    const Piece& piece = state.at(CellAt(third, row, column));
    if (piece.owner != seat) {
      ++gap;
      continue;
    }
    close_gap();
    text += piece.type;
  }
  close_gap();
  return text;
}

std::string ThirdText(const State& state, int seat, int third) {
  std::string text;
  for (int row = 0; row < kRows; ++row) {
    if (row > 0) text += '/';
    text += RowText(state, seat, third, row);
  }
  return text == "8/8/8/8" ? "X" : text;
}

std::string PiecesText(const State& state) {
  std::string text;
  for (int seat = 0; seat < kSeats; ++seat) {
    if (seat > 0) text += ' ';
    for (int third = 0; third < kSeats; ++third) {
      if (third > 0) text += '/';
      text += ThirdText(state, seat, third);
    }
  }
  return text;
}

std::string RightsText(const State& state) {
  std::string text;
  for (int seat = 0; seat < kSeats; ++seat) {
    for (const int side : {0, 1}) {
      text += state.rights[seat][side] ? kRightLetters[static_cast<size_t>(side)] : '-';
    }
  }
  return text;
}

std::string EnPassantText(const State& state) {
  std::string text;
  for (int seat = 0; seat < kSeats; ++seat) {
    char digit = '-';
    for (int column = 0; column < kColumns; ++column) {
      if (state.ep[seat] == CellAt(seat, 2, column)) digit = static_cast<char>('1' + column);
    }
    text += digit;
  }
  return text;
}

// ---- endings ----

Ending MakeEnding(const State& state, std::string_view termination) {
  return EndingForThree(termination, {IsIn(state, 0), IsIn(state, 1), IsIn(state, 2)},
                        state.out_order);
}

std::string_view LastElimination(const State& state) {
  const auto last = std::max_element(state.out_order.begin(), state.out_order.end());
  switch (state.statuses[static_cast<size_t>(last - state.out_order.begin())]) {
    case SeatStatus::kMated:
      return "checkmate";
    case SeatStatus::kCaptured:
      return "king_capture";
    default:
      return "resignation";
  }
}

}  // namespace

State ParseHexFen(std::string_view text) {
  const std::vector<std::string_view> fields = Split(text, ' ');
  CHECK(fields.size() == 8);
  State state;
  for (int seat = 0; seat < kSeats; ++seat) {
    ParsePart(fields[static_cast<size_t>(seat)], seat, state);
  }
  ParsePlayers(state);
  CHECK(fields[3].size() == 1 && kSeatLetters.find(fields[3]) != std::string_view::npos);
  state.active = static_cast<int>(kSeatLetters.find(fields[3]));
  CHECK(IsIn(state, state.active));
  ParseRights(fields[4], state);
  ParseEnPassant(fields[5], state);
  state.clock = NumberOf(fields[6]);
  state.number = NumberOf(fields[7]);
  return state;
}

std::string ToHexFen(const State& state) {
  return RepetitionText(state) + ' ' + std::to_string(state.clock) + ' ' +
         std::to_string(state.number);
}

std::vector<std::string> LegalMoves(const State& state) {
  std::vector<std::string> texts;
  if (IsOver(state)) return texts;
  for (const Move& move : LegalMovesOf(state, state.active)) texts.push_back(MoveText(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

bool HasLegalMove(const State& state, int seat) {
  const std::vector<Move> moves = MovesWithoutKingSafety(state, seat);
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Move& move) { return IsLegal(state, move, seat); });
}

bool InCheck(const State& state, int seat) {
  const std::optional<Hex> king = KingOf(state, seat);
  return king && IsAttackedByOpponents(state, *king, seat);
}

void Play(State& state, std::string_view move) {
  CHECK(!IsOver(state));
  for (const Move& legal : LegalMovesOf(state, state.active)) {
    if (MoveText(legal) == move) {
      PlayMove(state, legal);
      return;
    }
  }
  CHECK(false && "illegal move");
}

void Resign(State& state, int seat) {
  CHECK(IsIn(state, seat) && !IsOver(state));
  Eliminate(state, seat, SeatStatus::kOut);
  if (state.active == seat) Advance(state);
  JudgeTurn(state);
}

void JudgeTurn(State& state) {
  if (state.is_stalemate) return;
  std::array<bool, kSeats> stale{};
  while (PresentOf(state) > 1) {
    const int turn = state.active;
    bool are_others_stale = true;
    for (int seat = 0; seat < kSeats; ++seat) {
      if (seat != turn && IsIn(state, seat) && !stale[seat]) are_others_stale = false;
    }
    if (are_others_stale) {
      state.is_stalemate = true;
      return;
    }
    if (HasLegalMove(state, turn)) return;
    if (InCheck(state, turn)) {
      Eliminate(state, turn, SeatStatus::kMated);
      stale = {};
    } else if (PresentOf(state) == 2) {
      state.is_stalemate = true;
      return;
    } else {
      stale[turn] = true;
    }
    Advance(state);
  }
}

std::optional<Ending> EndingOf(const State& state) {
  if (PresentOf(state) == 1) return MakeEnding(state, LastElimination(state));
  if (state.is_stalemate) return MakeEnding(state, "stalemate");
  if (state.clock >= kClockMax) return MakeEnding(state, "clock_limit");
  return std::nullopt;
}

bool IsOver(const State& state) { return EndingOf(state).has_value(); }

bool IsMaterialInsufficient(const State& state) {
  std::array<int, kSeats> knights{};
  std::array<int, kSeats> bishops{};
  for (const Hex cell : Cells()) {
    const Piece& piece = state.at(cell);
    if (piece.type == 'p' || piece.type == 'r' || piece.type == 'q') return false;
    if (piece.type == 'n') ++knights[piece.owner];
    if (piece.type == 'b') ++bishops[piece.owner];
  }
  if (PresentOf(state) == 3) return true;
  return *std::max_element(knights.begin(), knights.end()) < 2 &&
         *std::max_element(bishops.begin(), bishops.end()) < 3;
}

uint64_t Perft(const State& state, int depth) {
  const auto moves_of = [](const State& at) {
    return IsOver(at) ? std::vector<Move>() : LegalMovesOf(at, at.active);
  };
  return CountLeaves(state, depth, moves_of, PlayMove);
}

std::string RepetitionText(const State& state) {
  return PiecesText(state) + ' ' + kSeatLetters[static_cast<size_t>(state.active)] + ' ' +
         RightsText(state) + ' ' + EnPassantText(state);
}

std::optional<Ending> History::ending() const {
  if (std::optional<Ending> ending = EndingOf(state())) return ending;
  if (insufficient_material_ && IsMaterialInsufficient(state())) {
    return MakeEnding(state(), "insufficient_material");
  }
  if (occurrences() >= 3) return MakeEnding(state(), "threefold_repetition");
  return std::nullopt;
}

}  // namespace triarch::three_way_reference
