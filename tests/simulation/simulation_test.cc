#include "tests/simulation/simulation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

// Histories of a whole cluster by seed. A seed that fails prints itself;
//   TRIARCH_SIMULATION_SEED=N simulation_test
// replays it with a log of what happens.
namespace triarch::simulation {
namespace {

constexpr int kParts = 4;
constexpr uint64_t kSeedsPerPart = 100;

class SimulationTest : public testing::TestWithParam<int> {};

TEST_P(SimulationTest, EveryGameIsRecordedOnceWhateverFails) {
  const auto first = static_cast<uint64_t>(GetParam()) * kSeedsPerPart + 1;
  Tally tally;
  for (uint64_t seed = first; seed < first + kSeedsPerPart; ++seed) {
    Simulation simulation(seed, false);
    const std::optional<std::string> failure = simulation.Run();
    EXPECT_FALSE(failure.has_value()) << "seed " << seed << ": " << *failure;
    tally.Add(simulation.tally());
  }
  std::printf("%s\n", tally.ToString().c_str());
  RecordProperty("simulated", tally.ToString());
  RecordProperty("worker_hours", static_cast<int>(tally.worker_hours));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulationTest, testing::Range(0, kParts));

TEST(Simulation, ASeedIsOneHistory) {
  for (const uint64_t seed : {3, 4}) {
    Simulation one(seed, false);
    Simulation two(seed, false);
    EXPECT_EQ(one.Run(), two.Run());
    EXPECT_EQ(one.tally().ToString(), two.tally().ToString());
  }
}

// The seed of the environment, with its log; the smallest without one.
TEST(Simulation, Replays) {
  const char* const text = std::getenv("TRIARCH_SIMULATION_SEED");
  const uint64_t seed = text == nullptr ? 4 : std::strtoull(text, nullptr, 10);
  Simulation simulation(seed, text != nullptr);
  const std::optional<std::string> failure = simulation.Run();
  EXPECT_FALSE(failure.has_value()) << "seed " << seed << ": " << *failure;
}

}  // namespace
}  // namespace triarch::simulation
