// Benchmarks whole tournaments and self-play.

#ifndef TRIARCH_CLI_BENCH_BENCH_SELFPLAY_H_
#define TRIARCH_CLI_BENCH_BENCH_SELFPLAY_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>

#include "coordinator/service/coordinator.h"
#include "core/game/game_state.h"
#include "core/record/tournament_spec.h"

namespace triarch {

// Plays a whole tournament as `triarch run --slots 1` does, with a new database.
TournamentStatus PlayForBench(const TournamentSpec& spec);

// A self-play run to be played both with and without samples.
struct SelfplayCase {
  const char* name = "";
  const char* bot = "";
  std::optional<int64_t> nodes = {};
  double sample_rate = 1;
  bool is_deflated = true;
  int64_t games = 0;
};

inline constexpr SelfplayCase kSelfplayCases[] = {
    {.name = "random", .bot = "random", .games = 500},
    {.name = "random-stored", .bot = "random", .is_deflated = false, .games = 500},
    {.name = "random-tenth", .bot = "random", .sample_rate = 0.1, .games = 1500},
    {.name = "random-tenth-stored",
     .bot = "random",
     .sample_rate = 0.1,
     .is_deflated = false,
     .games = 1500},
    {.name = "mcts-64", .bot = "mcts", .nodes = 64, .games = 25},
};

// Plays the games twice in each iteration, with and without samples in alternating order, and
// measures the CPU time of all threads. Sets the counters "samples" and "plies" (per second, with
// samples), "bare_plies" (per second, without), "cost" (median share of time that recording adds)
// and "bytes" (of a sample on disk).
void BenchSelfplay(benchmark::State& state, const GameInfo& game, const SelfplayCase& what);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_SELFPLAY_H_
