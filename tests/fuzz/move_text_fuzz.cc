#include <algorithm>
#include <vector>

#include "core/triumvirate/position.h"
#include "tests/fuzz/fuzz.h"

namespace {

using triarch::triumvirate::Position;

// The starts and the positions of the benchmark.
const std::vector<Position>& Positions() {
  static const auto* const kPositions = [] {
    auto* positions = new std::vector<Position>;
    for (const std::string_view name : Position::Starts()) {
      positions->push_back(*Position::Start(name));
    }
    for (const std::string_view text : Position::BenchPositions()) {
      positions->push_back(*Position::Parse(text));
    }
    return positions;
  }();
  return *kPositions;
}

void CheckMove(const Position& position, Position::Move move) {
  const auto moves = position.LegalMoves();
  CHECK(std::find(moves.begin(), moves.end(), move) != moves.end());
  for (const std::string& text : {position.MoveToString(move), position.MoveToTpgn(move)}) {
    const absl::StatusOr<Position::Move> again = position.ParseMove(text);
    CHECK(again.ok() && *again == move);
  }
  CHECK(!position.MoveToJson(move).empty());
}

}  // namespace

// Move text, in several positions: only legal moves are read, and they can be written.
FUZZ_TEXT(text) {
  for (const Position& position : Positions()) {
    const absl::StatusOr<Position::Move> move = position.ParseMove(text);
    if (move.ok()) CheckMove(position, *move);
  }
}
