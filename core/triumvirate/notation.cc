#include <string>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/triumvirate/movegen.h"
#include "core/triumvirate/position.h"

// Moves as text: "E2-E4", "E4xD5", "A7-A8=Q", "O-O" (rules §8, §9).
namespace triarch::triumvirate {
namespace {

constexpr std::string_view kTypeLetters = "PNBRQK";
constexpr std::array<std::string_view, kPieceTypes> kTypeNames = {"pawn", "knight", "bishop",
                                                                  "rook", "queen",  "king"};

char Letter(PieceType type) { return kTypeLetters[static_cast<size_t>(type)]; }

// A move as it is written, before the rules are asked.
struct WrittenMove {
  Cell from;
  Cell to;
  bool says_capture = false;     // x
  bool says_en_passant = false;  // e.p.
  std::optional<PieceType> promotion;
};

absl::Status Malformed(std::string_view why) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s; a move is written E2-E4, E4xD5, A7-A8=Q, O-O or O-O-O", std::string(why)));
}

absl::StatusOr<Cell> ReadCell(std::string_view text) {
  const std::optional<Cell> cell = Cell::Parse(text);
  if (!cell) return Malformed(Quote(text) + " is no cell of the board");
  return *cell;
}

absl::StatusOr<WrittenMove> ReadMove(std::string_view text) {
  WrittenMove written;
  constexpr std::string_view kEnPassant = " e.p.";
  if (text.ends_with(kEnPassant)) {
    written.says_en_passant = true;
    text.remove_suffix(kEnPassant.size());
  }
  if (text.size() > 2 && text[text.size() - 2] == '=') {
    const size_t type = kTypeLetters.find(text.back());
    if (type == std::string_view::npos || type == 0 || type == 5) {
      return Malformed("a pawn becomes Q, R, B or N, not " + Quote(text.substr(text.size() - 1)));
    }
    written.promotion = static_cast<PieceType>(type);
    text.remove_suffix(2);
  }
  const size_t middle = text.find_first_of("-x");
  if (middle == std::string_view::npos) return Malformed(Quote(text) + " is no move");
  written.says_capture = text[middle] == 'x';
  const absl::StatusOr<Cell> from = ReadCell(text.substr(0, middle));
  if (!from.ok()) return from.status();
  const absl::StatusOr<Cell> to = ReadCell(text.substr(middle + 1));
  if (!to.ok()) return to.status();
  written.from = *from;
  written.to = *to;
  return written;
}

std::string SeatName(Seat seat) { return std::string(Position::kInfo.seat_names[Index(seat)]); }

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
  if (other && other->type == PieceType::kKing) return "kings are never captured";
  const std::string_view name = kTypeNames[static_cast<size_t>(piece->type)];
  return absl::StrFormat("the %s on %s %s%s", std::string(name), from.ToString(),
                         position.in_check(mover)
                             ? "does not answer the check by going to "
                             : "does not reach, or may not leave its king attacked by going to ",
                         to.ToString());
}

}  // namespace

std::span<const std::string_view> Position::Starts() {
  static constexpr std::array<std::string_view, 2> kStarts = {"document", "server"};
  return kStarts;
}

std::string Position::MoveToString(Move move) const {
  std::string text = move.from().ToString() + "-" + move.to().ToString();
  if (move.kind() == MoveKind::kPromotion) text += {'=', Letter(move.promotion())};
  return text;
}

std::string Position::MoveToTpgn(Move move) const {
  const Cell from = move.from();
  const Cell to = move.to();
  if (move.kind() == MoveKind::kCastling) {
    const int corner = to.column() > from.column() ? kColumns - 1 : 0;
    const bool is_short = Between(from, Cell::At(from.sector(), corner, 0)).size() == 2;
    return is_short ? "O-O" : "O-O-O";
  }
  const bool is_capture = move.kind() == MoveKind::kEnPassant || occupied().contains(to);
  // In place: a tournament writes millions of moves a second.
  char text[2 * Cell::kNameMax + 3];
  size_t size = from.Write(text);
  text[size++] = is_capture ? 'x' : '-';
  size += to.Write(text + size);
  if (move.kind() == MoveKind::kPromotion) {
    text[size++] = '=';
    text[size++] = Letter(move.promotion());
  }
  return {text, size};
}

absl::StatusOr<Move> Position::ParseMove(std::string_view text) const {
  if (outcome()) return absl::InvalidArgumentError("the game is over");
  const MoveList<Move> moves = LegalMoves();
  if (text == "O-O" || text == "O-O-O") {
    for (const Move move : moves) {
      if (move.kind() == MoveKind::kCastling && MoveToTpgn(move) == text) return move;
    }
    return absl::InvalidArgumentError(
        absl::StrFormat("%s may not castle so now", SeatName(to_move_)));
  }
  const absl::StatusOr<WrittenMove> written = ReadMove(text);
  if (!written.ok()) return written.status();
  bool is_promotion = false;
  for (const Move move : moves) {
    if (move.from() != written->from || move.to() != written->to) continue;
    is_promotion = move.kind() == MoveKind::kPromotion;
    if (move.promotion() != written->promotion.value_or(PieceType::kPawn)) continue;
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
  for (const Move move : moves) {
    if (move.from() == written->from && move.to() == written->to) {
      return absl::InvalidArgumentError("it is no promotion");
    }
  }
  return absl::InvalidArgumentError(WhyIllegal(*this, written->from, written->to));
}

}  // namespace triarch::triumvirate
