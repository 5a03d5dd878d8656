#include "core/schedule/random_opening.h"

#include <optional>

#include "core/base/random.h"

namespace triarch {
namespace {

constexpr uint64_t kTriesPerLength = 32;

bool HasLost(const AnyState& state, const AnyState& start) {
  for (size_t i = 0; i < state.info().seats; ++i) {
    if (start.is_in(SeatAt(i)) && !state.is_in(SeatAt(i))) return true;
  }
  return false;
}

// Returns nullopt if a seat was eliminated or the game ended.
std::optional<std::vector<std::string>> TryOpening(const AnyState& start, int64_t plies,
                                                   uint64_t seed) {
  Random random(seed);
  AnyState state = start;
  std::vector<std::string> moves;
  for (int64_t ply = 0; ply < plies; ++ply) {
    const AnyState::Moves legal = state.LegalMoves();
    const size_t number = random.Below(static_cast<uint32_t>(legal.size()));
    moves.push_back(state.MoveToString(legal, number));
    state.Play(legal, number);
    if (state.outcome() || HasLost(state, start)) return std::nullopt;
  }
  return moves;
}

}  // namespace

std::vector<std::string> RandomOpening(const AnyState& start, int64_t plies, uint64_t seed) {
  if (start.outcome()) return {};
  uint64_t attempt = 0;
  for (int64_t length = plies; length > 0; --length) {
    for (uint64_t i = 0; i < kTriesPerLength; ++i) {
      std::optional<std::vector<std::string>> moves =
          TryOpening(start, length, DeriveSeed(seed, attempt++));
      if (moves) return *std::move(moves);
    }
  }
  return {};
}

}  // namespace triarch
