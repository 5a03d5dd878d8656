#ifndef TRIARCH_CLI_BENCH_BENCH_SELFPLAY_H_
#define TRIARCH_CLI_BENCH_BENCH_SELFPLAY_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>

#include "coordinator/service/coordinator.h"
#include "core/game/game_state.h"
#include "core/record/tournament_spec.h"

// What `triarch bench` plays whole tournaments for.
namespace triarch {

// What `triarch run` does with one slot, all of it, into a new database: plays all games.
TournamentStatus PlayForBench(const TournamentSpec& spec);

// Self-play of which the samples are kept, and the same games beside it of which none are.
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
    {.name = "random-tenth", .bot = "random", .sample_rate = 0.1, .games = 1500},
    {.name = "random-tenth-stored",
     .bot = "random",
     .sample_rate = 0.1,
     .is_deflated = false,
     .games = 1500},
    {.name = "mcts-64", .bot = "mcts", .nodes = 64, .games = 25},
};

// Each iteration plays the games twice, once with samples; which is first changes. What counts is
// the processor's time, of all threads. Counters: "samples" and "plies" in a second with samples,
// "bare_plies" in a second without, "cost": the median of what recording adds to the bare time, as
// a share of it, and "bytes" on disk of a sample.
void BenchSelfplay(benchmark::State& state, const GameInfo& game, const SelfplayCase& what);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_BENCH_SELFPLAY_H_
