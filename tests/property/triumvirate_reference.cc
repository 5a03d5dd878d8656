#include "tests/property/triumvirate_reference.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/text.h"

namespace triarch::triumvirate_reference {
namespace {

constexpr std::string_view kSeatLetters = "wbr";
constexpr std::string_view kRightLetters = "KQ";
constexpr char kNoPiece = ' ';

enum class Kind { kPlain, kDoubleStep, kEnPassant, kCastling };

struct Move {
  int from;
  int to;
  char promotion = kNoPiece;
  Kind kind = Kind::kPlain;
};

// The castling table, cell by cell. Black has two lines per right, one for each start position.
struct Castling {
  int seat;
  int right;
  int king_from;
  int king_to;
  int rook_from;
  int rook_to;
};

const std::vector<Castling>& Castlings() {
  static const auto& table = *[] {
    auto* made = new std::vector<Castling>;
    const auto add = [&](int seat, int right, std::string_view king_from, std::string_view king_to,
                         std::string_view rook_from, std::string_view rook_to) {
      made->push_back({seat, right, CellNamed(king_from), CellNamed(king_to), CellNamed(rook_from),
                       CellNamed(rook_to)});
    };
    add(0, 0, "E1", "G1", "H1", "F1");
    add(0, 1, "E1", "C1", "A1", "D1");
    add(1, 0, "I8", "K8", "L8", "J8");
    add(1, 1, "I8", "C8", "A8", "D8");
    add(2, 0, "I12", "K12", "L12", "J12");
    add(2, 1, "I12", "F12", "H12", "E12");
    add(1, 0, "D8", "B8", "A8", "C8");
    add(1, 1, "D8", "J8", "L8", "I8");
    return made;
  }();
  return table;
}

bool IsEmpty(const State& state, int cell) { return state.cells[cell].type == kNoPiece; }

bool IsIn(const State& state, int seat) { return state.statuses[seat] == SeatStatus::kIn; }

int SurvivorsOf(const State& state) {
  return static_cast<int>(
      std::count(state.statuses.begin(), state.statuses.end(), SeatStatus::kIn));
}

// Returns the next player in turn order who is still in.
int SurvivorAfter(const State& state, int seat) {
  do {
    seat = (seat + 1) % kSeats;
  } while (!IsIn(state, seat));
  return seat;
}

bool OnBridge(int cell, int sector) {
  return SectorOf(cell) == sector || OppositeOf(cell) == sector;
}

bool SameBridge(int a, int b) { return OnBridge(a, SectorOf(b)) && OnBridge(a, OppositeOf(b)); }

// Computes the target by formula: on a bridge of the owner, the other end; on a foreign bridge, the
// end opposite the pawn's sector.
int FormulaTarget(int owner, int cell) {
  return OppositeOf(cell) == owner ? SectorOf(cell) : OppositeOf(cell);
}

bool IsStuck(const Piece& piece, int cell) {
  return piece.type == 'P' && piece.colour != piece.owner && OnBridge(cell, piece.colour) &&
         OnBridge(cell, piece.owner);
}

int HeadingOf(const Piece& pawn, int cell) {
  const int towards = IsStuck(pawn, cell) ? pawn.owner : pawn.target;
  return towards == SectorOf(cell) ? kToBaseRow : kToFront;
}

bool IsLineOpen(const State& state, const std::vector<Between>& ways) {
  return std::any_of(ways.begin(), ways.end(), [&](const Between& between) {
    return std::all_of(between.begin(), between.end(),
                       [&](int cell) { return IsEmpty(state, cell); });
  });
}

// Returns whether the piece on `from` attacks `to`. Except for pawns, this is also whether it could
// move there if no own piece were in the way.
bool Attacks(const State& state, int from, int to) {
  const Geometry& board = Board();
  const Piece& piece = state.cells[from];
  switch (piece.type) {
    case 'K':
      return board.king[from][to];
    case 'N':
      return board.knight[from][to];
    case 'R':
      return IsLineOpen(state, board.rook[from][to]);
    case 'B':
      return IsLineOpen(state, board.bishop[from][to]);
    case 'Q':
      return IsLineOpen(state, board.rook[from][to]) || IsLineOpen(state, board.bishop[from][to]);
    case 'P': {
      const std::vector<int>& captures = board.pawn_captures[from][HeadingOf(piece, from)];
      return std::find(captures.begin(), captures.end(), to) != captures.end();
    }
    default:
      return false;
  }
}

bool IsAttackedByOpponents(const State& state, int cell, int seat) {
  for (int from = 0; from < kCells; ++from) {
    if (!IsEmpty(state, from) && state.cells[from].owner != seat && Attacks(state, from, cell)) {
      return true;
    }
  }
  return false;
}

int KingOf(const State& state, int seat) {
  for (int cell = 0; cell < kCells; ++cell) {
    if (state.cells[cell].type == 'K' && state.cells[cell].owner == seat) return cell;
  }
  return kNowhere;
}

// Neither kings nor own pieces of any colour can be captured.
bool CanBeCaptured(const State& state, int cell, int seat) {
  const Piece& piece = state.cells[cell];
  return piece.type != kNoPiece && piece.type != 'K' && piece.owner != seat;
}

// The passed cell is on row 2 of its sector, and the pawn that passed it on row 3.
int EnPassantVictim(int ep) { return CellAt(SectorOf(ep), ColumnOf(ep), 3); }

void AddPawnMove(int seat, int from, int to, std::vector<Move>& moves) {
  if (RowOf(to) != 0 || SectorOf(to) == seat) {
    moves.push_back({from, to});
    return;
  }
  for (const char promotion : {'Q', 'R', 'B', 'N'}) moves.push_back({from, to, promotion});
}

void AddPawnPushes(const State& state, int from, std::vector<Move>& moves) {
  const Piece& pawn = state.cells[from];
  if (IsStuck(pawn, from)) return;
  const int heading = HeadingOf(pawn, from);
  const int once = Board().pawn_push[from][heading];
  if (once == kNowhere || !IsEmpty(state, once)) return;
  AddPawnMove(pawn.owner, from, once, moves);
  if (pawn.colour != pawn.owner || SectorOf(from) != pawn.colour || RowOf(from) != 1) return;
  const int twice = Board().pawn_push[once][heading];
  if (twice != kNowhere && IsEmpty(state, twice)) {
    moves.push_back({from, twice, kNoPiece, Kind::kDoubleStep});
  }
}

void AddPawnCaptures(const State& state, int from, std::vector<Move>& moves) {
  const Piece& pawn = state.cells[from];
  for (const int to : Board().pawn_captures[from][HeadingOf(pawn, from)]) {
    if (CanBeCaptured(state, to, pawn.owner)) {
      AddPawnMove(pawn.owner, from, to, moves);
    } else if (to == state.ep && IsEmpty(state, to) &&
               CanBeCaptured(state, EnPassantVictim(to), pawn.owner)) {
      moves.push_back({from, to, kNoPiece, Kind::kEnPassant});
    }
  }
}

bool AllEmptyBetween(const State& state, int a, int b) {
  // Both are on one base row, so the cells between them are those of the columns between them.
  for (int cell = std::min(a, b) + 1; cell < std::max(a, b); ++cell) {
    if (!IsEmpty(state, cell)) return false;
  }
  return true;
}

bool CanCastle(const State& state, const Castling& castling) {
  const int seat = castling.seat;
  if (!state.rights[seat][castling.right]) return false;
  if (state.cells[castling.king_from] != Piece{'K', seat, seat}) return false;
  if (state.cells[castling.rook_from] != Piece{'R', seat, seat}) return false;
  if (!AllEmptyBetween(state, castling.king_from, castling.rook_from)) return false;
  return !IsAttackedByOpponents(state, castling.king_from, seat) &&
         !IsAttackedByOpponents(state, castling.rook_to, seat) &&
         !IsAttackedByOpponents(state, castling.king_to, seat);
}

void AddCastlings(const State& state, int seat, std::vector<Move>& moves) {
  for (const Castling& castling : Castlings()) {
    if (castling.seat == seat && CanCastle(state, castling)) {
      moves.push_back({castling.king_from, castling.king_to, kNoPiece, Kind::kCastling});
    }
  }
}

// Returns the pseudo-legal moves.
std::vector<Move> MovesWithoutKingSafety(const State& state, int seat) {
  std::vector<Move> moves;
  for (int from = 0; from < kCells; ++from) {
    const Piece& piece = state.cells[from];
    if (piece.type == kNoPiece || piece.owner != seat) continue;
    if (piece.type == 'P') {
      AddPawnPushes(state, from, moves);
      AddPawnCaptures(state, from, moves);
      continue;
    }
    for (int to = 0; to < kCells; ++to) {
      if ((IsEmpty(state, to) || CanBeCaptured(state, to, seat)) && Attacks(state, from, to)) {
        moves.push_back({from, to});
      }
    }
  }
  AddCastlings(state, seat, moves);
  return moves;
}

// Drops the rights that end with a move: both rights of a moving king, and the right of a rook that
// leaves home or is captured there. `state` is the position before the move.
void DropRights(State& state, const Move& move) {
  for (const Castling& castling : Castlings()) {
    if (state.cells[castling.king_from] != Piece{'K', castling.seat, castling.seat}) continue;
    if (move.from == castling.king_from || move.from == castling.rook_from ||
        move.to == castling.rook_from) {
      state.rights[castling.seat][castling.right] = false;
    }
  }
}

Piece Lift(State& state, int cell) { return std::exchange(state.cells[cell], Piece{}); }

void MoveCastlingRook(State& state, const Move& move) {
  for (const Castling& castling : Castlings()) {
    if (castling.king_from == move.from && castling.king_to == move.to) {
      state.cells[castling.rook_to] = Lift(state, castling.rook_from);
    }
  }
}

// Updates board, rights, en passant target and clock. Does not pass the turn.
void MakeMove(State& state, const Move& move) {
  DropRights(state, move);
  const Piece lifted = Lift(state, move.from);
  const int victim = move.kind == Kind::kEnPassant ? EnPassantVictim(move.to) : move.to;
  const bool is_capture = Lift(state, victim).type != kNoPiece;
  Piece& moved = state.cells[move.to];
  moved = lifted;
  if (lifted.type == 'P' && is_capture && !SameBridge(move.from, move.to)) {
    moved.target = FormulaTarget(moved.owner, move.to);
  }
  if (move.promotion != kNoPiece) moved = {move.promotion, lifted.colour, lifted.owner};
  if (move.kind == Kind::kCastling) MoveCastlingRook(state, move);
  state.ep = kNowhere;
  if (move.kind == Kind::kDoubleStep) state.ep = Board().pawn_push[move.from][kToFront];
  state.halfmove = is_capture || lifted.type == 'P' ? 0 : state.halfmove + 1;
}

bool IsLegal(const State& state, const Move& move, int seat) {
  State after = state;
  MakeMove(after, move);
  return !InCheck(after, seat);
}

// Assumes that it is the seat's turn and the game is not over.
std::vector<Move> LegalMovesOf(const State& state, int seat) {
  std::vector<Move> moves = MovesWithoutKingSafety(state, seat);
  std::erase_if(moves, [&](const Move& move) { return !IsLegal(state, move, seat); });
  return moves;
}

bool IsStalemated(const State& state, int seat) {
  return !InCheck(state, seat) && !HasLegalMove(state, seat);
}

bool AreAllStalemated(const State& state) {
  for (int seat = 0; seat < kSeats; ++seat) {
    if (IsIn(state, seat) && !IsStalemated(state, seat)) return false;
  }
  return true;
}

bool IsMaterialInsufficient(const State& state) {
  std::array<int, kSeats> minors{};
  for (const Piece& piece : state.cells) {
    if (piece.type == kNoPiece || piece.type == 'K') continue;
    if (piece.type != 'B' && piece.type != 'N') return false;
    ++minors[piece.owner];
  }
  const int total = minors[0] + minors[1] + minors[2];
  return total == 0 || (total == 1 && SurvivorsOf(state) == 2);
}

std::string MoveText(const Move& move) {
  std::string text = CellName(move.from) + "-" + CellName(move.to);
  if (move.promotion != kNoPiece) text += {'=', move.promotion};
  return text;
}

// ---- the turn ----

// Passes to the next player who is in. The move number increases when the turn passes from Red's
// place to White's.
void Advance(State& state) {
  do {
    state.active = (state.active + 1) % kSeats;
    if (state.active == 0) ++state.number;
  } while (!IsIn(state, state.active));
}

void Eliminate(State& state, int victim, int heir, SeatStatus status) {
  state.out_order[victim] = 1 + *std::max_element(state.out_order.begin(), state.out_order.end());
  state.statuses[victim] = status;
  state.rights[victim] = {};
  for (int cell = 0; cell < kCells; ++cell) {
    Piece& piece = state.cells[cell];
    if (piece.type == kNoPiece || piece.owner != victim) continue;
    if (piece.type == 'K') {
      piece = {};
      continue;
    }
    piece.owner = heir;
    if (piece.type == 'P') piece.target = FormulaTarget(heir, cell);
  }
}

// Returns the seat that gives check; if both opponents do, the one that moved last.
int MateAuthor(const State& state, int victim, int last_mover) {
  const int king = KingOf(state, victim);
  int author = kNowhere;
  for (int from = 0; from < kCells; ++from) {
    const int owner = state.cells[from].owner;
    if (IsEmpty(state, from) || owner == victim || !Attacks(state, from, king)) continue;
    if (author == kNowhere || owner == last_mover) author = owner;
  }
  CHECK(author != kNowhere);
  return author;
}

// Judges the player to move, and then the next, until one has a move or the game is over.
void Judge(State& state, int last_mover) {
  std::vector<std::pair<int, int64_t>> reached;  // seats, with their move numbers
  while (SurvivorsOf(state) > 1 && !HasLegalMove(state, state.active)) {
    reached.emplace_back(state.active, state.number);
    if (InCheck(state, state.active)) {
      const int author = MateAuthor(state, state.active, last_mover);
      Eliminate(state, state.active, author, SeatStatus::kMated);
    } else if (AreAllStalemated(state)) {
      // The turn stays with the first such seat.
      const auto first = std::find_if(reached.begin(), reached.end(),
                                      [&](const auto& at) { return IsIn(state, at.first); });
      std::tie(state.active, state.number) = *first;
      return;
    }
    Advance(state);
  }
}

void PlayMove(State& state, const Move& move) {
  const int mover = state.active;
  MakeMove(state, move);
  Advance(state);
  Judge(state, mover);
}

// ---- reading and writing ----

int SeatOf(char letter) {
  const size_t seat = kSeatLetters.find(letter);
  CHECK(seat != std::string_view::npos);
  return static_cast<int>(seat);
}

int64_t NumberOf(std::string_view text) {
  const std::optional<int64_t> number = ParseInt64(text);
  CHECK(number.has_value());
  return *number;
}

void ParsePiece(std::string_view text, State& state) {
  Piece piece{text.at(1), SeatOf(text.at(0)), SeatOf(text.at(0))};
  text.remove_prefix(2);
  if (text.at(0) == '>') {
    piece.owner = SeatOf(text.at(1));
    text.remove_prefix(2);
  }
  const size_t caret = text.find('^');
  const int cell = CellNamed(text.substr(0, caret));
  CHECK(cell != kNowhere && IsEmpty(state, cell));
  if (piece.type == 'P') {
    piece.target = caret == std::string_view::npos ? FormulaTarget(piece.owner, cell)
                                                   : SeatOf(text.at(caret + 1));
  }
  state.cells[cell] = piece;
}

std::string PieceText(const Piece& piece, int cell) {
  std::string text = {kSeatLetters[piece.colour], piece.type};
  if (piece.owner != piece.colour) text += {'>', kSeatLetters[piece.owner]};
  text += CellName(cell);
  if (piece.type == 'P' && !IsStuck(piece, cell) &&
      piece.target != FormulaTarget(piece.owner, cell)) {
    text += {'^', kSeatLetters[piece.target]};
  }
  return text;
}

std::string PiecesText(const State& state) {
  std::string text;
  for (const int cell : Board().by_name) {
    if (IsEmpty(state, cell)) continue;
    if (!text.empty()) text += ',';
    text += PieceText(state.cells[cell], cell);
  }
  return text;
}

// Parses "wKQ.bKQ.rKQ".
void ParseRights(std::string_view text, State& state) {
  const std::vector<std::string_view> parts = Split(text, '.');
  CHECK(parts.size() == kSeats);
  for (const std::string_view part : parts) {
    for (size_t right = 0; right < kRightLetters.size(); ++right) {
      state.rights[SeatOf(part.at(0))][right] =
          part.find(kRightLetters[right]) != std::string_view::npos;
    }
  }
}

std::string RightsText(const State& state) {
  std::string text;
  for (int seat = 0; seat < kSeats; ++seat) {
    if (seat > 0) text += '.';
    text += kSeatLetters[seat];
    if (state.rights[seat][0]) text += kRightLetters[0];
    if (state.rights[seat][1]) text += kRightLetters[1];
    if (!state.rights[seat][0] && !state.rights[seat][1]) text += '-';
  }
  return text;
}

void ParseFates(std::string_view text, State& state) {
  CHECK(text.size() == kSeats);
  for (int seat = 0; seat < kSeats; ++seat) {
    const char letter = text[static_cast<size_t>(seat)];
    if (letter == 'm') state.statuses[seat] = SeatStatus::kMated;
    if (letter == 'x') state.statuses[seat] = SeatStatus::kOut;
    state.out_order[seat] = IsIn(state, seat) ? 0 : 1;
  }
}

char StatusLetter(const State& state, int seat) {
  if (state.statuses[seat] == SeatStatus::kMated) return 'm';
  if (state.statuses[seat] == SeatStatus::kOut) return 'x';
  if (InCheck(state, seat)) return 'c';
  return HasLegalMove(state, seat) ? 'a' : 's';
}

// ---- endings ----

Ending MakeEnding(const State& state, std::string_view termination) {
  return EndingForThree(termination, {IsIn(state, 0), IsIn(state, 1), IsIn(state, 2)},
                        state.out_order);
}

std::string_view LastElimination(const State& state) {
  const auto last = std::max_element(state.out_order.begin(), state.out_order.end());
  const SeatStatus status = state.statuses[static_cast<size_t>(last - state.out_order.begin())];
  return status == SeatStatus::kMated ? "checkmate" : "resignation";
}

}  // namespace

State Parse3pf(std::string_view text) {
  const std::vector<std::string_view> fields = Split(text, ' ');
  CHECK(fields.size() == 7);
  State state;
  for (const std::string_view piece : Split(fields[0], ',')) ParsePiece(piece, state);
  state.active = SeatOf(fields[1].at(0));
  ParseRights(fields[2], state);
  if (fields[3] != "-") state.ep = CellNamed(fields[3]);
  ParseFates(fields[4], state);
  state.halfmove = NumberOf(fields[5]);
  state.number = NumberOf(fields[6]);
  return state;
}

std::string To3pf(const State& state) {
  std::string status;
  for (int seat = 0; seat < kSeats; ++seat) status += StatusLetter(state, seat);
  const std::string ep = state.ep == kNowhere ? "-" : CellName(state.ep);
  return PiecesText(state) + ' ' + kSeatLetters[state.active] + ' ' + RightsText(state) + ' ' + ep +
         ' ' + status + ' ' + std::to_string(state.halfmove) + ' ' + std::to_string(state.number);
}

bool HasLegalMove(const State& state, int seat) {
  const std::vector<Move> moves = MovesWithoutKingSafety(state, seat);
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Move& move) { return IsLegal(state, move, seat); });
}

