// Plays random moves from a parsed position and checks invariants.

#ifndef TRIARCH_TESTS_FUZZ_PLAY_SOME_H_
#define TRIARCH_TESTS_FUZZ_PLAY_SOME_H_

#include <string>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/game/position.h"
#include "core/text.h"

namespace triarch {

// Checks that the text of a position parses as the same position. The text of a finished game need
// not be valid, and does not record resignations, which the key does (they rule out en passant
// captures).
template <Position P>
void CheckText(const P& position) {
  const std::string text = ToString(position);
  const absl::StatusOr<P> again = Parse(kGame<P>, text);
  if (!again.ok() && position.outcome()) return;
  CHECK(again.ok());
  CHECK(ToString(*again) == text);
  CHECK(position.outcome() || again->key() == position.key());
}

// Returns the number of pieces on the board.
template <Position P>
int CountPieces(const P& position) {
  int count = 0;
  for (int cell = 0; cell < P::kCells; ++cell) count += position.PieceOn(cell) ? 1 : 0;
  return count;
}

// Plays random moves and resignations from any position that a parser accepted, and checks
// invariants.
template <Position P>
void PlaySome(P position, uint64_t seed) {
  constexpr int kPlies = 6;
  Random random(seed);
  for (int ply = 0; ply < kPlies; ++ply) {
    const auto moves = position.LegalMoves();
    CHECK(moves.size() == position.CountLegalMoves());
    if (position.outcome()) CHECK(moves.size() == 0);
    if (moves.size() == 0) return;  // the game is over, or the seat to move has no moves
    const int pieces = CountPieces(position);
    const Seat seat = SeatAt(random.Below(static_cast<uint32_t>(P::kInfo.seats)));
    if (random.Below(16) == 0 && position.is_in(seat)) {
      position.Resign(seat);
    } else {
      const auto move = moves[random.Below(static_cast<uint32_t>(moves.size()))];
      const auto parsed = ParseMove(position, MoveToString(position, move));
      CHECK(parsed.ok() && *parsed == move);
      position.Play(move);
    }
    CHECK(CountPieces(position) <= pieces);
    CheckText(position);
  }
}

}  // namespace triarch

#endif  // TRIARCH_TESTS_FUZZ_PLAY_SOME_H_
