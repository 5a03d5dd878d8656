#include "selfplay/shard/policy.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

std::vector<uint8_t> Quantized(const std::vector<float>& shares) {
  std::vector<uint8_t> parts(shares.size(), 99);
  QuantizePolicy(shares, parts);
  return parts;
}

TEST(Policy, LargestRemaindersAreRoundedUp) {
  EXPECT_THAT(Quantized({1}), ElementsAre(255));
  EXPECT_THAT(Quantized({0, 3, 0}), ElementsAre(0, 255, 0));
  EXPECT_THAT(Quantized({1, 1}), ElementsAre(128, 127));              // ties go to the first
  EXPECT_THAT(Quantized({1, 1, 2}), ElementsAre(64, 64, 127));        // 63.75, 63.75, 127.5
  EXPECT_THAT(Quantized({600, 1, 0, 0}), ElementsAre(255, 0, 0, 0));  // .576 wins over .424
  EXPECT_THAT(Quantized({599, 2, 0, 0}), ElementsAre(254, 1, 0, 0));
}

TEST(Policy, WithoutSharesThereIsNoPolicy) {
  EXPECT_THAT(Quantized({0, 0, 0}), Each(0));
  EXPECT_TRUE(Quantized({}).empty());
}

TEST(Policy, TheSumIsConstantAndEachPartWithinOne) {
  Random random(5);
  for (int round = 0; round < 2'000; ++round) {
    std::vector<float> shares(1 + random.Below(600));
    float sum = 0;
    for (float& share : shares) {
      const double unit = random.Unit();
      share = static_cast<float>(round % 2 == 0 ? unit : std::pow(unit, 40) * 1e-20);
      sum += share;
    }
    const std::vector<uint8_t> parts = Quantized(shares);
    ASSERT_EQ(std::accumulate(parts.begin(), parts.end(), 0), kPolicySum) << round;
    for (size_t i = 0; i < parts.size(); ++i) {
      ASSERT_LT(std::abs(parts[i] - shares[i] / sum * kPolicySum), 1.01) << round;
    }
  }
}

}  // namespace
}  // namespace triarch
