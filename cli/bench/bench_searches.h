// Benchmarks the bundled bots that search.

#ifndef TRIARCH_CLI_BENCH_BENCH_SEARCHES_H_
#define TRIARCH_CLI_BENCH_BENCH_SEARCHES_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/game/position.h"
#include "core/record/game_spec.h"

namespace triarch {

// A bot to benchmark, with the nodes (simulations of mcts) that it searches in a position.
struct SearchCase {
  std::string_view name;
  std::string_view bot;
  std::string_view net;  // the option
  int64_t nodes = 0;
};

inline constexpr SearchCase kSearchCases[] = {
    {.name = "paranoid", .bot = "paranoid", .net = kNoNet, .nodes = 20'000},
    {.name = "maxn", .bot = "maxn", .net = kNoNet, .nodes = 20'000},
    {.name = "mcts", .bot = "mcts", .net = kNoNet, .nodes = 4'000},
    {.name = "paranoid/net", .bot = "paranoid", .net = kBundledNet, .nodes = 20'000},
    {.name = "maxn/net", .bot = "maxn", .net = kBundledNet, .nodes = 20'000},
    {.name = "mcts/net", .bot = "mcts", .net = kBundledNet, .nodes = 4'000}};

// Searches each of the game's positions. Sets the counter "nodes" (per second).
void BenchSearch(benchmark::State& state, const GameInfo& game,
                 std::span<const std::string_view> positions, const SearchCase& what);

// Hashes the moves that the bots choose in the positions with the hand-made evaluation, what they
// expect, and their nodes.
uint64_t SearchSignature(const GameInfo& game, std::span<const std::string_view> positions);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_SEARCHES_H_
