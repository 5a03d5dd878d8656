#include "core/base/rate_meter.h"

#include <gtest/gtest.h>

#include <chrono>

namespace triarch {
namespace {

using std::chrono::seconds;

RateMeter::Time At(double time) {
  return RateMeter::Time(
      std::chrono::duration_cast<RateMeter::Time::duration>(std::chrono::duration<double>(time)));
}

TEST(RateMeter, HasNoRateBeforeTheFirstWindowIsComplete) {
  RateMeter meter{seconds(2)};
  EXPECT_FALSE(meter.per_second().has_value());
  meter.Add(5, At(10));
  meter.Add(5, At(11.9));
  EXPECT_FALSE(meter.per_second().has_value());
  meter.Add(2, At(12));
  EXPECT_DOUBLE_EQ(meter.per_second().value(), 6);
}

TEST(RateMeter, OlderWindowsCountForLess) {
  RateMeter meter{seconds(2)};
  meter.Start(At(0));
  meter.Add(20, At(2));
  meter.Add(0, At(4));
  EXPECT_DOUBLE_EQ(meter.per_second().value(), 0.7 * 20 / (0.7 * 2 + 2));
  meter.Add(100, At(14));
  EXPECT_DOUBLE_EQ(meter.per_second().value(), (0.49 * 20 + 100) / (0.49 * 2 + 0.7 * 2 + 10));
}

TEST(RateMeter, StartExcludesIdleTime) {
  RateMeter meter{seconds(1)};
  meter.Start(At(0));
  meter.Add(3, At(1));
  meter.Start(At(100));
  EXPECT_DOUBLE_EQ(meter.per_second().value(), 3);
  meter.Add(3, At(101));
  EXPECT_DOUBLE_EQ(meter.per_second().value(), 3);
}

}  // namespace
}  // namespace triarch
