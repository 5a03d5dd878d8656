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

// "e.p.", "+" and "#" at the end say nothing that the rules do not know better, but that the move
// is a capture en passant.
std::string_view WithoutSuffixes(std::string_view text, bool* says_en_passant) {
  while (!text.empty() && (text.back() == '+' || text.back() == '#')) text.remove_suffix(1);
  if (text.ends_with("e.p.")) {
    *says_en_passant = true;
    text.remove_suffix(4);
    if (text.ends_with(' ')) text.remove_suffix(1);
  }
  return text;
}

// A cell's level in any way of writing it.
#define TRIARCH_LEVEL "(?:[KQ]L[1-6]|[WB][KQ]L|[WNB])"

// The piece's move that the text writes, in full or short; empty if it writes none.
std::optional<WrittenMove> ReadPieceMove(const std::string& text, bool says_en_passant) {
  static const std::regex kFull("(?:([KQRBNP])@)?([zabcde])([0-9])(" TRIARCH_LEVEL
                                ")([-x:])([zabcde][0-9]" TRIARCH_LEVEL ")(?:=([QRBN]))?");
  static const std::regex kShort("([KQRBN])?([zabcde])?([0-9])?(" TRIARCH_LEVEL
                                 ")?(x)?([zabcde][0-9]" TRIARCH_LEVEL ")(?:=?([QRBN]))?");
  std::smatch match;
  const bool is_full = std::regex_match(text, match, kFull);
  if (!is_full && !std::regex_match(text, match, kShort)) return std::nullopt;
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

// Why no legal move is the one that is written.
std::string WhyIllegal(const Position& position, const WrittenMove& written) {
  const std::optional<Cell> to = position.FindCell(written.to);
  if (!to) return "there is no cell " + written.to + " now";
  if (written.file && written.rank && !written.level.empty()) {
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
    if (written.type && *written.type != piece->type) {
      return absl::StrFormat("the piece on %s is no %c", name,
                             kTypeLetters[static_cast<size_t>(*written.type)]);
    }
  }
  return absl::StrFormat("no such move to %s is legal%s", written.to,
                         position.in_check(position.to_move()) ? ": it must answer the check" : "");
}

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
  bool needs_promotion = false;
  for (const Move move : moves) {
    if (move.kind() != MoveKind::kBoard || move.pin().ToString() != written.to) continue;
    const size_t board = static_cast<size_t>(move.board());
    if (!written.from.empty() && written.from != kBoardNames[3 + board] &&
        written.from != position.layout().pins[board].ToString()) {
      continue;
    }
    needs_promotion = needs_promotion || move.promotion() != PieceType::kPawn;
    if (move.promotion() == written.promotion) found.push_back(move);
  }
  return OneOf(position, found,
               needs_promotion ? "a pawn promotes with the board: =Q, =R, =B or =N"
                               : "no board may go to " + written.to + " so now");
}

bool IsCapture(const Position& position, Move move) {
  return move.kind() == MoveKind::kEnPassant || (position.occupied() & CellBit(move.to())) != 0;
}

// Whether the move is from and to where the text says, by a piece of that kind.
bool IsMeant(const Position& position, Move move, const WrittenMove& written, Cell to) {
  const bool is_piece_move = move.kind() == MoveKind::kNormal ||
                             move.kind() == MoveKind::kDoubleStep ||
                             move.kind() == MoveKind::kEnPassant;
  if (!is_piece_move || move.to() != to) return false;
  const Column column = position.layout().ColumnOf(move.from());
  if (written.type && position.piece_at(move.from())->type != *written.type) return false;
  if (written.file && static_cast<int>(*written.file) != FileOf(column)) return false;
  if (written.rank && *written.rank != RankOf(column)) return false;
  if (written.level.empty()) return true;
  return position.CellName(move.from()).substr(2) == written.level ||
         kBoardNames[static_cast<size_t>(move.from().board())] == written.level;
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

}  // namespace

std::string Position::CellName(Cell cell) const {
  const Column column = layout_.ColumnOf(cell);
  std::string name = {kFileLetters[static_cast<size_t>(FileOf(column))],
                      static_cast<char>('0' + RankOf(column))};
  if (cell.is_main()) {
    name += kBoardNames[static_cast<size_t>(cell.board())];
  } else {
    name += layout_.pins[static_cast<size_t>(cell.attack_board())].ToString();
  }
  return name;
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

// One of the 96 that may exist.
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
  std::string text;
  switch (move.kind()) {
    case MoveKind::kNormal:
    case MoveKind::kDoubleStep:
    case MoveKind::kEnPassant:
      text = CellName(move.from()) + "-" + CellName(move.to());
      break;
    case MoveKind::kCastleShort:
      return "0-0";
    case MoveKind::kCastleLong:
      return "0-0-0";
    case MoveKind::kBoard:
      text =
          layout_.pins[static_cast<size_t>(move.board())].ToString() + "-" + move.pin().ToString();
      break;
    case MoveKind::kFreed:
      text = CellName(move.to());
      break;
  }
  if (move.promotion() != PieceType::kPawn) {
    text += {'=', kTypeLetters[static_cast<size_t>(move.promotion())]};
  }
  return text;
}

absl::StatusOr<Move> Position::ParseMove(std::string_view given) const {
  if (outcome()) return absl::InvalidArgumentError("the game is over");
  constexpr size_t kLengthMax = 40;
  bool says_en_passant = false;
  const std::string text(WithoutSuffixes(given, &says_en_passant));
  if (text.empty() || text.size() > kLengthMax) return Malformed(given);
  const MoveList<Move> moves = LegalMoves();
  if (text == "0-0" || text == "O-O" || text == "0-0-0" || text == "O-O-O") {
    const MoveKind kind = text.size() == 3 ? MoveKind::kCastleShort : MoveKind::kCastleLong;
    for (const Move move : moves) {
      if (move.kind() == kind) return move;
    }
    return absl::InvalidArgumentError(SeatName(to_move_) + " may not castle so now");
  }
  if (pending_ >= 0) return FindFreed(*this, moves, text);
  if (const auto written = ReadBoardMove(text)) return FindBoardMove(*this, moves, *written);
  const auto written = ReadPieceMove(text, says_en_passant);
  if (!written) return Malformed(given);
  return FindPieceMove(*this, moves, *written);
}

}  // namespace triarch::tri_d
