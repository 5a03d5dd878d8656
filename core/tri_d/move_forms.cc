// Writes moves in the specification's form and in Meder's short form.

#include <array>
#include <string>
#include <string_view>

#include "core/tri_d/text.h"

// The alternative move forms (rules §9): the specification's form, with cells named by board, and
// Meder's short form.
namespace triarch::tri_d {
namespace {

constexpr std::array<std::string_view, 3> kForms = {"canonical", "document", "short"};

char LetterOf(PieceType type) { return kPieceLetters[static_cast<size_t>(type)]; }

// Returns the name of the cell by its board: "a8BQL".
std::string CellByBoard(const Position& position, Cell cell) {
  return CellName(position.layout(), cell).substr(0, 2) +
         std::string(kBoardNames[static_cast<size_t>(cell.board())]);
}

// --- the specification's form: "P@a8BQL-a9BQL=Q" ---

std::string InDocumentForm(const Position& position, Move move) {
  const std::string promotion =
      move.promotion() == PieceType::kPawn ? "" : std::string("=") + LetterOf(move.promotion());
  switch (move.kind()) {
    case MoveKind::kCastleShort:
    case MoveKind::kCastleLong:
      return MoveToString(position, move);
    case MoveKind::kBoard:
      return std::string(AttackBoardName(move.board())) + "-" + move.pin().ToString() + promotion;
    case MoveKind::kFreed:
      return "P@" + CellByBoard(position, move.to()) + promotion;
    default:
      return std::string(1, LetterOf(position.piece_at(move.from())->type)) + "@" +
             CellByBoard(position, move.from()) + "-" + CellByBoard(position, move.to()) +
             promotion;
  }
}

// --- Meder's short form: "Nc6B", "axb4N", "QL5" ---

bool IsOfPiece(Move move) {
  return move.kind() == MoveKind::kNormal || move.kind() == MoveKind::kDoubleStep ||
         move.kind() == MoveKind::kEnPassant;
}

// The parts of the start cell to write. kStarts lists them in the order in which they are tried.
struct Start {
  bool file = false;
  bool rank = false;
  bool level = false;
};
constexpr std::array<Start, 8> kStarts = {{{},
                                           {.file = true},
                                           {.rank = true},
                                           {.level = true},
                                           {.file = true, .rank = true},
                                           {.file = true, .level = true},
                                           {.rank = true, .level = true},
                                           {.file = true, .rank = true, .level = true}}};

std::string StartText(const Position& position, Cell cell, Start start) {
  const std::string name = CellName(position.layout(), cell);
  return (start.file ? name.substr(0, 1) : "") + (start.rank ? name.substr(1, 1) : "") +
         (start.level ? name.substr(2) : "");
}

// Returns whether these parts of the start cell identify the move among those of pieces of the same
// type to the same cell.
bool TellsApart(const Position& position, Move move, Start start) {
  const std::string text = StartText(position, move.from(), start);
  const PieceType type = position.piece_at(move.from())->type;
  for (const Move other : position.LegalMoves()) {
    if (IsOfPiece(other) && other.to() == move.to() && other.from() != move.from() &&
        position.piece_at(other.from())->type == type &&
        StartText(position, other.from(), start) == text) {
      return false;
    }
  }
  return true;
}

std::string PieceMove(const Position& position, Move move) {
  const PieceType type = position.piece_at(move.from())->type;
  const bool is_pawn = type == PieceType::kPawn;
  const bool is_capture =
      move.kind() == MoveKind::kEnPassant || position.piece_at(move.to()).has_value();
  std::string text = is_pawn ? "" : std::string(1, LetterOf(type));
  for (const Start start : kStarts) {
    // For a pawn, write nothing, the file, or the file and level; a capture always has the file.
    const bool is_usual = !start.rank && (start.file || (!start.level && !is_capture));
    if ((is_pawn && !is_usual) || !TellsApart(position, move, start)) continue;
    text += StartText(position, move.from(), start);
    break;
  }
  if (is_capture) text += 'x';
  return text + CellName(position.layout(), move.to());
}

// Returns the move of a board. Includes the pin that it leaves if another board could go to the
// same pin.
std::string BoardMove(const Position& position, Move move) {
  for (const Move other : position.LegalMoves()) {
    if (other.kind() == MoveKind::kBoard && other.pin() == move.pin() &&
        other.promotion() == move.promotion() && other.board() != move.board()) {
      return MoveStart(position, move) + "-" + move.pin().ToString();
    }
  }
  return move.pin().ToString();
}

// Returns "e.p." for a capture en passant, followed by "+" for check or "#" for mate.
std::string Suffix(const Position& position, Move move) {
  const std::string en_passant = move.kind() == MoveKind::kEnPassant ? "e.p." : "";
  const Seat other = Other(position.to_move());
  Position next = position;
  next.Play(move);
  if (!next.is_in(other)) return en_passant + "#";
  return next.in_check(other) ? en_passant + "+" : en_passant;
}

std::string InShortForm(const Position& position, Move move) {
  std::string text;
  switch (move.kind()) {
    case MoveKind::kCastleShort:
    case MoveKind::kCastleLong:
      text = MoveToString(position, move);
      break;
    case MoveKind::kBoard:
      text = BoardMove(position, move);
      break;
    case MoveKind::kFreed:
      text = CellName(position.layout(), move.to());
      break;
    default:
      text = PieceMove(position, move);
  }
  if (move.promotion() != PieceType::kPawn) text += LetterOf(move.promotion());
  return text + Suffix(position, move);
}

}  // namespace

std::span<const std::string_view> MoveForms(GameTag<Position>) { return kForms; }

std::string MoveInForm(const Position& position, Move move, size_t form) {
  if (form == 0) return MoveToString(position, move);
  return form == 1 ? InDocumentForm(position, move) : InShortForm(position, move);
}

std::string MoveStart(const Position& position, Move move) {
  if (move.kind() != MoveKind::kBoard) return CellName(position.layout(), move.from());
  return position.layout().pins[static_cast<size_t>(move.board())].ToString();
}

std::optional<std::string> FindStart(const Position& position, std::string_view text) {
  for (int board = 0; board < kAttackBoards; ++board) {
    if (text == AttackBoardName(board))
      return position.layout().pins[static_cast<size_t>(board)].ToString();
  }
  if (const std::optional<Cell> cell = FindCell(position.layout(), text))
    return CellName(position.layout(), *cell);
  if (IsCell(kGame<Position>, text) || Pin::Parse(text)) return std::string(text);
  return std::nullopt;
}

}  // namespace triarch::tri_d
