#include "tests/statistics/figures.h"

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/statistics/runs.h"

namespace triarch::statistics {
namespace {

using ::testing::HasSubstr;

TEST(FiguresTest, EstimatesCarryTheirErrors) {
  EXPECT_EQ(MeanOf({1, 2, 3, 6}).value, 3);
  EXPECT_NEAR(MeanOf({1, 2, 3, 6}).error, std::sqrt(14.0 / 3 / 4), 1e-12);
  EXPECT_EQ(PercentageOf({true, false, false, false}).value, 25);
  EXPECT_NEAR(PercentageOf(std::vector<bool>(10'000, false)).margin(), 0.028, 0.001);
  EXPECT_GT(PercentageOf({true, true}).margin(), 30);
}

TEST(FiguresTest, ABarIsMissedOnlyBeyondTheError) {
  Figure figure{.setting = "s", .name = "f", .measured = {10, 1}, .bar = Within(12, 1)};
  EXPECT_TRUE(IsMet(figure));
  EXPECT_THAT(TableOf({figure}), HasSubstr("yes ±"));
  figure.measured = {11.5, 0};
  EXPECT_THAT(TableOf({figure}), HasSubstr("yes\n"));
  figure.measured = {8, 1};
  EXPECT_FALSE(IsMet(figure));
  EXPECT_THAT(TableOf({figure}), HasSubstr("NO"));
  figure.bar = {.low = 9};
  EXPECT_TRUE(IsMet(figure));
  figure.bar = {.high = 6};
  EXPECT_FALSE(IsMet(figure));
  figure.bar = {};
  EXPECT_FALSE(HasBar(figure));
  EXPECT_TRUE(IsMet(figure));
}

TEST(RunsTest, ThreadsDoNotChangeTheResults) {
  const auto draw = [](uint64_t seed) { return Random(seed).Unit(); };
  const std::vector<double> one = RunAll({.runs = 100, .seed = 1, .threads = 1}, 0, draw);
  EXPECT_EQ(one, RunAll({.runs = 100, .seed = 1, .threads = 4}, 0, draw));
  EXPECT_NE(one, RunAll({.runs = 100, .seed = 2, .threads = 1}, 0, draw));
  EXPECT_NE(one, RunAll({.runs = 100, .seed = 1, .threads = 1}, 1, draw));
  EXPECT_EQ(OneIn(10, {.runs = 45}).runs, 4);
  EXPECT_EQ(OneIn(10, {.runs = 5}).runs, 2);
}

}  // namespace
}  // namespace triarch::statistics
