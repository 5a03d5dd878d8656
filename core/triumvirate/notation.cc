// Reads and writes moves of Triumvirate as text.

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/find_move.h"
#include "core/triumvirate/movegen.h"
#include "core/triumvirate/text.h"

// Examples of moves: "E2-E4", "E4xD5", "A7-A8=Q", "O-O" (rules §8, §9).
namespace triarch::triumvirate {
namespace {

char Letter(PieceType type) { return kPieceLetters[static_cast<size_t>(type)]; }

absl::Status Malformed(std::string_view why) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s; a move is written E2-E4, E4xD5, A7-A8=Q, O-O or O-O-O", std::string(why)));
}

absl::StatusOr<Cell> ReadCell(std::string_view text) {
  const std::optional<Cell> cell = Cell::Parse(text);
  if (!cell) return Malformed(Quote(text) + " is not a cell of the board");
  return *cell;
}

// Returns the end.
char* WriteCells(Move move, char dash, char* text) {
  text += move.from().Write(text);
  *text++ = dash;
  text += move.to().Write(text);
  if (move.kind() == MoveKind::kPromotion) {
    *text++ = '=';
    *text++ = Letter(move.promotion());
  }
  return text;
}

}  // namespace

std::span<const std::string_view> Starts(GameTag<Position>) {
  static constexpr std::array<std::string_view, 2> kStarts = {"document", "server"};
  return kStarts;
}

char* WriteMove(const Position& /*position*/, Move move, char* text) {
  return WriteCells(move, '-', text);
}

char* WriteTpgn(const Position& position, Move move, char* text) {
  const Cell from = move.from();
  const Cell to = move.to();
  if (move.kind() == MoveKind::kCastling) {
    const int corner = to.column() > from.column() ? kColumns - 1 : 0;
    const bool is_short = Between(from, Cell::At(from.sector(), corner, 0)).size() == 2;
    const std::string_view castling = is_short ? "O-O" : "O-O-O";
    return std::copy(castling.begin(), castling.end(), text);
  }
  const bool is_capture = move.kind() == MoveKind::kEnPassant || position.occupied().contains(to);
  return WriteCells(move, is_capture ? 'x' : '-', text);
}

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
  if (position.outcome()) return absl::InvalidArgumentError("the game is over");
  if (text == "O-O" || text == "O-O-O") {
    for (const Move move : position.LegalMoves()) {
      if (move.kind() == MoveKind::kCastling && MoveToTpgn(position, move) == text) return move;
    }
    return absl::InvalidArgumentError(Position::kInfo.seat_name(position.to_move()) +
                                      " cannot castle that way now");
  }
  const absl::StatusOr<WrittenMove> written = SplitMove(text);
  if (!written.ok()) return Malformed(std::string(written.status().message()));
  const absl::StatusOr<Cell> from = ReadCell(written->from);
  if (!from.ok()) return from.status();
  const absl::StatusOr<Cell> to = ReadCell(written->to);
  if (!to.ok()) return to.status();
  const std::optional<Piece> victim = position.piece_at(*to);
  if (position.owned_by(position.to_move()).contains(*from) && victim &&
      victim->type == PieceType::kKing && victim->owner != position.to_move()) {
    return absl::InvalidArgumentError("kings are never captured");
  }
  return FindMove(position, *written, *from, *to);
}

}  // namespace triarch::triumvirate
