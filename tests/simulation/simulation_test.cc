#include "tests/simulation/simulation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <string>

// Simulates the history of a cluster for each of a hundred fixed seeds and ten random ones. Prints
// a failing seed;
//   triarch-simulate --seeds 1 --from SEED --log
// replays it and prints the events.
namespace triarch::simulation {
namespace {

constexpr int kParts = 4;
constexpr uint64_t kSeedsPerPart = 25;
constexpr uint64_t kRandomSeeds = 10;

void RunSeeds(uint64_t first, uint64_t count) {
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Simulation simulation(seed, false);
    const std::optional<std::string> failure = simulation.Run();
    EXPECT_FALSE(failure.has_value()) << "seed " << seed << ": " << *failure;
    tally.Add(simulation.tally());
  }
  std::printf("seeds %llu to %llu: %s\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1), tally.ToString().c_str());
  testing::Test::RecordProperty("simulated", tally.ToString());
  testing::Test::RecordProperty("worker_hours", static_cast<int>(tally.worker_hours));
}

class SimulationTest : public testing::TestWithParam<int> {};

TEST_P(SimulationTest, RecordsEveryGameOnceWhateverFails) {
  RunSeeds(static_cast<uint64_t>(GetParam()) * kSeedsPerPart + 1, kSeedsPerPart);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulationTest, testing::Range(0, kParts));

TEST(Simulation, RecordsEveryGameOnceWithRandomSeeds) {
  RunSeeds(1'000'000 + std::random_device()() % 1'000'000'000, kRandomSeeds);
}

TEST(Simulation, GivesTheSameHistoryForTheSameSeed) {
  for (const uint64_t seed : {3, 4}) {
    Simulation one(seed, false);
    Simulation two(seed, false);
    EXPECT_EQ(one.Run(), two.Run());
    EXPECT_EQ(one.tally().ToString(), two.tally().ToString());
  }
}

}  // namespace
}  // namespace triarch::simulation
