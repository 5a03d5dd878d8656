#include "cli/bench/median.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/base/random.h"

namespace triarch {
namespace {

TEST(Median, OfSixValuesSpansAllOfThem) {
  const MedianEstimate median = MedianOf({4, 1, 3, 9, 2, 7});
  EXPECT_EQ(median.value, 3.5);
  EXPECT_EQ(median.low, 1);
  EXPECT_EQ(median.high, 9);
}

// The table of the sign test: 1, 2, 3, 5 and 18 values of 9, 12, 15, 20 and 50 are left out.
TEST(Median, LeavesOutWhatTheSignTestAllows) {
  for (const auto& [n, left_out] : {std::pair{6, 0}, {9, 1}, {12, 2}, {15, 3}, {20, 5}, {50, 17}}) {
    std::vector<double> values;
    for (int i = n; i > 0; --i) values.push_back(i);
    EXPECT_EQ(MedianOf(values).low, 1 + left_out) << n;
    EXPECT_EQ(MedianOf(values).high, n - left_out) << n;
  }
}

TEST(Median, CoversTheTruth) {
  int covered = 0;
  Random random(1);
  for (int run = 0; run < 2000; ++run) {
    std::vector<double> values;
    for (int i = 0; i < 10; ++i) values.push_back(random.Unit() * random.Unit());  // skewed
    const MedianEstimate median = MedianOf(values);
    covered += median.low <= 0.1867 && 0.1867 <= median.high ? 1 : 0;
  }
  EXPECT_GE(covered, 1900);
  EXPECT_LE(covered, 1990);  // 97.9 % of 2000 are 1957
}

}  // namespace
}  // namespace triarch
