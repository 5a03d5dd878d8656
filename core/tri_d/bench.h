// Holds the bench positions and known perft counts of Tri-D chess.

#ifndef TRIARCH_CORE_TRI_D_BENCH_H_
#define TRIARCH_CORE_TRI_D_BENCH_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "core/game/bench.h"
#include "core/tri_d/position.h"

namespace triarch::tri_d {

std::span<const uint64_t> StartPerft(GameTag<Position>);
// Part of the perft signature.
std::span<const std::string_view> BenchPositions(GameTag<Position>);

static_assert(HasBench<Position>);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_BENCH_H_
