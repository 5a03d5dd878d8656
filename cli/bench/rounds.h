// Measures builds and other programs in turn, round by round.

#ifndef TRIARCH_CLI_BENCH_ROUNDS_H_
#define TRIARCH_CLI_BENCH_ROUNDS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/bench/median.h"
#include "cli/bench/other_programs.h"

namespace triarch {

struct RoundsPlan {
  std::string build;                        // a binary of Triarch
  std::optional<std::string> against = {};  // another one
  std::vector<std::string> benchmarks;      // full names
  std::vector<OtherProgram> others = {};
  int64_t rounds = 10;
};

// One figure of one benchmark, such as nodes per second of CPU time.
struct RoundsRow {
  std::string name;
  std::string unit;
  bool is_other = false;  // of another program
  bool is_cost = false;   // smaller is better: the "recording cost" of self-play
  MedianEstimate ours;
  std::optional<MedianEstimate> theirs = {};  // nothing if the other build lacks the benchmark
  std::optional<MedianEstimate> ratio = {};   // ours / theirs, in the same round
  std::optional<MedianEstimate> to_stockfish = {};  // ours / stockfish/perft, in the same round

  // Whether the interval of the ratio excludes 1.
  bool is_real() const { return ratio && (ratio->low > 1 || ratio->high < 1); }
  bool is_better() const { return (ratio->value > 1) != is_cost; }
};

// In each round, runs each benchmark once with each build, in alternating order, and each other
// program once, so that whatever else the machine does affects all alike. Calls `note_round` before
// each round. Fails if a build cannot be run or fails.
absl::StatusOr<std::vector<RoundsRow>> MeasureInRounds(
    const RoundsPlan& plan, const std::function<void(int64_t round)>& note_round);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_ROUNDS_H_
