// Benchmarks the bundled bots that search.

#ifndef TRIARCH_CLI_BENCH_BENCH_SEARCHES_H_
#define TRIARCH_CLI_BENCH_BENCH_SEARCHES_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/game/position.h"

namespace triarch {

// A bot to benchmark, with the nodes (simulations of mcts) that it searches in a position.
struct SearchCase {
  const char* bot = "";
  int64_t nodes = 0;
};

inline constexpr SearchCase kSearchCases[] = {{.bot = "paranoid", .nodes = 20'000},
                                              {.bot = "maxn", .nodes = 20'000},
                                              {.bot = "mcts", .nodes = 4'000}};

// Searches each of the game's positions. Sets the counter "nodes" (per second).
void BenchSearch(benchmark::State& state, const GameInfo& game,
                 std::span<const std::string_view> positions, const SearchCase& what);

// Hashes the moves that the bots choose in the positions, their evaluations and their nodes.
uint64_t SearchSignature(const GameInfo& game, std::span<const std::string_view> positions);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_SEARCHES_H_
