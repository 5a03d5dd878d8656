#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/move_text.h"
#include "core/three_way/position.h"

// Moves as text: "h5-h7", "g8xf9", "h10-i11=Q", "h4-j2" (rules §6).
namespace triarch::three_way {
namespace {

constexpr std::array<std::string_view, kPieceTypes> kTypeNames = {"pawn", "knight", "bishop",
                                                                  "rook", "queen",  "king"};

char PromotionLetter(PieceType type) { return kPromotionLetters[static_cast<size_t>(type) - 1]; }

std::string SeatName(Seat seat) { return std::string(Position::kInfo.seat_names[Index(seat)]); }

absl::Status Malformed(const std::string& why) {
  return absl::InvalidArgumentError(
      why + "; a move is written h5-h7, g8xf9, h10-i11=Q, h4-j2 (castling)");
}

absl::StatusOr<Cell> ReadCell(std::string_view text) {
  const std::optional<Cell> cell = Cell::Parse(text);
  if (!cell) return Malformed(Quote(text) + " is no cell of the board");
  return *cell;
}

// Why no legal move goes from one cell to the other.
std::string WhyIllegal(const Position& position, Cell from, Cell to) {
  const std::optional<Piece> piece = position.piece_at(from);
  if (!piece) return absl::StrFormat("no piece stands on %s", from.ToString());
  const Seat mover = position.to_move();
  if (piece->owner != mover) {
    return absl::StrFormat("the piece on %s is %s's and it is %s's turn", from.ToString(),
                           SeatName(piece->owner), SeatName(mover));
  }
  const std::optional<Piece> other = position.piece_at(to);
  if (other && other->owner == mover) {
    return absl::StrFormat("%s holds a piece of %s's own", to.ToString(), SeatName(mover));
  }
  const std::string_view name = kTypeNames[static_cast<size_t>(piece->type)];
  return absl::StrFormat("the %s on %s %s%s", std::string(name), from.ToString(),
                         position.in_check(mover)
                             ? "does not answer the check by going to "
                             : "does not reach, or may not leave its king attacked by going to ",
                         to.ToString());
}

}  // namespace

std::string Position::MoveToString(Move move) const {
  std::string text = move.from().ToString() + "-" + move.to().ToString();
  if (move.promotion() != PieceType::kPawn) text += {'=', PromotionLetter(move.promotion())};
  return text;
}

std::string Position::MoveToTpgn(Move move) const {
  const bool is_capture = move.kind() == MoveKind::kEnPassant || occupied().contains(move.to());
  // In place: a tournament writes millions of moves a second.
  char text[2 * Cell::kNameMax + 3];
  size_t size = move.from().Write(text);
  text[size++] = is_capture ? 'x' : '-';
  size += move.to().Write(text + size);
  if (move.promotion() != PieceType::kPawn) {
    text[size++] = '=';
    text[size++] = PromotionLetter(move.promotion());
  }
  return {text, size};
}

absl::StatusOr<Move> Position::ParseMove(std::string_view given) const {
  if (outcome()) return absl::InvalidArgumentError("the game is over");
  const MoveList<Move> moves = LegalMoves();
  // Letters are taken in either case, but for the x.
  std::string text(given);
  const bool is_short = absl::EqualsIgnoreCase(text, "O-O");
  if (is_short || absl::EqualsIgnoreCase(text, "O-O-O")) {
    for (const Move move : moves) {
      const bool is_king_side = move.to().column() > move.from().column();
      if (move.kind() == MoveKind::kCastling && is_king_side == is_short) return move;
    }
    return absl::InvalidArgumentError(
        absl::StrFormat("%s may not castle so now", SeatName(to_move_)));
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
  const PieceType promotion =
      written->promotion ? static_cast<PieceType>(*written->promotion + 1) : PieceType::kPawn;
  bool is_promotion = false;
  bool is_move = false;
  for (const Move move : moves) {
    if (move.from() != *from || move.to() != *to) continue;
    is_move = true;
    is_promotion = move.promotion() != PieceType::kPawn;
    if (move.promotion() != promotion) continue;
    const bool is_en_passant = move.kind() == MoveKind::kEnPassant;
    if (written->says_en_passant && !is_en_passant) {
      return absl::InvalidArgumentError("it is no capture en passant");
    }
    if (written->says_capture && !is_en_passant && !occupied().contains(move.to())) {
      return absl::InvalidArgumentError("it captures nothing");
    }
    return move;
  }
  if (is_promotion) return absl::InvalidArgumentError("the pawn must become =Q, =R, =B or =N");
  if (is_move) return absl::InvalidArgumentError("it is no promotion");
  return absl::InvalidArgumentError(WhyIllegal(*this, *from, *to));
}

}  // namespace triarch::three_way
