// Holds the bench positions and known perft counts of Three-Way Chess.

#ifndef TRIARCH_CORE_THREE_WAY_BENCH_H_
#define TRIARCH_CORE_THREE_WAY_BENCH_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "core/game/bench.h"
#include "core/three_way/position.h"

namespace triarch::three_way {

std::span<const uint64_t> StartPerft(GameTag<Position>);
// Part of the perft signature.
std::span<const std::string_view> BenchPositions(GameTag<Position>);

static_assert(HasBench<Position>);

}  // namespace triarch::three_way

#endif  // TRIARCH_CORE_THREE_WAY_BENCH_H_
