// Benchmarks the replay of reported games.

#ifndef TRIARCH_CLI_BENCH_BENCH_REPLAY_H_
#define TRIARCH_CLI_BENCH_BENCH_REPLAY_H_

#include <benchmark/benchmark.h>

#include "core/game/position.h"

namespace triarch {

// Replays recorded games of random bots, as a coordinator does with reports. Sets the counter
// "plies" (per second).
void BenchReplay(benchmark::State& state, const GameInfo& game);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_REPLAY_H_
