// Finds the legal move that a text names.

#ifndef TRIARCH_CORE_GAME_FIND_MOVE_H_
#define TRIARCH_CORE_GAME_FIND_MOVE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "core/game/move_text.h"
#include "core/game/piece.h"
#include "core/game/position.h"

namespace triarch {

// Explains why no legal move goes from one cell to the other.
template <Position P, class Cell>
std::string WhyIllegal(const P& position, Cell from, Cell to) {
  const auto piece = position.piece_at(from);
  if (!piece) return absl::StrFormat("no piece stands on %s", from.ToString());
  const Seat mover = position.to_move();
  if (piece->owner != mover) {
    return absl::StrFormat("the piece on %s is %s's, but it is %s's turn", from.ToString(),
                           P::kInfo.seat_name(piece->owner), P::kInfo.seat_name(mover));
  }
  const auto other = position.piece_at(to);
  if (other && other->owner == mover) {
    return absl::StrFormat("%s holds one of %s's pieces", to.ToString(), P::kInfo.seat_name(mover));
  }
  return absl::StrFormat(
      "the %s on %s %s%s", kPieceNames[static_cast<size_t>(piece->type)], from.ToString(),
      position.in_check(mover) ? "does not answer the check by going to "
                               : "does not reach, or would leave its king attacked by going to ",
      to.ToString());
}

// Returns the legal move from `from` to `to` that agrees with `written`: it must capture if the
// text says so, and the text must name the promotion if and only if there is one. Castling is
// written as the king's move.
template <Position P, class Cell>
absl::StatusOr<typename P::Move> FindMove(const P& position, const WrittenMove& written, Cell from,
                                          Cell to) {
  const PieceType promotion =
      written.promotion ? static_cast<PieceType>(*written.promotion + 1) : PieceType::kPawn;
  std::optional<typename P::Move> near;  // from and to match, but the promotion does not
  for (const typename P::Move move : position.LegalMoves()) {
    if (move.from() != from || move.to() != to) continue;
    near = move;
    if (move.promotion() != promotion) continue;
    const bool is_en_passant = move.kind() == decltype(move.kind())::kEnPassant;
    if (written.says_en_passant && !is_en_passant) {
      return absl::InvalidArgumentError("it is not a capture en passant");
    }
    if (written.says_capture && !is_en_passant && !position.piece_at(to)) {
      return absl::InvalidArgumentError("it captures nothing");
    }
    return move;
  }
  if (!near) return absl::InvalidArgumentError(WhyIllegal(position, from, to));
  return absl::InvalidArgumentError(near->promotion() == PieceType::kPawn
                                        ? "it is not a promotion"
                                        : "the pawn must become =Q, =R, =B or =N");
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_FIND_MOVE_H_
