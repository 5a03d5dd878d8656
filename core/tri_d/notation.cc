// Reads and writes cells and moves of Tri-D chess as text.

#include <algorithm>
#include <array>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/move_text.h"
#include "core/tri_d/text.h"
#include "core/tri_d/written_move.h"

// Paragraph numbers (§) refer to docs/rules/tri-d.md: cells §1, moves §9.
namespace triarch::tri_d {
namespace {

// The level in a cell's name: a board, wherever it stands, or a pin.
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

// Reads the column at the beginning of a name such as "c1W".
std::optional<Column> ReadColumn(std::string_view text) {
  if (text.size() < 2 || text[1] < '0' || text[1] > '9') return std::nullopt;
  const size_t file = kFileLetters.find(text[0]);
  if (file == std::string_view::npos) return std::nullopt;
  return ColumnAt(static_cast<int>(file), text[1] - '0');
}

PieceType TypeOf(char letter) { return static_cast<PieceType>(kPieceLetters.find(letter)); }

absl::Status Malformed(const std::string& why) {
  return absl::InvalidArgumentError(
      why +
      "; a move is written a2W-a4N, b7B-b8B=Q, 0-0, 0-0-0, QL1-QL3, or in short form Nc6B, axb4N, "
      "QL3");
}

absl::Status NoMove(std::string_view text) { return Malformed(Quote(text) + " is not a move"); }

absl::Status MalformedPawnMove(std::string_view text) {
  return absl::InvalidArgumentError(
      Quote(text) +
      " is not a move; a pawn's move is written c4N in short form, or axb4N or aWxb4N with the "
      "file that it leaves and, if needed, the level after the file");
}

bool TakeCheckMark(std::string_view* text) {
  if (!text->ends_with('+') && !text->ends_with('#')) return false;
  text->remove_suffix(1);
  return true;
}

// Removes "e.p." and one "+" or "#" before or after it. The rules already decide check and mate;
// only "e.p." restricts the move, to a capture en passant.
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

// Matches the level of a cell in any notation.
#define TRIARCH_LEVEL "(?:[KQ]L[1-6]|[WB][KQ]L|[WNB])"

// Reads a move of a piece in full or short form; `given` is the text with its suffixes.
absl::StatusOr<WrittenMove> ReadPieceMove(const std::string& text, std::string_view given,
                                          bool says_en_passant) {
  static const std::regex kFull("(?:([KQRBNP])@)?([zabcde])([0-9])(" TRIARCH_LEVEL
                                ")([-x:])([zabcde][0-9]" TRIARCH_LEVEL ")(?:=([QRBN]))?");
  static const std::regex kShort("([KQRBN])?([zabcde])?([0-9])?(" TRIARCH_LEVEL
                                 ")?(x)?([zabcde][0-9]" TRIARCH_LEVEL ")(?:=?([QRBN]))?");
  std::smatch match;
  const bool is_full = std::regex_match(text, match, kFull);
  if (!is_full && !std::regex_match(text, match, kShort)) return NoMove(given);
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
  // The short form of a pawn's move is [file[level][x]]cell.
  const bool needs_file = !written.level.empty() || written.is_capture.value_or(false);
  if (!is_full && written.type == PieceType::kPawn &&
      (written.rank || (needs_file && !written.file))) {
    return MalformedPawnMove(given);
  }
  return written;
}

#undef TRIARCH_LEVEL

std::optional<WrittenBoardMove> ReadBoardMove(const std::string& text) {
  static const std::regex kForm("(?:([KQ]L[1-6]|[WB][KQ]L)[-:])?([KQ]L[1-6])(?:=?([QRBN]))?");
  std::smatch match;
  if (!std::regex_match(text, match, kForm)) return std::nullopt;
  WrittenBoardMove written{match.str(1), match.str(2)};
  if (match[3].matched) written.promotion = TypeOf(match.str(3)[0]);
  return written;
}

// --- from the text to the move ---

// Returns the only move found, or an error if none or several were found.
absl::StatusOr<Move> OneOf(const Position& position, const std::vector<Move>& found,
                           const std::string& why_none) {
  if (found.size() == 1) return found.front();
  if (found.empty()) return absl::InvalidArgumentError(why_none);
  std::string texts;
  for (const Move move : found) {
    texts += (texts.empty() ? "" : ", ") + MoveToString(position, move);
  }
  return absl::InvalidArgumentError("it is ambiguous: " + texts);
}

absl::StatusOr<Move> FindCastling(const Position& position, const MoveList<Move>& moves,
                                  bool is_short) {
  for (const Move move : moves) {
    if (move.kind() == (is_short ? MoveKind::kCastleShort : MoveKind::kCastleLong)) return move;
  }
  return absl::InvalidArgumentError(
      Position::kInfo.seat_name(position.to_move()) +
      " cannot castle that way now: " + WhyNoCastling(position, is_short));
}

absl::StatusOr<Move> FindFreed(const Position& position, const MoveList<Move>& moves,
                               std::string_view text) {
  if (text.starts_with("P@")) text.remove_prefix(2);
  for (const Move move : moves) {
    const std::string canonical = MoveToString(position, move);
    std::string without = canonical;
    without.erase(without.find('='), 1);
    if (text == canonical || text == without) return move;
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s must first promote the pawn on %s: %s", Position::kInfo.seat_name(position.to_move()),
      CellName(position.layout(), *position.pending()), MoveToString(position, moves[0])));
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
                ? "it is not a promotion"
                : "a pawn promotes with the board: =Q, =R, =B or =N";
    }
  }
  return OneOf(position, found, why.empty() ? WhyNoBoard(position, written) : why);
}

