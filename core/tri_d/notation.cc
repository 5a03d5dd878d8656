#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/tri_d/attacks.h"
#include "core/tri_d/position.h"

// Cells and moves as text (rules §1, §9).
namespace triarch::tri_d {
namespace {

constexpr std::string_view kTypeLetters = "PNBRQK";

// A level: the board it names, on whose present pin the cell is, or the pin.
struct Level {
  std::optional<int> board;  // 0..6
  std::optional<Pin> pin;
};

std::optional<Level> ReadLevel(std::string_view text) {
  for (size_t board = 0; board < kBoardNames.size(); ++board) {
    if (text == kBoardNames[board]) return Level{static_cast<int>(board), std::nullopt};
  }
  const std::optional<Pin> pin = Pin::Parse(text);
  if (!pin) return std::nullopt;
  return Level{std::nullopt, pin};
}

// The column that a name such as "c1W" begins with.
std::optional<Column> ReadColumn(std::string_view text) {
  if (text.size() < 2 || text[1] < '0' || text[1] > '9') return std::nullopt;
  const size_t file = kFileLetters.find(text[0]);
  if (file == std::string_view::npos) return std::nullopt;
  return ColumnAt(static_cast<int>(file), text[1] - '0');
}

PieceType TypeOf(char letter) { return static_cast<PieceType>(kTypeLetters.find(letter)); }

std::string SeatName(Seat seat) { return std::string(Position::kInfo.seat_names[Index(seat)]); }

absl::Status Malformed(std::string_view text) {
  return absl::InvalidArgumentError(
      Quote(text) +
      " is no move; a move is written a2W-a4N, b7B-b8B=Q, 0-0, 0-0-0, QL1-QL3, or short as Nc6B, "
      "axb4N, QL3");
}

absl::Status MalformedPawnMove(std::string_view text) {
  return absl::InvalidArgumentError(
      Quote(text) +
      " is no move; a pawn's is written short as c4N, or as axb4N, aWxb4N with the file that it "
      "leaves and, if needed, the level after the file");
}

// What is written of a piece's move, before the rules are asked.
struct WrittenMove {
  std::optional<PieceType> type;  // of the piece; in the short form always there
  std::optional<size_t> file;     // of the start cell, as far as it is written
  std::optional<int> rank;
  std::string level;
  std::string to;
  std::optional<bool> is_capture;  // empty if a dash leaves it open
  bool says_en_passant = false;
  PieceType promotion = PieceType::kPawn;
};

bool TakeCheckMark(std::string_view* text) {
  if (!text->ends_with('+') && !text->ends_with('#')) return false;
  text->remove_suffix(1);
  return true;
}

// "e.p." and one "+" or "#", before or after it, say nothing that the rules do not know better, but
// that the move is a capture en passant.
std::string_view WithoutSuffixes(std::string_view text, bool* says_en_passant) {
  const bool has_mark = TakeCheckMark(&text);
  if (text.ends_with("e.p.")) {
    *says_en_passant = true;
    text.remove_suffix(4);
    if (text.ends_with(' ')) text.remove_suffix(1);
    if (!has_mark) TakeCheckMark(&text);
  }
  return text;
}

// A cell's level in any way of writing it.
#define TRIARCH_LEVEL "(?:[KQ]L[1-6]|[WB][KQ]L|[WNB])"

// The piece's move that the text writes, in full or short; `given` is the text with its suffixes.
absl::StatusOr<WrittenMove> ReadPieceMove(const std::string& text, std::string_view given,
                                          bool says_en_passant) {
  static const std::regex kFull("(?:([KQRBNP])@)?([zabcde])([0-9])(" TRIARCH_LEVEL
                                ")([-x:])([zabcde][0-9]" TRIARCH_LEVEL ")(?:=([QRBN]))?");
  static const std::regex kShort("([KQRBN])?([zabcde])?([0-9])?(" TRIARCH_LEVEL
                                 ")?(x)?([zabcde][0-9]" TRIARCH_LEVEL ")(?:=?([QRBN]))?");
  std::smatch match;
  const bool is_full = std::regex_match(text, match, kFull);
  if (!is_full && !std::regex_match(text, match, kShort)) return Malformed(given);
  WrittenMove written;
  written.says_en_passant = says_en_passant;
  if (match[1].matched) written.type = TypeOf(match.str(1)[0]);
  if (!match[1].matched && !is_full) written.type = PieceType::kPawn;
  if (match[2].matched) written.file = kFileLetters.find(match.str(2)[0]);
  if (match[3].matched) written.rank = match.str(3)[0] - '0';
  written.level = match.str(4);
  if (!is_full) {
    written.is_capture = match[5].matched;
  } else if (match.str(5) != "-") {
    written.is_capture = true;
  }
  written.to = match.str(6);
  if (match[7].matched) written.promotion = TypeOf(match.str(7)[0]);
  // A short pawn's move is [file[level][x]]cell.
  const bool needs_file = !written.level.empty() || written.is_capture.value_or(false);
  if (!is_full && written.type == PieceType::kPawn &&
      (written.rank || (needs_file && !written.file))) {
    return MalformedPawnMove(given);
  }
  return written;
}

#undef TRIARCH_LEVEL

// A board's move or the promotion of a freed pawn.
struct WrittenBoardMove {
  std::string from;  // pin or board; empty where it is not written
  std::string to;    // pin
  PieceType promotion = PieceType::kPawn;
};

std::optional<WrittenBoardMove> ReadBoardMove(const std::string& text) {
  static const std::regex kForm("(?:([KQ]L[1-6]|[WB][KQ]L)[-:])?([KQ]L[1-6])(?:=?([QRBN]))?");
  std::smatch match;
  if (!std::regex_match(text, match, kForm)) return std::nullopt;
  WrittenBoardMove written{match.str(1), match.str(2)};
  if (match[3].matched) written.promotion = TypeOf(match.str(3)[0]);
  return written;
}

// Whether the text may mean the piece on the cell.
bool IsFrom(const Position& position, Cell from, const WrittenMove& written) {
  const Column column = position.layout().ColumnOf(from);
  if (written.type && position.piece_at(from)->type != *written.type) return false;
  if (written.file && static_cast<int>(*written.file) != FileOf(column)) return false;
  if (written.rank && *written.rank != RankOf(column)) return false;
  if (written.level.empty()) return true;
  return position.CellName(from).substr(2) == written.level ||
         kBoardNames[static_cast<size_t>(from.board())] == written.level;
}

// --- why a piece may not move ---

// Whether a pawn moves like that, onto no piece of its own side (§4).
bool PawnReaches(const Position& position, Cell from, Cell to) {
  const Layout& layout = position.layout();
  const Seat seat = position.piece_at(from)->owner;
  const Column start = layout.ColumnOf(from);
  const Column end = layout.ColumnOf(to);
  const int forward = Forward(seat);
  const bool is_held = position.piece_at(to).has_value();
  if ((kAttacks.pawn_captures[Index(seat)][At(start)] & ColumnBit(end)) != 0) {
    const std::optional<Cell> pushed = position.en_passant();
    return is_held || (pushed && layout.ColumnOf(*pushed) + forward == end);
  }
  if (is_held || end == start + forward) return !is_held;
  const ColumnSet occupied = layout.ColumnsOf(position.occupied()).any;
  return end == start + 2 * forward && (position.double_steppers() & CellBit(from)) != 0 &&
         (occupied & ColumnBit(start + forward)) == 0;
}

// Whether the piece moves like that, whatever that does to its king (§3).
bool Reaches(const Position& position, Cell from, Cell to) {
  const Column start = position.layout().ColumnOf(from);
  const ColumnSet end = ColumnBit(position.layout().ColumnOf(to));
  const ColumnSet occupied = position.layout().ColumnsOf(position.occupied()).any;
  switch (position.piece_at(from)->type) {
    case PieceType::kPawn:
      return PawnReaches(position, from, to);
    case PieceType::kKnight:
      return (kAttacks.knight[At(start)] & end) != 0;
    case PieceType::kBishop:
      return (BishopAttacks(start, occupied) & end) != 0;
    case PieceType::kRook:
      return (RookAttacks(start, occupied) & end) != 0;
    case PieceType::kQueen:
      return ((BishopAttacks(start, occupied) | RookAttacks(start, occupied)) & end) != 0;
    case PieceType::kKing:
      return (kAttacks.king[At(start)] & end) != 0;
  }
  return false;
}

// Why the piece of the player on turn may not go there.
std::string WhyPieceStays(const Position& position, Cell from, Cell to) {
  const PieceType type = position.piece_at(from)->type;
  const std::string to_name = position.CellName(to);
  const bool reaches = Reaches(position, from, to);
  if (reaches && type == PieceType::kKing) return "the king would be attacked on " + to_name;
  return absl::StrFormat("the %s on %s %s %s", std::string(kPieceNames[static_cast<size_t>(type)]),
                         position.CellName(from),
                         !reaches ? "does not reach"
                         : position.in_check(position.to_move())
                             ? "does not answer the check by going to"
                             : "may not leave its king attacked by going to",
                         to_name);
}

// What is wrong with the start cell, where it is written in full; else empty.
std::string WhyNotFrom(const Position& position, const WrittenMove& written) {
  if (!written.file || !written.rank || written.level.empty()) return "";
  const std::string name =
      std::string(1, kFileLetters[*written.file]) + std::to_string(*written.rank) + written.level;
  const std::optional<Cell> from = position.FindCell(name);
  if (!from) return "there is no cell " + name + " now";
  const std::optional<Piece> piece = position.piece_at(*from);
  if (!piece) return "no piece stands on " + name;
  if (piece->owner != position.to_move()) {
    return absl::StrFormat("the piece on %s is %s's and it is %s's turn", name,
                           SeatName(piece->owner), SeatName(position.to_move()));
  }
  if (!written.type || *written.type == piece->type) return "";
  return absl::StrFormat("the piece on %s is no %s", name,
                         std::string(kPieceNames[static_cast<size_t>(*written.type)]));
}

// Why no legal move is the one that is written.
std::string WhyIllegal(const Position& position, const WrittenMove& written) {
  const std::optional<Cell> to = position.FindCell(written.to);
  if (!to) return "there is no cell " + written.to + " now";
  if (const std::string why = WhyNotFrom(position, written); !why.empty()) return why;
  const std::string seat = SeatName(position.to_move());
  const CellSet own = position.owned_by(position.to_move());
  if ((own & CellBit(*to)) != 0) return written.to + " holds a piece of " + seat + "'s own";
  std::vector<Cell> meant;
  AnyOf(own, [&](Cell from) {
    if (IsFrom(position, from, written)) meant.push_back(from);
    return false;
  });
  for (const Cell from : meant) {
    if (meant.size() == 1 || Reaches(position, from, *to)) {
      return WhyPieceStays(position, from, *to);
    }
  }
  // The short form: it always says what piece it is.
  const bool is_narrowed = written.file || written.rank || !written.level.empty();
  return absl::StrFormat("no %s%s of %s's reaches %s", is_narrowed ? "such " : "",
                         std::string(kPieceNames[static_cast<size_t>(*written.type)]), seat,
                         written.to);
}

// --- why a board may not move (§5) ---

std::string BoardName(int board) {
  return std::string(kBoardNames[static_cast<size_t>(AttackBoard(board))]);
}

// Who may move the board: the owner of its one piece; if it is empty, the player of its colour.
Seat ControllerOf(const Position& position, int board, CellSet pieces) {
  if (pieces == 0) return board < 2 ? Seat::kFirst : Seat::kSecond;
  return position.piece_at(Cell::At(std::countr_zero(pieces)))->owner;
}

// Whether the text may mean the board.
bool IsBoardMeant(const Position& position, int board, const WrittenBoardMove& written) {
  return written.from.empty() || written.from == BoardName(board) ||
         written.from == position.layout().pins[static_cast<size_t>(board)].ToString();
}

// Whether boards go from one pin to the other in one move, forward or back.
bool IsBeside(Pin a, Pin b) {
  if (a.is_king_side() != b.is_king_side()) return a.number() == b.number();
  const int steps = std::abs(a.number() - b.number());
  return steps == 1 || steps == 2;
}

// Why the player on turn may not move the board to the pin, which is free.
std::string WhyBoardStays(const Position& position, int board, Pin to) {
  const Seat mover = position.to_move();
  const Pin from = position.layout().pins[static_cast<size_t>(board)];
  const std::string name = BoardName(board) + " on " + from.ToString();
  const CellSet pieces = position.occupied() & (CellSet{15} << (kMainCells + 4 * board));
  if (std::popcount(pieces) > 1) {
    return absl::StrFormat("%s carries %d pieces; a board that moves carries one at most", name,
                           std::popcount(pieces));
  }
  const bool is_empty = pieces == 0;
  const Seat owner = ControllerOf(position, board, pieces);
  if (owner != mover) {
    return absl::StrFormat("%s %s's and it is %s's turn",
                           is_empty ? name + " is empty, thus" : "the piece on " + name + " is",
                           SeatName(owner), SeatName(mover));
  }
  if (!IsBeside(from, to)) {
    return "no board goes from " + from.ToString() + " to " + to.ToString() + " in one move";
  }
  const int ranks = to.first_rank() - from.first_rank();
  if (!is_empty && (mover == Seat::kFirst ? ranks < 0 : ranks > 0)) {
    return name + " carries a piece and so does not go back to " + to.ToString();
  }
  if (position.in_check(mover)) {
    return name + " does not answer the check by going to " + to.ToString();
  }
  // An empty board hides and opens nothing.
  const std::string king = SeatName(mover) + "'s king";
  if (is_empty) return name + " may not free a pawn that could attack " + king;
  return name + " may not leave " + king + " attacked by going to " + to.ToString();
}

// Why no board may go where the text says.
std::string WhyNoBoard(const Position& position, const WrittenBoardMove& written) {
  const Layout& layout = position.layout();
  const std::optional<Pin> from = Pin::Parse(written.from);
  if (from && !layout.is_taken(*from)) return "no board stands on " + written.from;
  const Pin to = *Pin::Parse(written.to);
  if (layout.is_taken(to)) return written.to + " is taken by " + BoardName(layout.BoardOn(to));
  std::string why;
  for (int board = 0; board < kAttackBoards; ++board) {
    if (!IsBoardMeant(position, board, written)) continue;
    // Of all boards only those are worth a word that come near.
    if (written.from.empty() && !IsBeside(layout.pins[static_cast<size_t>(board)], to)) continue;
    why += (why.empty() ? "" : "; ") + WhyBoardStays(position, board, to);
  }
  return why.empty() ? "no board stands beside " + written.to : why;
}

// --- why not castling (§6) ---

std::string WhyNoCastling(const Position& position, bool is_short) {
  const Seat seat = position.to_move();
  const bool has_right =
      is_short ? position.can_castle_short(seat) : position.can_castle_long(seat);
  if (!has_right) return is_short ? "the right to 0-0 is gone" : "the right to 0-0-0 is gone";
  if (position.move_number() == 1) return "nobody castles as the first move";
  if (position.in_check(seat)) return "the king is in check";
  const bool is_first = seat == Seat::kFirst;
  const std::string to = is_short ? (is_first ? "e0KL1" : "e9KL6") : (is_first ? "a0QL1" : "a9QL6");
  if (!is_short && position.piece_at(*position.FindCell(to))) return to + " is not empty";
  return "the king would be attacked on " + to;
}

// --- from the text to the move ---

// The one move of those found, or what is wrong with none or several.
absl::StatusOr<Move> OneOf(const Position& position, const std::vector<Move>& found,
                           const std::string& why_none) {
  if (found.size() == 1) return found.front();
  if (found.empty()) return absl::InvalidArgumentError(why_none);
  std::string texts;
  for (const Move move : found) {
    texts += (texts.empty() ? "" : ", ") + position.MoveToString(move);
  }
  return absl::InvalidArgumentError("it is ambiguous: " + texts);
}

absl::StatusOr<Move> FindCastling(const Position& position, const MoveList<Move>& moves,
                                  bool is_short) {
  for (const Move move : moves) {
    if (move.kind() == (is_short ? MoveKind::kCastleShort : MoveKind::kCastleLong)) return move;
  }
  return absl::InvalidArgumentError(SeatName(position.to_move()) +
                                    " may not castle so now: " + WhyNoCastling(position, is_short));
}

absl::StatusOr<Move> FindFreed(const Position& position, const MoveList<Move>& moves,
                               std::string_view text) {
  if (text.starts_with("P@")) text.remove_prefix(2);
  for (const Move move : moves) {
    const std::string canonical = position.MoveToString(move);
    std::string without = canonical;
    without.erase(without.find('='), 1);
    if (text == canonical || text == without) return move;
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("%s must first promote the pawn on %s: %s", SeatName(position.to_move()),
                      position.CellName(*position.pending()), position.MoveToString(moves[0])));
}

absl::StatusOr<Move> FindBoardMove(const Position& position, const MoveList<Move>& moves,
                                   const WrittenBoardMove& written) {
  std::vector<Move> found;
  std::string why;
  for (const Move move : moves) {
    if (move.kind() != MoveKind::kBoard || move.pin().ToString() != written.to ||
        !IsBoardMeant(position, move.board(), written)) {
      continue;
    }
    if (move.promotion() == written.promotion) {
      found.push_back(move);
    } else {
      why = move.promotion() == PieceType::kPawn
                ? "it is no promotion"
                : "a pawn promotes with the board: =Q, =R, =B or =N";
    }
  }
  return OneOf(position, found, why.empty() ? WhyNoBoard(position, written) : why);
}

bool IsCapture(const Position& position, Move move) {
  return move.kind() == MoveKind::kEnPassant || (position.occupied() & CellBit(move.to())) != 0;
}

// Whether the move is from and to where the text says, by a piece of that kind.
bool IsMeant(const Position& position, Move move, const WrittenMove& written, Cell to) {
  const bool is_piece_move = move.kind() == MoveKind::kNormal ||
                             move.kind() == MoveKind::kDoubleStep ||
                             move.kind() == MoveKind::kEnPassant;
  return is_piece_move && move.to() == to && IsFrom(position, move.from(), written);
}

absl::StatusOr<Move> FindPieceMove(const Position& position, const MoveList<Move>& moves,
                                   const WrittenMove& written) {
  const std::optional<Cell> to = position.FindCell(written.to);
  std::vector<Move> found;
  std::string why;
  for (const Move move : moves) {
    if (!to || !IsMeant(position, move, written, *to)) continue;
    const bool is_capture = IsCapture(position, move);
    if (written.is_capture && *written.is_capture != is_capture) {
      why = is_capture ? "it is a capture and needs an x" : "it captures nothing";
    } else if (written.says_en_passant && move.kind() != MoveKind::kEnPassant) {
      why = "it is no capture en passant";
    } else if (move.promotion() != written.promotion) {
      why = move.promotion() == PieceType::kPawn ? "it is no promotion"
                                                 : "the pawn must become =Q, =R, =B or =N";
    } else {
      found.push_back(move);
    }
  }
  return OneOf(position, found, why.empty() ? WhyIllegal(position, written) : why);
}

// The place of the column on a main board or a board on the pin, if it has one.
std::optional<int> PlaceOn(ColumnSet board_columns, Column column) {
  if ((board_columns & ColumnBit(column)) == 0) return std::nullopt;
  return std::popcount(board_columns & (ColumnBit(column) - 1));
}

// Names are written in place, since they are for all legal moves of a process bot's turn: what is
// behind the name comes back.
char* WritePin(Pin pin, char* text) {
  *text++ = pin.is_king_side() ? 'K' : 'Q';
  *text++ = 'L';
  *text++ = static_cast<char>('0' + pin.number());
  return text;
}

constexpr size_t kCellNameMax = 5;  // "a3QL3"

char* WriteCell(const Layout& layout, Cell cell, char* text) {
  const Column column = layout.ColumnOf(cell);
  *text++ = kFileLetters[static_cast<size_t>(FileOf(column))];
  *text++ = static_cast<char>('0' + RankOf(column));
  if (!cell.is_main()) {
    return WritePin(layout.pins[static_cast<size_t>(cell.attack_board())], text);
  }
  *text++ = kBoardNames[static_cast<size_t>(cell.board())].front();  // of one letter, all three
  return text;
}

}  // namespace

std::string Position::CellName(Cell cell) const {
  char text[kCellNameMax];
  return {text, WriteCell(layout_, cell, text)};
}

std::optional<Cell> Position::FindCell(std::string_view name) const {
  const std::optional<Column> column = ReadColumn(name);
  if (!column) return std::nullopt;
  const std::optional<Level> level = ReadLevel(name.substr(2));
  if (!level) return std::nullopt;
  if (level->board && *level->board < 3) {
    const auto place = PlaceOn(kBoardTables.main[static_cast<size_t>(*level->board)], *column);
    if (!place) return std::nullopt;
    return Cell::At(16 * *level->board + *place);
  }
  const int board = level->board ? *level->board - 3 : layout_.BoardOn(*level->pin);
  if (board < 0) return std::nullopt;
  const Pin pin = layout_.pins[static_cast<size_t>(board)];
  const auto place = PlaceOn(kBoardTables.pin[static_cast<size_t>(pin.index())], *column);
  if (!place) return std::nullopt;
  return Cell::At(kMainCells + 4 * board + *place);
}

// One of the 96 that may exist, by the pin: the board's name tells no cell without a position.
bool Position::IsCell(std::string_view text) {
  const std::optional<Column> column = ReadColumn(text);
  if (!column) return false;
  const std::optional<Level> level = ReadLevel(text.substr(2));
  if (!level) return false;
  if (level->pin)
    return PlaceOn(kBoardTables.pin[static_cast<size_t>(level->pin->index())], *column).has_value();
  return *level->board < 3 &&
         PlaceOn(kBoardTables.main[static_cast<size_t>(*level->board)], *column).has_value();
}

std::string Position::MoveToString(Move move) const {
  char text[2 * kCellNameMax + 3];
  char* end = text;
  switch (move.kind()) {
    case MoveKind::kNormal:
    case MoveKind::kDoubleStep:
    case MoveKind::kEnPassant:
      end = WriteCell(layout_, move.from(), end);
      *end++ = '-';
      end = WriteCell(layout_, move.to(), end);
      break;
    case MoveKind::kCastleShort:
      return "0-0";
    case MoveKind::kCastleLong:
      return "0-0-0";
    case MoveKind::kBoard:
      end = WritePin(layout_.pins[static_cast<size_t>(move.board())], end);
      *end++ = '-';
      end = WritePin(move.pin(), end);
      break;
    case MoveKind::kFreed:
      end = WriteCell(layout_, move.to(), end);
      break;
  }
  if (move.promotion() != PieceType::kPawn) {
    *end++ = '=';
    *end++ = kTypeLetters[static_cast<size_t>(move.promotion())];
  }
  return {text, end};
}

absl::StatusOr<Move> Position::ParseMove(std::string_view given) const {
  if (outcome()) return absl::InvalidArgumentError("the game is over");
  constexpr size_t kLengthMax = 40;
  bool says_en_passant = false;
  const std::string text(WithoutSuffixes(given, &says_en_passant));
  if (text.empty() || text.size() > kLengthMax) return Malformed(given);
  const MoveList<Move> moves = LegalMoves();
  if (pending_ >= 0) return FindFreed(*this, moves, says_en_passant ? given : text);
  const bool is_short = text == "0-0" || text == "O-O";
  const bool is_castling = is_short || text == "0-0-0" || text == "O-O-O";
  if (is_castling && !says_en_passant) return FindCastling(*this, moves, is_short);
  const auto board_move = ReadBoardMove(text);
  if (board_move && !says_en_passant) return FindBoardMove(*this, moves, *board_move);
  const absl::StatusOr<WrittenMove> written = ReadPieceMove(text, given, says_en_passant);
  if (!written.ok()) return written.status();
  return FindPieceMove(*this, moves, *written);
}

}  // namespace triarch::tri_d
