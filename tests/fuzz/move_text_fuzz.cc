// Fuzzes move texts: only legal moves are accepted, and they can be written again.

#include <algorithm>
#include <vector>

#include "core/bench.h"
#include "core/games.h"
#include "core/json.h"
#include "core/text.h"
#include "tests/fuzz/fuzz.h"

namespace triarch {
namespace {

// The starts and the benchmark's positions.
template <Position P>
const std::vector<P>& Positions() {
  static const auto* const kPositions = [] {
    auto* positions = new std::vector<P>;
    for (const std::string_view name : Starts(kGame<P>))
      positions->push_back(*Start(kGame<P>, name));
    for (const std::string_view text : BenchPositions(kGame<P>))
      positions->push_back(*Parse(kGame<P>, text));
    return positions;
  }();
  return *kPositions;
}

template <Position P>
void CheckMove(const P& position, typename P::Move move) {
  const auto moves = position.LegalMoves();
  CHECK(std::find(moves.begin(), moves.end(), move) != moves.end());
  for (size_t form = 0; form < MoveForms(kGame<P>).size(); ++form) {
    const absl::StatusOr<typename P::Move> again =
        ParseMove(position, MoveInForm(position, move, form));
    CHECK(again.ok() && *again == move);
  }
  CHECK(!MoveToJson(position, move).empty());
}

}  // namespace
}  // namespace triarch

// Tries the text in several positions of every game.
FUZZ_TEXT(text) {
  triarch::ForEachGame(triarch::Games(), [&]<class P>() {
    for (const P& position : triarch::Positions<P>()) {
      const absl::StatusOr<typename P::Move> move = ParseMove(position, text);
      if (move.ok()) triarch::CheckMove(position, *move);
    }
    return false;
  });
}
