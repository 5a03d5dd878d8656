#include "core/record/clock_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::StartsWith;

ClockSpec MustParse(std::string_view text) {
  const absl::StatusOr<ClockSpec> clock = ParseClock(text);
  EXPECT_TRUE(clock.ok()) << text << ": " << clock.status();
  return clock.value_or(ClockSpec());
}

std::string ErrorOf(std::string_view text) {
  return std::string(ParseClock(text).status().message());
}

TEST(ClockTextTest, ReadsTimeIncrementAndMoves) {
  EXPECT_EQ(MustParse("60"), (ClockSpec{.base_ms = 60'000}));
  EXPECT_EQ(MustParse("60+0.6"), (ClockSpec{.base_ms = 60'000, .increment_ms = 600}));
  EXPECT_EQ(MustParse("40/120"), (ClockSpec{.base_ms = 120'000, .moves = 40}));
  EXPECT_EQ(MustParse("40/2:30+1"),
            (ClockSpec{.base_ms = 150'000, .increment_ms = 1000, .moves = 40}));
  EXPECT_EQ(MustParse("0.001"), (ClockSpec{.base_ms = 1}));
  EXPECT_EQ(MustParse("0:59.999+0"), (ClockSpec{.base_ms = 59'999}));
}

TEST(ClockTextTest, WritesSecondsWithoutTrailingZeros) {
  for (const char* text : {"60", "0.001", "1.05+0.5", "40/120", "1/0.1+2"}) {
    EXPECT_EQ(ClockText(MustParse(text)), text);
  }
  EXPECT_EQ(ClockText(MustParse("2:30+1.50")), "150+1.5");
  EXPECT_EQ(ClockText(MustParse("5+0")), "5");
}

TEST(ClockTextTest, ErrorsNameThePart) {
  EXPECT_EQ(ErrorOf("60+x"),
            "INCREMENT \"x\" is not from 0 to 1000000 seconds; expected [MOVES/]TIME[+INCREMENT] "
            "with seconds or MINUTES:SECONDS, as in 60+0.6, 40/120 or 2:30+1");
  for (const char* text : {"", "+1", "0", "0.0001", "x", "-5", "1:60", "1:", ":5", "1.", ".5",
                           "1e3", "60s", "1000001", "99999999999999999999", "1:2:3", "40/"}) {
    EXPECT_THAT(ErrorOf(text), StartsWith("TIME \"")) << text;
  }
  for (const char* text : {"60+", "60+-1", "60+1+1", "60+1:00", "60+1000001"}) {
    EXPECT_THAT(ErrorOf(text), StartsWith("INCREMENT \"")) << text;
  }
  for (const char* text : {"/60", "0/60", "-1/60", "1.5/60", "1001/60"}) {
    EXPECT_THAT(ErrorOf(text), StartsWith("MOVES \"")) << text;
  }
  EXPECT_THAT(ErrorOf("40/20/5"), StartsWith("TIME \"20/5\""));
}

}  // namespace
}  // namespace triarch
