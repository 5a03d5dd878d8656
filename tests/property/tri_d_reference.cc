#include "tests/property/tri_d_reference.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/text.h"
#include "tests/property/tri_d_reference_board.h"

namespace triarch::tri_d_reference {
namespace {

constexpr std::string_view kSeatLetters = "wb";
constexpr std::string_view kPromotions = "QRBN";
constexpr int kFiftyMoves = 100;  // in plies

enum class Kind { kPlain, kDoubleStep, kEnPassant, kCastling, kBoard, kPendingPromotion };

// `from` and `to` are the cells of a piece's move, the levels of the pins of a board's move, the
// cells of the king for castling, or twice the pawn's cell for a pending promotion.
struct Move {
  int from;
  int to;
  char promotion = kNoPiece;
  Kind kind = Kind::kPlain;
};

// ---- attacks ----

using Step = std::pair<int, int>;  // files, ranks
constexpr std::array<Step, 4> kStraight = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Step, 4> kDiagonal = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Step, 8> kLeaps = {
    {{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}};

void AddLeaps(const State& state, int from, std::span<const Step> steps, std::vector<int>& cells) {
  for (const auto& [files, ranks] : steps) {
    for (const int to : Column(state, FileOf(from) + files, RankOf(from) + ranks)) {
      cells.push_back(to);
    }
  }
}

// Slides pass over columns without cells. The first column with a piece is the last one reached.
void AddSlides(const State& state, int from, std::span<const Step> steps, std::vector<int>& cells) {
  for (const auto& [files, ranks] : steps) {
    int file = FileOf(from) + files;
    int rank = RankOf(from) + ranks;
    while (file >= 0 && file < kFiles && rank >= 0 && rank < kRanks) {
      const Column column(state, file, rank);
      cells.insert(cells.end(), column.begin(), column.end());
      if (IsShadowed(state, column)) break;
      file += files;
      rank += ranks;
    }
  }
}

// Returns all cells that the piece attacks, whatever stands on them.
std::vector<int> AttackedFrom(const State& state, int from) {
  std::vector<int> cells;
  cells.reserve(64);
  const char piece = state.cells[from];
  const int forward = Forward(OwnerOf(piece));
  switch (TypeOf(piece)) {
    case 'K':
      AddLeaps(state, from, kStraight, cells);
      AddLeaps(state, from, kDiagonal, cells);
      break;
    case 'Q':
      AddSlides(state, from, kStraight, cells);
      AddSlides(state, from, kDiagonal, cells);
      break;
    case 'R':
      AddSlides(state, from, kStraight, cells);
      break;
    case 'B':
      AddSlides(state, from, kDiagonal, cells);
      break;
    case 'N':
      AddLeaps(state, from, kLeaps, cells);
      break;
    case 'P':
      AddLeaps(state, from, std::array<Step, 2>{{{-1, forward}, {1, forward}}}, cells);
      break;
    default:
      CHECK(false && "no such piece");
  }
  return cells;
}

bool IsAttacked(const State& state, int cell, int by_seat) {
  for (const int from : AllCells(state)) {
    if (!Belongs(state, from, by_seat)) continue;
    const std::vector<int> attacked = AttackedFrom(state, from);
    if (std::find(attacked.begin(), attacked.end(), cell) != attacked.end()) return true;
  }
  return false;
}

// ---- promotion ----

int LastRank(const State& state, int seat, int file) {
  const char letter = kFileLetters[static_cast<size_t>(file)];
  bool is_outer = letter == 'z' || letter == 'e';
  const int corner = seat == kWhite ? 6 : 1;
  if (letter == 'a') is_outer = IsOccupiedPin(state, PinLevel('Q', corner));
  if (letter == 'd') is_outer = IsOccupiedPin(state, PinLevel('K', corner));
  if (seat == kWhite) return is_outer ? 9 : 8;
  return is_outer ? 0 : 1;
}

bool IsOnLastRank(const State& state, int seat, int cell) {
  return RankOf(cell) == LastRank(state, seat, FileOf(cell));
}

// Returns the player's pawn that must promote where it stands, or kNowhere.
int PawnToPromote(const State& state, int seat) {
  int found = kNowhere;
  for (const int cell : AllCells(state)) {
    if (!IsPawn(state, cell) || !Belongs(state, cell, seat)) continue;
    if (!IsOnLastRank(state, seat, cell)) continue;
    CHECK(found == kNowhere);
    found = cell;
  }
  return found;
}

// ---- castling ----

struct Castling {
  int seat;
  int right;
  int king_from;
  int king_to;
  int rook_from;
};

// The castling table. Each right has two lines, one per start position, which differ in the king's
// home.
const std::vector<Castling>& Castlings() {
  static const auto& table = *[] {
    auto* made = new std::vector<Castling>;
    const auto add = [&](int seat, int right, std::string_view king_from, std::string_view king_to,
                         std::string_view rook_from) {
      made->push_back(
          {seat, right, CellNamed(king_from), CellNamed(king_to), CellNamed(rook_from)});
    };
    add(kWhite, 0, "d0KL1", "e0KL1", "e0KL1");
    add(kWhite, 0, "b1W", "e0KL1", "e0KL1");
    add(kWhite, 1, "d0KL1", "a0QL1", "z0QL1");
    add(kWhite, 1, "b1W", "a0QL1", "z0QL1");
    add(kBlack, 0, "d9KL6", "e9KL6", "e9KL6");
    add(kBlack, 0, "c8B", "e9KL6", "e9KL6");
    add(kBlack, 1, "d9KL6", "a9QL6", "z9QL6");
    add(kBlack, 1, "c8B", "a9QL6", "z9QL6");
    return made;
  }();
  return table;
}

bool IsAtHome(const State& state, const Castling& castling) {
  return state.cells[castling.king_from] == PieceOf(castling.seat, 'K') &&
         state.cells[castling.rook_from] == PieceOf(castling.seat, 'R');
}

bool CanCastle(const State& state, const Castling& castling) {
  if (!state.rights[castling.seat][castling.right] || state.fullmove == 1) return false;
  if (!IsAtHome(state, castling)) return false;
  if (castling.king_to != castling.rook_from && !IsEmpty(state, castling.king_to)) return false;
  const int enemy = 1 - castling.seat;
  return !IsAttacked(state, castling.king_from, enemy) &&
         !IsAttacked(state, castling.king_to, enemy);
}

// Drops the rights whose king or rook is not at home. This is enough because no single ply can
// remove such a piece and put one back, except a king's move from c8B to d9KL6.
void DropRights(State& state) {
  for (int seat = 0; seat < kSeats; ++seat) {
    for (int right = 0; right < 2; ++right) {
      const bool is_kept =
          std::any_of(Castlings().begin(), Castlings().end(), [&](const Castling& castling) {
            return castling.seat == seat && castling.right == right && IsAtHome(state, castling);
          });
      if (!is_kept) state.rights[seat][right] = false;
    }
  }
}

// ---- moves of attack boards ----

std::vector<int> PiecesOnPin(const State& state, int level) {
  std::vector<int> cells = CellsOfLevel(level);
  std::erase_if(cells, [&](int cell) { return IsEmpty(state, cell); });
  return cells;
}

bool AreAdjacent(int a, int b) {
  const int difference = std::abs(NumberOfPin(a) - NumberOfPin(b));
  if (SideOfPin(a) == SideOfPin(b)) return difference == 1 || difference == 2;
  return difference == 0;
}

bool IsBackward(int from, int to, int seat) {
  return (kAreas[to].rank - kAreas[from].rank) * Forward(seat) < 0;
}

bool CanMoveBoard(const State& state, int board, int to, int seat) {
  const int from = state.pins[board];
  if (!AreAdjacent(from, to) || IsOccupiedPin(state, to)) return false;
  const std::vector<int> passengers = PiecesOnPin(state, from);
  if (passengers.empty()) return (board < 2 ? kWhite : kBlack) == seat;
  return passengers.size() == 1 && Belongs(state, passengers[0], seat) &&
         !IsBackward(from, to, seat);
}

void CarryBoard(State& state, int from, int to) {
  const std::vector<int> old_cells = CellsOfLevel(from);
  const std::vector<int> new_cells = CellsOfLevel(to);
  for (size_t i = 0; i < old_cells.size(); ++i) {
    char piece = std::exchange(state.cells[old_cells[i]], kNoPiece);
    if (HasDoubleStep(piece)) piece = PieceOf(OwnerOf(piece), 'P');
    state.cells[new_cells[i]] = piece;
  }
  std::replace(state.pins.begin(), state.pins.end(), from, to);
}

// ---- making moves ----

void Promote(State& state, int cell, char type) {
  CHECK(IsPawn(state, cell));
  state.cells[cell] = PieceOf(OwnerOf(state.cells[cell]), type);
}

// Moves the pieces. Returns whether a piece was captured.
bool MovePiece(State& state, const Move& move) {
  const int seat = OwnerOf(state.cells[move.from]);
  const int victim = move.kind == Kind::kEnPassant ? state.ep : move.to;
  const bool is_capture = !IsEmpty(state, victim);
  state.cells[victim] = kNoPiece;
  char piece = std::exchange(state.cells[move.from], kNoPiece);
  if (HasDoubleStep(piece)) piece = PieceOf(seat, 'P');
  state.cells[move.to] = piece;
  if (move.promotion != kNoPiece) Promote(state, move.to, move.promotion);
  return is_capture;
}

void Castle(State& state, const Move& move) {
  for (const Castling& castling : Castlings()) {
    if (castling.king_from != move.from || castling.king_to != move.to) continue;
    const char king = std::exchange(state.cells[castling.king_from], kNoPiece);
    const char rook = std::exchange(state.cells[castling.rook_from], kNoPiece);
    state.cells[castling.king_to] = king;
    state.cells[castling.king_from] = rook;
  }
}

// Applies all effects of a ply, including the turn.
void MakeMove(State& state, const Move& move) {
  const int seat = state.active;
  bool is_clock_reset = move.promotion != kNoPiece;
  switch (move.kind) {
    case Kind::kCastling:
      Castle(state, move);
      break;
    case Kind::kBoard:
      CarryBoard(state, move.from, move.to);
      if (move.promotion != kNoPiece) Promote(state, PawnToPromote(state, seat), move.promotion);
      state.pending = PawnToPromote(state, 1 - seat);
      break;
    case Kind::kPendingPromotion:
      Promote(state, state.pending, move.promotion);
      state.pending = kNowhere;
      break;
    default: {
      const bool is_pawn = IsPawn(state, move.from);
      // Moving from one start's home to the other's is also a king's move.
      if (state.cells[move.from] == PieceOf(seat, 'K')) state.rights[seat] = {};
      const bool is_capture = MovePiece(state, move);
      if (is_pawn || is_capture) is_clock_reset = true;
    }
  }
  DropRights(state);
  state.ep = move.kind == Kind::kDoubleStep ? move.to : kNowhere;
  state.halfmove = is_clock_reset ? 0 : state.halfmove + 1;
  if (move.kind == Kind::kPendingPromotion) return;
  if (seat == kBlack) ++state.fullmove;
  state.active = 1 - seat;
}

// ---- generating moves ----

void AddPawnMove(const State& state, int from, int to, std::vector<Move>& moves) {
  if (!IsOnLastRank(state, state.active, to)) {
    moves.push_back({from, to});
    return;
  }
  for (const char type : kPromotions) moves.push_back({from, to, type});
}

void AddPawnSteps(const State& state, int from, std::vector<Move>& moves) {
  const int forward = Forward(state.active);
  const Column next(state, FileOf(from), RankOf(from) + forward);
  for (const int to : next) {
    if (IsEmpty(state, to)) AddPawnMove(state, from, to, moves);
  }
  if (!HasDoubleStep(state.cells[from]) || IsShadowed(state, next)) return;
  for (const int to : Column(state, FileOf(from), RankOf(from) + 2 * forward)) {
    if (IsEmpty(state, to)) moves.push_back({from, to, kNoPiece, Kind::kDoubleStep});
  }
}

// Returns whether the pawn that just made a double step passed the cell's column.
bool WasPassed(const State& state, int cell) {
  if (state.ep == kNowhere) return false;
  const int back = -Forward(OwnerOf(state.cells[state.ep]));
  return FileOf(cell) == FileOf(state.ep) && RankOf(cell) == RankOf(state.ep) + back;
}

void AddPawnCaptures(const State& state, int from, std::vector<Move>& moves) {
  for (const int to : AttackedFrom(state, from)) {
    if (Belongs(state, to, 1 - state.active)) {
      AddPawnMove(state, from, to, moves);
    } else if (IsEmpty(state, to) && WasPassed(state, to)) {
      moves.push_back({from, to, kNoPiece, Kind::kEnPassant});
    }
  }
}

void AddPieceMoves(const State& state, int from, std::vector<Move>& moves) {
  if (IsPawn(state, from)) {
    AddPawnSteps(state, from, moves);
    AddPawnCaptures(state, from, moves);
    return;
  }
  for (const int to : AttackedFrom(state, from)) {
    CHECK(!SameColumn(from, to));
    if (!Belongs(state, to, state.active)) moves.push_back({from, to});
  }
}

void AddBoardMoves(const State& state, std::vector<Move>& moves) {
  for (int board = 0; board < kAttackBoards; ++board) {
    for (int to = kMainBoards; to < kLevels; ++to) {
      if (!CanMoveBoard(state, board, to, state.active)) continue;
      const Move move = {state.pins[board], to, kNoPiece, Kind::kBoard};
      State after = state;
      CarryBoard(after, move.from, move.to);
      if (PawnToPromote(after, state.active) == kNowhere) {
        moves.push_back(move);
        continue;
      }
      for (const char type : kPromotions) moves.push_back({move.from, move.to, type, move.kind});
    }
  }
}

// Returns the pseudo-legal moves.
std::vector<Move> MovesWithoutKingSafety(const State& state) {
  std::vector<Move> moves;
  if (state.pending != kNowhere) {
    for (const char type : kPromotions) {
      moves.push_back({state.pending, state.pending, type, Kind::kPendingPromotion});
    }
    return moves;
  }
  for (const int from : AllCells(state)) {
    if (Belongs(state, from, state.active)) AddPieceMoves(state, from, moves);
  }
  for (const Castling& castling : Castlings()) {
    if (castling.seat == state.active && CanCastle(state, castling)) {
      moves.push_back({castling.king_from, castling.king_to, kNoPiece, Kind::kCastling});
    }
  }
  AddBoardMoves(state, moves);
  return moves;
}

bool IsLegal(const State& state, const Move& move) {
  // A pawn that promotes where it stands cannot expose its own king, and does not answer a check:
  // the next move does.
  if (move.kind == Kind::kPendingPromotion) return true;
  State after = state;
  MakeMove(after, move);
  if (InCheck(after, state.active)) return false;
  if (after.pending == kNowhere) return true;
  return std::none_of(kPromotions.begin(), kPromotions.end(), [&](char type) {
    State promoted = after;
    Promote(promoted, after.pending, type);
    return InCheck(promoted, state.active);
  });
}

std::vector<Move> AllLegalMoves(const State& state) {
  std::vector<Move> moves;
  if (state.resigned != kNowhere) return moves;
  moves = MovesWithoutKingSafety(state);
  std::erase_if(moves, [&](const Move& move) { return !IsLegal(state, move); });
  return moves;
}

std::string MoveText(const Move& move) {
  std::string text;
  switch (move.kind) {
    case Kind::kCastling:
      return FileOf(move.to) == 1 ? "0-0-0" : "0-0";
    case Kind::kBoard:
      text = LevelName(move.from) + '-' + LevelName(move.to);
      break;
    case Kind::kPendingPromotion:
      text = CellName(move.from);
      break;
    default:
      text = CellName(move.from) + '-' + CellName(move.to);
  }
  if (move.promotion != kNoPiece) text += {'=', move.promotion};
  return text;
}

// ---- reading and writing ----

int64_t NumberOf(std::string_view text) {
  const std::optional<int64_t> number = ParseInt64(text);
  CHECK(number.has_value());
  return *number;
}

void ParseBlock(std::string_view text, int level, State& state) {
  const Area& area = kAreas[level];
  const std::vector<std::string_view> rows = Split(text, '/');
  CHECK(static_cast<int>(rows.size()) == area.size);
  int rank = area.rank + area.size;
  for (const std::string_view row : rows) {
    --rank;
    int file = area.file;
    for (const char letter : row) {
      if (letter >= '1' && letter <= '4') {
        file += letter - '0';
        continue;
      }
      CHECK(std::string_view("KQRBNPDkqrbnpd").find(letter) != std::string_view::npos);
      CHECK(file < area.file + area.size);
      state.cells[CellAt(file++, rank, level)] = letter;
    }
    CHECK(file == area.file + area.size);
  }
}

std::string BlockText(const State& state, int level) {
  const Area& area = kAreas[level];
  std::string text;
  for (int rank = area.rank + area.size - 1; rank >= area.rank; --rank) {
    int empty = 0;
    for (int file = area.file; file < area.file + area.size; ++file) {
      const char piece = state.cells[CellAt(file, rank, level)];
      if (piece == kNoPiece) {
        ++empty;
        continue;
      }
      if (empty > 0) text += std::to_string(std::exchange(empty, 0));
      text += piece;
    }
    if (empty > 0) text += std::to_string(empty);
    if (rank > area.rank) text += '/';
  }
  return text;
}

std::string RightsText(const State& state) {
  std::string text;
  for (int seat = 0; seat < kSeats; ++seat) {
    if (state.rights[seat][0]) text += PieceOf(seat, 'K');
    if (state.rights[seat][1]) text += PieceOf(seat, 'Q');
  }
  return text.empty() ? "-" : text;
}

void ParseRights(std::string_view text, State& state) {
  for (int seat = 0; seat < kSeats; ++seat) {
    state.rights[seat] = {text.find(PieceOf(seat, 'K')) != std::string_view::npos,
                          text.find(PieceOf(seat, 'Q')) != std::string_view::npos};
  }
  CHECK(RightsText(state) == text);
}

std::string CellText(int cell) { return cell == kNowhere ? "-" : CellName(cell); }

// ---- endings ----

Ending WonBy(int seat, std::string_view termination) {
  if (seat == kWhite) return {std::string(termination), "1-2", "1-0"};
  return {std::string(termination), "2-1", "0-1"};
}

Ending Drawn(std::string_view termination) { return {std::string(termination), "1-1", "1/2-1/2"}; }

}  // namespace

State ParseTfen(std::string_view text) {
  const std::vector<std::string_view> fields = Split(text, ' ');
  CHECK(fields.size() == 7 || fields.size() == 8);
  State state;
  const std::vector<std::string_view> pins = Split(fields[0], ',');
  CHECK(pins.size() == state.pins.size());
  for (size_t board = 0; board < pins.size(); ++board) {
    state.pins[board] = LevelNamed(pins[board]);
    CHECK(IsPin(state.pins[board]));
  }
  const std::vector<std::string_view> blocks = Split(fields[1], '|');
  const auto levels = Levels(state);
  CHECK(blocks.size() == levels.size());
  for (size_t i = 0; i < blocks.size(); ++i) ParseBlock(blocks[i], levels[i], state);
  CHECK(fields[2].size() == 1 && kSeatLetters.find(fields[2]) != std::string_view::npos);
  state.active = static_cast<int>(kSeatLetters.find(fields[2]));
  ParseRights(fields[3], state);
  if (fields[4] != "-") state.ep = CellNamed(fields[4]);
  state.halfmove = NumberOf(fields[5]);
  state.fullmove = NumberOf(fields[6]);
  if (fields.size() == 8) state.pending = CellNamed(fields[7]);
  CHECK(state.pending == PawnToPromote(state, state.active));
  CHECK(PawnToPromote(state, 1 - state.active) == kNowhere);
  CHECK(!InCheck(state, 1 - state.active));
  return state;
}

std::string ToTfen(const State& state) {
  std::string text;
  for (const int pin : state.pins) text += (text.empty() ? "" : ",") + LevelName(pin);
  char separator = ' ';
  for (const int level : Levels(state)) {
    text += separator + BlockText(state, level);
    separator = '|';
  }
  text += std::string(" ") + kSeatLetters[static_cast<size_t>(state.active)];
  text += ' ' + RightsText(state) + ' ' + CellText(state.ep) + ' ' +
          std::to_string(state.halfmove) + ' ' + std::to_string(state.fullmove);
  if (state.pending != kNowhere) text += ' ' + CellName(state.pending);
  return text;
}

std::vector<std::string> LegalMoves(const State& state) {
  std::vector<std::string> texts;
  for (const Move& move : AllLegalMoves(state)) texts.push_back(MoveText(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

bool HasLegalMove(const State& state) {
  if (state.resigned != kNowhere) return false;
  const std::vector<Move> moves = MovesWithoutKingSafety(state);
  return std::any_of(moves.begin(), moves.end(),
                     [&](const Move& move) { return IsLegal(state, move); });
}

bool InCheck(const State& state, int seat) {
  return IsAttacked(state, KingOf(state, seat), 1 - seat);
}

bool CanCaptureEnPassant(const State& state) {
  if (state.ep == kNowhere) return false;
  const std::vector<Move> moves = AllLegalMoves(state);
  return std::any_of(moves.begin(), moves.end(),
                     [](const Move& move) { return move.kind == Kind::kEnPassant; });
}

void Play(State& state, std::string_view move) {
  for (const Move& legal : AllLegalMoves(state)) {
    if (MoveText(legal) == move) {
      MakeMove(state, legal);
      return;
    }
  }
  CHECK(false && "illegal move");
}

void Resign(State& state, int seat) {
  CHECK(state.resigned == kNowhere);
  state.resigned = seat;
}

std::optional<Ending> EndingOf(const State& state) {
  if (state.resigned != kNowhere) return WonBy(1 - state.resigned, "resignation");
  if (HasLegalMove(state)) return std::nullopt;
  if (InCheck(state, state.active)) return WonBy(1 - state.active, "checkmate");
  return Drawn("stalemate");
}

bool IsDeadPosition(const State& state) {
  return std::all_of(state.cells.begin(), state.cells.end(),
                     [](char piece) { return piece == kNoPiece || TypeOf(piece) == 'K'; });
}

uint64_t Perft(const State& state, int depth) {
  return CountLeaves(state, depth, AllLegalMoves, MakeMove);
}

std::string RepetitionText(const State& state) {
  // Two boards of one colour may have been exchanged, so sort the pins within a colour.
  std::array<int, kAttackBoards> pins = state.pins;
  std::sort(pins.begin(), pins.begin() + 2);
  std::sort(pins.begin() + 2, pins.end());
  std::string text;
  for (const int pin : pins) text += LevelName(pin) + ' ';
  for (int cell = 0; cell < kCells; ++cell) {
    if (!IsEmpty(state, cell)) text += state.cells[cell] + CellName(cell) + ' ';
  }
  text += kSeatLetters[static_cast<size_t>(state.active)];
  text +=
      ' ' + RightsText(state) + ' ' + CellText(CanCaptureEnPassant(state) ? state.ep : kNowhere);
  return text;
}

std::optional<Ending> History::ending() const {
  if (std::optional<Ending> ending = EndingOf(state())) return ending;
  if (IsDeadPosition(state())) return Drawn("insufficient_material");
  if (occurrences() >= 3) return Drawn("threefold_repetition");
  if (state().halfmove >= kFiftyMoves) return Drawn("fifty_moves");
  return std::nullopt;
}

}  // namespace triarch::tri_d_reference
