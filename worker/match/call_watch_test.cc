#include "worker/match/call_watch.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::seconds;

class CallWatchTest : public ::testing::Test {
 protected:
  bool IsSilentAfter(seconds time) { return watch_.FindSilence(began_ + time).has_value(); }

  CallWatch watch_;
  const CallWatch::Clock::time_point began_ = CallWatch::Clock::now();
};

TEST_F(CallWatchTest, TellsOfALongCallOnce) {
  EXPECT_FALSE(IsSilentAfter(seconds(0)));
  const SearchLimits limits = {.nodes = 100, .plies = 13};
  watch_.Enter(1, &limits);
  EXPECT_TRUE(watch_.is_in_call());
  EXPECT_FALSE(IsSilentAfter(seconds(1)));
  EXPECT_FALSE(IsSilentAfter(seconds(60)));
  const auto silence = watch_.FindSilence(began_ + seconds(62));
  ASSERT_TRUE(silence.has_value());
  EXPECT_EQ(silence->seat, 1);
  EXPECT_EQ(silence->ply, 14);
  EXPECT_EQ(silence->duration, seconds(61));
  EXPECT_FALSE(silence->has_deadline);
  EXPECT_FALSE(IsSilentAfter(seconds(100)));
  watch_.Leave();
  EXPECT_FALSE(watch_.is_in_call());
  EXPECT_FALSE(IsSilentAfter(seconds(1'000)));
}

TEST_F(CallWatchTest, ShortCallsInSuccessionAreNotOneLongCall) {
  for (int second = 0; second < 200; ++second) {
    watch_.Enter(0, nullptr);
    EXPECT_FALSE(IsSilentAfter(seconds(second)));
    watch_.Leave();
  }
}

TEST_F(CallWatchTest, GrantsLessTimeAfterADeadline) {
  const SearchLimits limits = {.deadline = began_ + seconds(5)};
  watch_.Enter(2, &limits);
  EXPECT_FALSE(IsSilentAfter(seconds(14)));
  const auto silence = watch_.FindSilence(began_ + seconds(16));
  ASSERT_TRUE(silence.has_value());
  EXPECT_TRUE(silence->has_deadline);
}

}  // namespace
}  // namespace triarch