bool IsCapture(const Position& position, Move move) {
  return move.kind() == MoveKind::kEnPassant || (position.occupied() & CellBit(move.to())) != 0;
}

// Returns whether the move's cells and piece agree with the text.
bool IsMeant(const Position& position, Move move, const WrittenMove& written, Cell to) {
  const bool is_piece_move = move.kind() == MoveKind::kNormal ||
                             move.kind() == MoveKind::kDoubleStep ||
                             move.kind() == MoveKind::kEnPassant;
  return is_piece_move && move.to() == to && IsFrom(position, move.from(), written);
}

absl::StatusOr<Move> FindPieceMove(const Position& position, const MoveList<Move>& moves,
                                   const WrittenMove& written) {
  const std::optional<Cell> to = FindCell(position.layout(), written.to);
  std::vector<Move> found;
  std::string why;
  for (const Move move : moves) {
    if (!to || !IsMeant(position, move, written, *to)) continue;
    const bool is_capture = IsCapture(position, move);
    if (written.is_capture && *written.is_capture != is_capture) {
      why = is_capture ? "it is a capture and needs an x" : "it captures nothing";
    } else if (written.says_en_passant && move.kind() != MoveKind::kEnPassant) {
      why = "it is not a capture en passant";
    } else if (move.promotion() != written.promotion) {
      why = move.promotion() == PieceType::kPawn ? "it is not a promotion"
                                                 : "the pawn must become =Q, =R, =B or =N";
    } else {
      found.push_back(move);
    }
  }
  return OneOf(position, found, why.empty() ? WhyIllegal(position, written) : why);
}

// Returns the place of the column on a board with these columns, if it has one.
std::optional<int> PlaceOn(ColumnSet board_columns, Column column) {
  if ((board_columns & ColumnBit(column)) == 0) return std::nullopt;
  return std::popcount(board_columns & (ColumnBit(column) - 1));
}

// Both functions return the end of the name.
constexpr char* WritePin(Pin pin, char* text) {
  *text++ = pin.is_king_side() ? 'K' : 'Q';
  *text++ = 'L';
  *text++ = static_cast<char>('0' + pin.number());
  return text;
}

constexpr size_t kCellNameMax = 5;  // "a3QL3"

// The names of the cells of the main boards, then of those of a board on each pin, each followed by
// its length. Precomputed because a process bot gets all legal moves on every turn.
constexpr auto kCellNames = [] {
  std::array<std::array<char, kCellNameMax + 1>, kMainCells + 4 * kPins> names{};
  const auto write_column = [](Column column, char* text) {
    *text++ = kFileLetters[static_cast<size_t>(FileOf(column))];
    *text++ = static_cast<char>('0' + RankOf(column));
    return text;
  };
  for (size_t i = 0; i < names.size(); ++i) {
    char* const begin = names[i].data();
    char* end = begin;
    if (i < kMainCells) {
      end = write_column(kBoardTables.main_columns[i], end);
      *end++ = kBoardNames[i / 16].front();  // main boards have one letter
    } else {
      const size_t pin = (i - kMainCells) / 4;
      end = write_column(kBoardTables.pin_columns[pin][i % 4], end);
      end = WritePin(Pin::At(static_cast<int>(pin)), end);
    }
    names[i][kCellNameMax] = static_cast<char>(end - begin);
  }
  return names;
}();

