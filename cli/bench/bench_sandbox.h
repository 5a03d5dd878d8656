// Benchmarks the start of a process bot in its sandbox.

#ifndef TRIARCH_CLI_BENCH_BENCH_SANDBOX_H_
#define TRIARCH_CLI_BENCH_BENCH_SANDBOX_H_

#include <benchmark/benchmark.h>

namespace triarch {

// Starts a small program again and again, with pauses in which the stock of sandboxes fills, and
// waits for its first output. Sets the counter "starts" (per second, without the pauses).
void BenchSandboxStart(benchmark::State& state);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_SANDBOX_H_
