#include "core/base/portable_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace triarch {
namespace {

constexpr int kSteps = 100'000;

uint64_t BitsOf(double x) { return std::bit_cast<uint64_t>(x); }

TEST(PortableMath, LogIsAccurate) {
  for (int i = 1; i <= kSteps; ++i) {
    const double near = 2.0 * i / kSteps;
    EXPECT_NEAR(PortableLog(near), std::log(near), 1e-15 * std::abs(std::log(near)));
    const double any = std::ldexp(near, i % 2000 - 1000);
    EXPECT_NEAR(PortableLog(any), std::log(any), 1e-15 * std::abs(std::log(any)));
  }
}

TEST(PortableMath, ExpIsAccurate) {
  for (int i = 0; i <= kSteps; ++i) {
    const double x = -700 + 1400.0 * i / kSteps;
    EXPECT_NEAR(PortableExp(x), std::exp(x), 1e-15 * std::exp(x));
  }
  EXPECT_NEAR(PortableExp(-740), std::exp(-740.0), 1e-323);
  EXPECT_EQ(PortableExp(-1000), 0);
  EXPECT_EQ(PortableExp(-INFINITY), 0);
}

TEST(PortableMath, CosineIsAccurate) {
  for (int i = 0; i <= kSteps; ++i) {
    const double x = static_cast<double>(i) / kSteps;
    EXPECT_NEAR(PortableCosOfTurns(x), std::cos(2 * std::numbers::pi * x), 1e-15);
  }
}

TEST(PortableMath, ResultsAreTheSameOnEveryMachine) {
  EXPECT_EQ(BitsOf(PortableLog(0.001)), 0xc01ba18a998fffa0u);
  EXPECT_EQ(BitsOf(PortableLog(0.7)), 0xbfd6d3c324e13f4fu);
  EXPECT_EQ(BitsOf(PortableLog(1)), 0u);
  EXPECT_EQ(BitsOf(PortableLog(3)), 0x3ff193ea7aad030au);
  EXPECT_EQ(BitsOf(PortableLog(5e-324)), 0xc0874385446d71c3u);
  EXPECT_EQ(BitsOf(PortableExp(-740)), 0x55u);
  EXPECT_EQ(BitsOf(PortableExp(-30.5)), 0x3d2ff3864232b407u);
  EXPECT_EQ(BitsOf(PortableExp(-0.1)), 0x3fecf46d99d52b3au);
  EXPECT_EQ(BitsOf(PortableExp(0.3)), 0x3ff599058c8c1a96u);
  EXPECT_EQ(BitsOf(PortableExp(1)), 0x4005bf0a8b14576au);
  EXPECT_EQ(BitsOf(PortableCosOfTurns(0.1)), 0x3fe9e3779b97f4a8u);
  EXPECT_EQ(BitsOf(PortableCosOfTurns(0.3)), 0xbfd3c6ef372fe94eu);
  EXPECT_EQ(BitsOf(PortableCosOfTurns(0.6)), 0xbfe9e3779b97f4a8u);
  EXPECT_EQ(BitsOf(PortableCosOfTurns(0.8)), 0x3fd3c6ef372fe954u);
}

}  // namespace
}  // namespace triarch