std::vector<std::string> LegalMoves(const State& state) {
  std::vector<std::string> texts;
  if (IsOver(state)) return texts;
  for (const Move& move : LegalMovesOf(state, state.active)) texts.push_back(MoveText(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

bool InCheck(const State& state, int seat) {
  const int king = KingOf(state, seat);
  return king != kNowhere && IsAttackedByOpponents(state, king, seat);
}

bool CanCaptureEnPassant(const State& state) {
  if (state.ep == kNowhere) return false;
  const std::vector<Move> moves = LegalMovesOf(state, state.active);
  return std::any_of(moves.begin(), moves.end(),
                     [](const Move& move) { return move.kind == Kind::kEnPassant; });
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
  Eliminate(state, seat, SurvivorAfter(state, seat), SeatStatus::kOut);
  if (state.active == seat) Advance(state);
  // At most one opponent is left, so the author of a mate is unambiguous.
  Judge(state, kNowhere);
}

std::optional<Ending> EndingOf(const State& state) {
  if (SurvivorsOf(state) == 1) return MakeEnding(state, LastElimination(state));
  if (IsMaterialInsufficient(state)) return MakeEnding(state, "insufficient_material");
  if (AreAllStalemated(state)) return MakeEnding(state, "stalemate");
  return std::nullopt;
}

bool IsOver(const State& state) { return EndingOf(state).has_value(); }

uint64_t Perft(const State& state, int depth) {
  const auto moves_of = [](const State& at) {
    return IsOver(at) ? std::vector<Move>() : LegalMovesOf(at, at.active);
  };
  return CountLeaves(state, depth, moves_of, PlayMove);
}

std::string RepetitionText(const State& state) {
  std::string text = PiecesText(state) + ' ' + kSeatLetters[state.active] + ' ' + RightsText(state);
  text += ' ' + (CanCaptureEnPassant(state) ? CellName(state.ep) : "-") + ' ';
  for (int seat = 0; seat < kSeats; ++seat) text += IsIn(state, seat) ? '1' : '0';
  return text;
}

std::optional<Ending> History::ending() const {
  if (std::optional<Ending> ending = EndingOf(state())) return ending;
  if (occurrences() >= 3) return MakeEnding(state(), "threefold_repetition");
  if (state().halfmove >= 75 * SurvivorsOf(state()))
    return MakeEnding(state(), "seventy_five_moves");
  return std::nullopt;
}

}  // namespace triarch::triumvirate_reference
