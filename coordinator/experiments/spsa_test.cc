#include "coordinator/experiments/spsa.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::experiments {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

SpsaParameter Real(double start) {
  return {.start = start, .min = -10, .max = 10, .step = 0.5, .is_integer = false};
}

// Plays all iterations; `result` maps a pair to a result.
template <class Result>
void PlayAll(Spsa& spsa, Result result) {
  while (spsa.applied() < spsa.iterations()) {
    const int64_t next = spsa.applied();
    spsa.Add(next, result(spsa.PairOf(next)));
  }
}

TEST(SpsaTest, GainsFollowTheSchedule) {
  Spsa spsa({Real(0)}, {.iterations = 10, .final_rate = 0.01, .in_play = 1, .seed = 1});
  for (int k = 1; k <= 10; ++k) {
    const double before = spsa.path().back()[0];
    const SpsaPair pair = spsa.PairOf(k - 1);
    const double perturbation = 0.5 * std::pow(10.0 / k, 0.101);
    EXPECT_NEAR(std::abs(pair.plus[0] - before), perturbation, 1e-12);
    EXPECT_NEAR(pair.plus[0] + pair.minus[0], 2 * before, 1e-12);
    spsa.Add(k - 1, 3);
    const double rate = 0.01 * std::pow(11.0 / (1 + k), 0.602) * std::pow(k / 10.0, 0.202);
    // Towards the copy that did better.
    EXPECT_NEAR(spsa.path().back()[0] - before, 3 * rate * (pair.plus[0] - before), 1e-12);
  }
  EXPECT_EQ(spsa.playable(), 10);
  EXPECT_EQ(MaxSpsaInPlay(10), 1);
}

TEST(SpsaTest, ResultsInAnyOrderGiveTheSamePath) {
  const auto result = [](int64_t k) { return static_cast<double>(k % 13) - 6; };
  ASSERT_EQ(MaxSpsaInPlay(500), 10);
  const SpsaOptions options = {.iterations = 500, .final_rate = 0.05, .in_play = 10, .seed = 3};
  Spsa in_order({Real(1), Real(-2)}, options);
  Spsa in_reverse = in_order;
  std::vector<SpsaPair> pairs;
  for (int64_t k = 0; k < 500; ++k) {
    pairs.push_back(in_order.PairOf(k));
    in_order.Add(k, result(k));
  }
  while (in_reverse.applied() < 500) {
    const int64_t first = in_reverse.applied();
    for (int64_t k = in_reverse.playable() - 1; k >= first; --k) {
      EXPECT_EQ(in_reverse.PairOf(k).plus, pairs[static_cast<size_t>(k)].plus) << k;
      in_reverse.Add(k, result(k));
      if (k > first) {
        EXPECT_EQ(in_reverse.applied(), first);
      }
    }
  }
  EXPECT_EQ(in_reverse.path(), in_order.path());
  // A result that comes again changes nothing.
  in_reverse.Add(3, 6);
  EXPECT_EQ(in_reverse.path(), in_order.path());
}

TEST(SpsaTest, StaysWithinTheBounds) {
  Spsa spsa({{.start = 0.9, .min = 0, .max = 1, .step = 0.3, .is_integer = false}},
            {.iterations = 200, .final_rate = 0.5, .in_play = 1, .seed = 1});
  PlayAll(spsa, [](const SpsaPair& pair) {
    EXPECT_GE(std::min(pair.plus[0], pair.minus[0]), 0);
    EXPECT_LE(std::max(pair.plus[0], pair.minus[0]), 1);
    return pair.plus[0] > pair.minus[0] ? 6 : -6;
  });
  EXPECT_EQ(spsa.path().back()[0], 1);
}

TEST(SpsaTest, RoundsIntegersWithTheRightMean) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const Spsa spsa({{.start = 5.3, .min = 0, .max = 9.5, .step = 1, .is_integer = true}},
                    {.iterations = 1, .final_rate = 0.01, .in_play = 1, .seed = seed});
    for (const double value : {spsa.PairOf(0).plus[0], spsa.PairOf(0).minus[0]}) {
      EXPECT_EQ(value, std::round(value));
      sum += value / 8000;
    }
  }
  EXPECT_THAT(sum, DoubleNear(5.3, 0.05));
}

// A quadratic without noise has its best value at 3 and at -1.
TEST(SpsaTest, FindsTheBestValues) {
  Spsa spsa({Real(0), Real(0)}, {.iterations = 4000, .final_rate = 0.002, .in_play = 1, .seed = 5});
  const auto loss = [](const std::vector<double>& u) {
    return (u[0] - 3) * (u[0] - 3) + 2 * (u[1] + 1) * (u[1] + 1);
  };
  PlayAll(spsa, [&](const SpsaPair& pair) { return loss(pair.minus) - loss(pair.plus); });
  EXPECT_THAT(spsa.Mean(), ElementsAre(DoubleNear(3, 0.05), DoubleNear(-1, 0.05)));
  EXPECT_FALSE(spsa.IsStillMoving(0));
  EXPECT_FALSE(spsa.IsStillMoving(1));
}

TEST(SpsaTest, TellsWhatIsStillMoving) {
  Spsa spsa({Real(-5), Real(-5)},
            {.iterations = 1000, .final_rate = 0.002, .in_play = 1, .seed = 1});
  PlayAll(spsa, [](const SpsaPair& pair) { return pair.plus[0] > pair.minus[0] ? 6 : -6; });
  EXPECT_TRUE(spsa.IsStillMoving(0));
  EXPECT_FALSE(spsa.IsStillMoving(1));
  // The mean lies behind the path.
  EXPECT_LT(spsa.Mean()[0], spsa.path().back()[0]);
  EXPECT_GT(spsa.Mean()[0], spsa.path()[750][0]);
}

TEST(SpsaTest, DefaultStep) { EXPECT_EQ(DefaultSpsaStep(-5, 15), 1); }

}  // namespace
}  // namespace triarch::experiments
