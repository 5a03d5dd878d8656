// Tests the limits of clients.

#include "arena/api/rate_limits.h"

#include <gtest/gtest.h>

#include <string>

namespace triarch::arena {
namespace {

TEST(RateLimitsTest, AllowsTenSecondsWorthAtOnce) {
  RateLimits limits(2);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(limits.Take("a", 1, 0), 0) << i;
  EXPECT_EQ(limits.Take("a", 1, 0), 1);
  EXPECT_EQ(limits.Take("a", 1, 499), 1);
  EXPECT_EQ(limits.Take("a", 1, 500), 0);
  EXPECT_EQ(limits.Take("a", 1, 500), 1);
}

TEST(RateLimitsTest, KeysAreApart) {
  RateLimits limits(1);
  EXPECT_EQ(limits.Take("a", 10, 0), 0);
  EXPECT_EQ(limits.Take("a", 1, 0), 1);
  EXPECT_EQ(limits.Take("b", 10, 0), 0);
}

TEST(RateLimitsTest, SaysWhenThereIsEnough) {
  RateLimits limits(0.5);
  EXPECT_EQ(limits.Take("a", 5, 1'000), 0);
  const int64_t seconds = limits.Take("a", 3, 1'000);
  EXPECT_EQ(seconds, 6);
  EXPECT_GT(limits.Take("a", 3, 1'000 + 5'900), 0);
  EXPECT_EQ(limits.Take("a", 3, 1'000 + seconds * 1'000), 0);
}

TEST(RateLimitsTest, AClientThatWaitsAsToldIsServed) {
  RateLimits limits(3);
  int64_t now_ms = 0;
  for (int i = 0; i < 100; ++i) {
    const int64_t seconds = limits.Take("a", 7, now_ms);
    now_ms += seconds * 1'000;
    if (seconds > 0) {
      EXPECT_EQ(limits.Take("a", 7, now_ms), 0) << i;
    }
  }
}

TEST(RateLimitsTest, ASteadyClientBelowTheLimitIsNeverRefused) {
  RateLimits limits(40);
  for (int64_t now_ms = 0; now_ms < 3'600'000; now_ms += 1'000) {
    for (int bot = 0; bot < 20; ++bot) ASSERT_EQ(limits.Take("a", 2, now_ms), 0);
  }
}

TEST(RateLimitsTest, ACostAboveTheLargestAllowanceCountsAsThat) {
  RateLimits limits(1);
  EXPECT_EQ(limits.Take("a", 100, 0), 0);
  EXPECT_EQ(limits.Take("a", 100, 0), 10);
  EXPECT_EQ(limits.Take("a", 100, 10'000), 0);
}

TEST(RateLimitsTest, ChargesMakeABoundedDebt) {
  RateLimits limits(1);
  for (int i = 0; i < 100; ++i) limits.Charge("a", 20, 0);
  EXPECT_EQ(limits.Take("a", 1, 0), 11);
  EXPECT_EQ(limits.Take("a", 1, 11'000), 0);
}

TEST(RateLimitsTest, RemembersABoundedNumberOfKeys) {
  RateLimits limits(1, /*keys_max=*/100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(limits.Take("k" + std::to_string(i), 10, 0), 0);
  // Further keys share one allowance, which was empty at first.
  EXPECT_EQ(limits.Take("new", 1, 5'000), 0);
  EXPECT_EQ(limits.Take("newer", 5, 5'000), 1);
  EXPECT_EQ(limits.key_count(), 100);
  EXPECT_EQ(limits.Take("k1", 5, 5'000), 0);  // a known key is not concerned
  // Keys with a full allowance are forgotten.
  EXPECT_EQ(limits.Take("newest", 10, 11'000), 0);
  EXPECT_EQ(limits.key_count(), 2);  // k1 and newest
}

TEST(RateLimitsTest, AnIpv6NetworkIsOneClient) {
  EXPECT_EQ(RateKeyOf("2001:db8:1:2::1"), RateKeyOf("2001:db8:1:2:ffff::9"));
  EXPECT_NE(RateKeyOf("2001:db8:1:2::1"), RateKeyOf("2001:db8:1:3::1"));
  EXPECT_NE(RateKeyOf("192.0.2.1"), RateKeyOf("192.0.2.2"));
  EXPECT_EQ(RateKeyOf("192.0.2.1"), RateKeyOf("::ffff:192.0.2.1"));
  EXPECT_EQ(RateKeyOf("strange"), "strange");
}

}  // namespace
}  // namespace triarch::arena
