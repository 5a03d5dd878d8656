// Holds the bench positions and known perft counts of Triumvirate.

#ifndef TRIARCH_CORE_TRIUMVIRATE_BENCH_H_
#define TRIARCH_CORE_TRIUMVIRATE_BENCH_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "core/game/bench.h"
#include "core/triumvirate/position.h"

namespace triarch::triumvirate {

std::span<const uint64_t> StartPerft(GameTag<Position>);
// Part of the perft signature.
std::span<const std::string_view> BenchPositions(GameTag<Position>);

static_assert(HasBench<Position>);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_BENCH_H_
