// Fuzzes move texts: only legal moves are accepted, and they can be written again.

#include <algorithm>
#include <vector>

#include "core/games.h"
#include "tests/fuzz/fuzz.h"

namespace triarch {
namespace {

// The starts and the benchmark's positions.
template <Position P>
const std::vector<P>& Positions() {
  static const auto* const kPositions = [] {
    auto* positions = new std::vector<P>;
    for (const std::string_view name : P::Starts()) positions->push_back(*P::Start(name));
    for (const std::string_view text : P::BenchPositions()) positions->push_back(*P::Parse(text));
    return positions;
  }();
  return *kPositions;
}

template <Position P>
void CheckMove(const P& position, typename P::Move move) {
  const auto moves = position.LegalMoves();
  CHECK(std::find(moves.begin(), moves.end(), move) != moves.end());
  for (size_t form = 0; form < P::MoveForms().size(); ++form) {
    const absl::StatusOr<typename P::Move> again =
        position.ParseMove(position.MoveInForm(move, form));
    CHECK(again.ok() && *again == move);
  }
  CHECK(!position.MoveToJson(move).empty());
}

}  // namespace
}  // namespace triarch

// Tries the text in several positions of every game.
FUZZ_TEXT(text) {
  triarch::ForEachGame(triarch::Games(), [&]<class P>() {
    for (const P& position : triarch::Positions<P>()) {
      const absl::StatusOr<typename P::Move> move = position.ParseMove(text);
      if (move.ok()) triarch::CheckMove(position, *move);
    }
    return false;
  });
}
