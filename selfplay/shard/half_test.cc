#include "selfplay/shard/half.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(Half, EveryHalfRoundTrips) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    if (IsNan(half)) {
      EXPECT_TRUE(std::isnan(ToFloat(half)));
      EXPECT_TRUE(IsNan(ToHalf(ToFloat(half))));
    } else {
      EXPECT_EQ(ToHalf(ToFloat(half)).bits, bits);
    }
  }
}

// A number between two halves rounds to the nearer one, and the midpoint rounds to the even one.
TEST(Half, RoundsToNearestEven) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = ToFloat(Half{bits});
    const float high = ToFloat(Half{static_cast<uint16_t>(bits + 1)});
    const float middle = (low + high) / 2;  // exact
    const uint16_t even = bits % 2 == 0 ? bits : static_cast<uint16_t>(bits + 1);
    EXPECT_EQ(ToHalf(middle).bits, even) << low;
    EXPECT_EQ(ToHalf(std::nextafter(middle, low)).bits, bits) << low;
    EXPECT_EQ(ToHalf(std::nextafter(middle, high)).bits, bits + 1) << low;
    EXPECT_EQ(ToHalf(-middle).bits, even | 0x8000) << low;
  }
}

TEST(Half, ConvertsKnownValues) {
  EXPECT_EQ(ToHalf(1.0f).bits, 0x3c00);
  EXPECT_EQ(ToHalf(-2.0f).bits, 0xc000);
  EXPECT_EQ(ToHalf(0.333251953125f).bits, 0x3555);
  EXPECT_EQ(ToHalf(65504.0f).bits, 0x7bff);
  EXPECT_EQ(ToHalf(65520.0f).bits, 0x7c00);
  EXPECT_EQ(ToHalf(std::numeric_limits<float>::infinity()).bits, 0x7c00);
  EXPECT_EQ(ToHalf(std::numeric_limits<float>::denorm_min()).bits, 0);
  EXPECT_EQ(ToHalf(-0.0f).bits, 0x8000);
  EXPECT_TRUE(IsNan(kHalfNan));
}

}  // namespace
}  // namespace triarch
