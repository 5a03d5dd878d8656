#include "core/base/dirichlet.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace triarch {
namespace {

std::vector<float> Drawn(double alpha, double share, uint64_t seed, size_t size) {
  std::vector<float> weights(size, 1.0f / static_cast<float>(size));
  MixIn({.alpha = alpha, .share = share, .seed = seed}, weights);
  return weights;
}

TEST(DirichletTest, StaysADistribution) {
  for (const double alpha : {0.001, 0.03, 0.3, 1.0, 10.0, 1000.0}) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
      const std::vector<float> weights = Drawn(alpha, 1, seed, 40);
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5) << alpha;
      EXPECT_GE(*std::min_element(weights.begin(), weights.end()), 0);
    }
  }
}

// A symmetric Dirichlet distribution over n has mean 1/n and variance (n − 1) / (n² (n alpha + 1)).
TEST(DirichletTest, HasTheExpectedMeanAndVariance) {
  constexpr size_t kSize = 5;
  constexpr int kDraws = 20'000;
  for (const double alpha : {0.1, 0.5, 2.0}) {
    double sum = 0;
    double squares = 0;
    for (uint64_t seed = 0; seed < kDraws; ++seed) {
      const double first = Drawn(alpha, 1, seed, kSize)[0];
      sum += first;
      squares += first * first;
    }
    const double mean = sum / kDraws;
    const double variance = squares / kDraws - mean * mean;
    const double expected = 4 / (25 * (5 * alpha + 1));
    EXPECT_NEAR(mean, 0.2, 0.012) << alpha;
    EXPECT_NEAR(variance, expected, 0.06 * expected) << alpha;
  }
}

TEST(DirichletTest, MixesInTheGivenShare) {
  std::array<float, 2> weights = {1, 0};
  MixIn({.alpha = 0.3, .share = 0.25, .seed = 7}, weights);
  EXPECT_GE(weights[0], 0.75f);
  EXPECT_LE(weights[1], 0.25f);
  EXPECT_GT(weights[1], 0);
  EXPECT_EQ(Drawn(0.3, 0.25, 7, 9), Drawn(0.3, 0.25, 7, 9));
  EXPECT_NE(Drawn(0.3, 0.25, 7, 9), Drawn(0.3, 0.25, 8, 9));
}

TEST(DirichletTest, IsTheSameOnEveryMachine) {
  const auto bits = [](double alpha) {
    std::vector<uint32_t> all;
    for (const float weight : Drawn(alpha, 0.5, 11, 4)) {
      all.push_back(std::bit_cast<uint32_t>(weight));
    }
    return all;
  };
  EXPECT_EQ(bits(0.3), (std::vector<uint32_t>{0x3e0f89d5, 0x3e0095d4, 0x3e874403, 0x3ef0ac29}));
  EXPECT_EQ(bits(2.0), (std::vector<uint32_t>{0x3e51d6d6, 0x3e828d9d, 0x3e5c2c8e, 0x3ea670b1}));
}

}  // namespace
}  // namespace triarch
