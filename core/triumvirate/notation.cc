#include <string>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/game/move_text.h"
#include "core/triumvirate/movegen.h"
#include "core/triumvirate/position.h"

// Moves as text: "E2-E4", "E4xD5", "A7-A8=Q", "O-O" (rules §8, §9).
namespace triarch::triumvirate {
namespace {

constexpr std::string_view kTypeLetters = "PNBRQK";
constexpr std::array<std::string_view, kPieceTypes> kTypeNames = {"pawn", "knight", "bishop",
                                                                  "rook", "queen",  "king"};

char Letter(PieceType type) { return kTypeLetters[static_cast<size_t>(type)]; }

absl::Status Malformed(std::string_view why) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s; a move is written E2-E4, E4xD5, A7-A8=Q, O-O or O-O-O", std::string(why)));
}

absl::StatusOr<Cell> ReadCell(std::string_view text) {
  const std::optional<Cell> cell = Cell::Parse(text);
  if (!cell) return Malformed(Quote(text) + " is no cell of the board");
  return *cell;
}

// A move as it is written, before the rules are asked.
struct ReadMove {
  Cell from;
  Cell to;
  WrittenMove written;
  PieceType promotion = PieceType::kPawn;
};

absl::StatusOr<ReadMove> Read(std::string_view text) {
  const absl::StatusOr<WrittenMove> written = SplitMove(text);
  if (!written.ok()) return Malformed(std::string(written.status().message()));
  const absl::StatusOr<Cell> from = ReadCell(written->from);
  if (!from.ok()) return from.status();
  const absl::StatusOr<Cell> to = ReadCell(written->to);
  if (!to.ok()) return to.status();
  ReadMove read{*from, *to, *written};
  if (written->promotion) read.promotion = static_cast<PieceType>(*written->promotion + 1);
  return read;
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
  const absl::StatusOr<ReadMove> read = Read(text);
  if (!read.ok()) return read.status();
  bool is_promotion = false;
  for (const Move move : moves) {
    if (move.from() != read->from || move.to() != read->to) continue;
    is_promotion = move.kind() == MoveKind::kPromotion;
    if (move.promotion() != read->promotion) continue;
    const bool is_en_passant = move.kind() == MoveKind::kEnPassant;
    if (read->written.says_en_passant && !is_en_passant) {
      return absl::InvalidArgumentError("it is no capture en passant");
    }
    if (read->written.says_capture && !is_en_passant && !occupied().contains(move.to())) {
      return absl::InvalidArgumentError("it captures nothing");
    }
    return move;
  }
  if (is_promotion) return absl::InvalidArgumentError("the pawn must become =Q, =R, =B or =N");
  for (const Move move : moves) {
    if (move.from() == read->from && move.to() == read->to) {
      return absl::InvalidArgumentError("it is no promotion");
    }
  }
  return absl::InvalidArgumentError(WhyIllegal(*this, read->from, read->to));
}

}  // namespace triarch::triumvirate
