// Implements `triarch-simulate`: simulates clusters for many seeds, and prints the throughput.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "tests/simulation/simulation.h"

namespace triarch::simulation {
namespace {

constexpr char kUsage[] =
    "Usage: triarch-simulate --seeds N [--from S] [--log]\n\n"
    "Simulates a cluster in which everything fails that can, once per seed from S (default 1).\n"
    "--log prints what happens; use it with one seed.\n";

struct Options {
  uint64_t seeds = 0;
  uint64_t from = 1;
  bool logs = false;
};

std::optional<uint64_t> NumberOf(const char* text) {
  char* end = nullptr;
  const uint64_t number = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0') return std::nullopt;
  return number;
}

std::optional<Options> Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--log") {
      options.logs = true;
      continue;
    }
    if (i + 1 == argc || (flag != "--seeds" && flag != "--from")) return std::nullopt;
    const std::optional<uint64_t> number = NumberOf(argv[++i]);
    if (!number) return std::nullopt;
    (flag == "--seeds" ? options.seeds : options.from) = *number;
  }
  if (options.seeds == 0) return std::nullopt;
  return options;
}

// Returns the number of seeds that failed.
int Simulate(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  int failures = 0;
  Tally tally;
  for (uint64_t seed = options.from; seed < options.from + options.seeds; ++seed) {
    Simulation simulation(seed, options.logs);
    if (const std::optional<std::string> failure = simulation.Run()) {
      std::printf("seed %llu failed: %s\n", static_cast<unsigned long long>(seed),
                  failure->c_str());
      std::fflush(stdout);
      ++failures;
    }
    tally.Add(simulation.tally());
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("%s\n%.0f worker-hours in %.1f s: %.0f worker-hours per second; %d seeds failed\n",
              tally.ToString().c_str(), tally.worker_hours, wall.count(),
              tally.worker_hours / wall.count(), failures);
  return failures;
}

}  // namespace
}  // namespace triarch::simulation

int main(int argc, char** argv) {
  const auto options = triarch::simulation::Parse(argc, argv);
  if (!options) {
    std::fputs(triarch::simulation::kUsage, stderr);
    return 2;
  }
  return triarch::simulation::Simulate(*options) == 0 ? 0 : 1;
}
