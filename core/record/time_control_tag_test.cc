#include "core/record/time_control_tag.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(TimeControlTagTest, WritesEveryLimit) {
  EXPECT_EQ(TimeControlTag({}), "-");
  TimeControl clock;
  clock.clock = {.base_ms = 60'000};
  EXPECT_EQ(TimeControlTag(clock), "60");
  clock.clock = {.base_ms = 1'050, .increment_ms = 500, .moves = 40};
  EXPECT_EQ(TimeControlTag(clock), "40/1.05+0.5");
  TimeControl all;
  all.movetime_ms = 100;
  EXPECT_EQ(TimeControlTag(all), "movetime_ms=100");
  all.movetime_ms = 7;
  all.clock = {.base_ms = 60'000};
  all.nodes = 9;
  all.depth = 3;
  EXPECT_EQ(TimeControlTag(all), "60 movetime_ms=7 nodes=9 depth=3");
}

TEST(TimeControlTagTest, ReadsWhatItWrites) {
  for (const char* const tag : {"-", "60", "40/1.05+0.5", "movetime_ms=7", "60 nodes=9 depth=3"}) {
    const absl::StatusOr<TimeControl> control = ParseTimeControlTag(tag);
    ASSERT_TRUE(control.ok()) << control.status();
    EXPECT_EQ(TimeControlTag(*control), tag);
  }
  for (const char* const tag : {"", "nodes", "nodes=", "nodes=0", "plies=3", "60  nodes=9"}) {
    EXPECT_EQ(ParseTimeControlTag(tag).status().code(), absl::StatusCode::kInvalidArgument) << tag;
  }
}

TEST(TimeControlTagTest, FindsTheClock) {
  for (const char* const tag : {"60", "40/1.05+0.5", "60 movetime_ms=7", ""}) {
    EXPECT_TRUE(MayHaveClock(tag)) << tag;
  }
  for (const char* const tag : {"movetime_ms=7", "nodes=9 depth=3", "-"}) {
    EXPECT_FALSE(MayHaveClock(tag)) << tag;
  }
}

}  // namespace
}  // namespace triarch
