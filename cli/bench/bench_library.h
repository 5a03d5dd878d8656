// Benchmarks the functions of libtriarch beside those that they call.

#ifndef TRIARCH_CLI_BENCH_BENCH_LIBRARY_H_
#define TRIARCH_CLI_BENCH_BENCH_LIBRARY_H_

#include <benchmark/benchmark.h>

#include "core/game/position.h"

namespace triarch {

// Count from the default start as perft/start does: with one call of triarch_perft, and with a
// recursion of the caller's own that lists and plays moves. Set the counter "nodes" (per second).
void BenchLibraryPerft(benchmark::State& state, const GameInfo& game, int depth);
void BenchLibraryMoves(benchmark::State& state, const GameInfo& game, int depth);

// Plays random legal moves in 1024 games in step, on one thread, and lists their legal moves. Sets
// the counter "plies" (per second).
void BenchLibraryBatch(benchmark::State& state, const GameInfo& game);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_LIBRARY_H_
