// Reads and writes moves of Three-Way Chess as text.

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "core/base/text.h"
#include "core/game/find_move.h"
#include "core/three_way/text.h"

// Examples of moves: "h5-h7", "g8xf9", "h10-i11=Q", "h4-j2" (rules §6).
namespace triarch::three_way {
namespace {

char PromotionLetter(PieceType type) { return kPromotionLetters[static_cast<size_t>(type) - 1]; }

absl::Status Malformed(const std::string& why) {
  return absl::InvalidArgumentError(
      why + "; a move is written h5-h7, g8xf9, h10-i11=Q, h4-j2 (castling)");
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
  if (move.promotion() != PieceType::kPawn) {
    *text++ = '=';
    *text++ = PromotionLetter(move.promotion());
  }
  return text;
}

}  // namespace

char* WriteMove(const Position& /*position*/, Move move, char* text) {
  return WriteCells(move, '-', text);
}

char* WriteTpgn(const Position& position, Move move, char* text) {
  const bool is_capture =
      move.kind() == MoveKind::kEnPassant || position.occupied().contains(move.to());
  return WriteCells(move, is_capture ? 'x' : '-', text);
}

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view given) {
  if (position.outcome()) return absl::InvalidArgumentError("the game is over");
  // Letters may have either case, except the x.
  std::string text(given);
  const bool is_short = absl::EqualsIgnoreCase(text, "O-O");
  if (is_short || absl::EqualsIgnoreCase(text, "O-O-O")) {
    for (const Move move : position.LegalMoves()) {
      const bool is_king_side = move.to().column() > move.from().column();
      if (move.kind() == MoveKind::kCastling && is_king_side == is_short) return move;
    }
    return absl::InvalidArgumentError(Position::kInfo.seat_name(position.to_move()) +
                                      " cannot castle that way now");
  }
  if (text.size() > 2 && text[text.size() - 2] == '=') {
    text.back() = absl::ascii_toupper(static_cast<unsigned char>(text.back()));
  }

  const absl::StatusOr<WrittenMove> written = SplitMove(text);
  if (!written.ok()) return Malformed(std::string(written.status().message()));
  const absl::StatusOr<Cell> from = ReadCell(written->from);
  if (!from.ok()) return from.status();
  const absl::StatusOr<Cell> to = ReadCell(written->to);
  if (!to.ok()) return to.status();
  return FindMove(position, *written, *from, *to);
}

}  // namespace triarch::three_way
