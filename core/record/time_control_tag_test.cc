#include "core/record/time_control_tag.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(TimeControlTagTest, WritesEveryLimit) {
  EXPECT_EQ(TimeControlTag({}), "-");
  TimeControl clock;
  clock.clock_ms = 60'000;
  EXPECT_EQ(TimeControlTag(clock), "60");
  clock.clock_ms = 1'050;
  clock.increment_ms = 500;
  EXPECT_EQ(TimeControlTag(clock), "1.05+0.5");
  TimeControl all;
  all.movetime_ms = 100;
  EXPECT_EQ(TimeControlTag(all), "1/0.1");
  all.movetime_ms = 7;
  all.nodes = 9;
  all.depth = 3;
  EXPECT_EQ(TimeControlTag(all), "1/0.007 nodes=9 depth=3");
}

}  // namespace
}  // namespace triarch
