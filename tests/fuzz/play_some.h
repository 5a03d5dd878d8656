#ifndef TRIARCH_TESTS_FUZZ_PLAY_SOME_H_
#define TRIARCH_TESTS_FUZZ_PLAY_SOME_H_

#include <string>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/triumvirate/position.h"

namespace triarch {

// What is read back from the text of a position is that position.
inline void CheckText(const triumvirate::Position& position) {
  const std::string text = position.ToString();
  const absl::StatusOr<triumvirate::Position> again = triumvirate::Position::Parse(text);
  CHECK(again.ok());
  CHECK(again->ToString() == text);
  CHECK(again->key() == position.key());
}

// Plays some random moves and resignations from a position that a parser has let pass, whatever it
// is, and checks what always holds.
inline void PlaySome(triumvirate::Position position, uint64_t seed) {
  constexpr int kPlies = 6;
  Random random(seed);
  for (int ply = 0; ply < kPlies; ++ply) {
    const auto moves = position.LegalMoves();
    CHECK(moves.size() == position.CountLegalMoves());
    if (position.outcome()) CHECK(moves.size() == 0);
    if (moves.size() == 0) return;  // over, or given with a player that cannot move
    const int pieces = position.occupied().size();
    const Seat seat = SeatAt(random.Below(3));
    if (random.Below(16) == 0 && position.is_in(seat)) {
      position.Resign(seat);
    } else {
      const auto move = moves[random.Below(static_cast<uint32_t>(moves.size()))];
      const auto parsed = position.ParseMove(position.MoveToString(move));
      CHECK(parsed.ok() && *parsed == move);
      position.Play(move);
    }
    CHECK(position.occupied().size() <= pieces);
    CheckText(position);
  }
}

}  // namespace triarch

#endif  // TRIARCH_TESTS_FUZZ_PLAY_SOME_H_
