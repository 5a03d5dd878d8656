#include "core/record/material.h"

#include "core/attackers.h"

namespace triarch {

PerSeat<int64_t> MaterialOf(const AnyState& state) {
  constexpr int kKing = 10'000;
  PerSeat<int64_t> material;
  state.Visit([&]<class P>(const GameState<P>& game) {
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      for (const CellNumber cell : CellsOwnedBy(game.position(), SeatAt(i))) {
        const int value = PieceValue(game.position(), cell);
        if (value < kKing) material[SeatAt(i)] += value;
      }
    }
  });
  return material;
}

}  // namespace triarch
