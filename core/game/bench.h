// Defines the bench positions and known perft counts that a game offers.

#ifndef TRIARCH_CORE_GAME_BENCH_H_
#define TRIARCH_CORE_GAME_BENCH_H_

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/game/position.h"

namespace triarch {

// Each game declares these functions in its bench.h.
template <class P>
concept HasBench = Position<P> && requires {
  // Known perft counts of the default start, from depth 1 on. `triarch bench` counts the last.
  { StartPerft(kGame<P>) } -> std::same_as<std::span<const uint64_t>>;
  // Six mid-game positions in text form.
  { BenchPositions(kGame<P>) } -> std::same_as<std::span<const std::string_view>>;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_BENCH_H_