// Requires: room for kCellNameMax bytes.
char* WriteCell(const Layout& layout, Cell cell, char* text) {
  auto index = static_cast<size_t>(cell.index());
  if (!cell.is_main()) {
    const Pin pin = layout.pins[static_cast<size_t>(cell.attack_board())];
    index = kMainCells + 4 * static_cast<size_t>(pin.index()) + static_cast<size_t>(cell.place());
  }
  const auto& name = kCellNames[index];
  std::memcpy(text, name.data(), kCellNameMax);
  return text + name[kCellNameMax];
}

}  // namespace

std::string CellName(const Layout& layout, Cell cell) {
  char text[kCellNameMax];
  return {text, WriteCell(layout, cell, text)};
}

std::optional<Cell> FindCell(const Layout& layout, std::string_view name) {
  const std::optional<Column> column = ReadColumn(name);
  if (!column) return std::nullopt;
  const std::optional<Level> level = ReadLevel(name.substr(2));
  if (!level) return std::nullopt;
  if (level->board && *level->board < 3) {
    const auto place = PlaceOn(kBoardTables.main[static_cast<size_t>(*level->board)], *column);
    if (!place) return std::nullopt;
    return Cell::At(16 * *level->board + *place);
  }
  const int board = level->board ? *level->board - 3 : layout.BoardOn(*level->pin);
  if (board < 0) return std::nullopt;
  const Pin pin = layout.pins[static_cast<size_t>(board)];
  const auto place = PlaceOn(kBoardTables.pin[static_cast<size_t>(pin.index())], *column);
  if (!place) return std::nullopt;
  return Cell::At(kMainCells + 4 * board + *place);
}

// Accepts the 96 possible cells by their pins. A board's name identifies no cell without a
// position.
bool IsCell(GameTag<Position>, std::string_view text) {
  const std::optional<Column> column = ReadColumn(text);
  if (!column) return false;
  const std::optional<Level> level = ReadLevel(text.substr(2));
  if (!level) return false;
  if (level->pin)
    return PlaceOn(kBoardTables.pin[static_cast<size_t>(level->pin->index())], *column).has_value();
  return *level->board < 3 &&
         PlaceOn(kBoardTables.main[static_cast<size_t>(*level->board)], *column).has_value();
}

char* WriteMove(const Position& position, Move move, char* text) {
  char* end = text;
  switch (move.kind()) {
    case MoveKind::kNormal:
    case MoveKind::kDoubleStep:
    case MoveKind::kEnPassant:
      end = WriteCell(position.layout(), move.from(), end);
      *end++ = '-';
      end = WriteCell(position.layout(), move.to(), end);
      break;
    case MoveKind::kCastleShort:
      return std::copy_n("0-0", 3, text);
    case MoveKind::kCastleLong:
      return std::copy_n("0-0-0", 5, text);
    case MoveKind::kBoard:
      end = WritePin(position.layout().pins[static_cast<size_t>(move.board())], end);
      *end++ = '-';
      end = WritePin(move.pin(), end);
      break;
    case MoveKind::kFreed:
      end = WriteCell(position.layout(), move.to(), end);
      break;
  }
  if (move.promotion() != PieceType::kPawn) {
    *end++ = '=';
    *end++ = kPieceLetters[static_cast<size_t>(move.promotion())];
  }
  return end;
}

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view given) {
  if (position.outcome()) return absl::InvalidArgumentError("the game is over");
  constexpr size_t kLengthMax = 40;
  bool says_en_passant = false;
  const std::string text(WithoutSuffixes(given, &says_en_passant));
  if (text.empty() || text.size() > kLengthMax) return NoMove(given);
  const MoveList<Move> moves = position.LegalMoves();
  if (position.pending()) return FindFreed(position, moves, says_en_passant ? given : text);
  const absl::Status promotion = CheckPromotion(text);
  if (!promotion.ok()) return Malformed(std::string(promotion.message()));
  const bool is_short = text == "0-0" || text == "O-O";
  const bool is_castling = is_short || text == "0-0-0" || text == "O-O-O";
  if (is_castling && !says_en_passant) return FindCastling(position, moves, is_short);
  const auto board_move = ReadBoardMove(text);
  if (board_move && !says_en_passant) return FindBoardMove(position, moves, *board_move);
  const absl::StatusOr<WrittenMove> written = ReadPieceMove(text, given, says_en_passant);
  if (!written.ok()) return written.status();
  return FindPieceMove(position, moves, *written);
}

}  // namespace triarch::tri_d
