#include "core/play/time_control.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

constexpr Seat kFirst = Seat::kFirst;
constexpr Seat kSecond = Seat::kSecond;
const GameClock::TimePoint kNow{};

TimeControl PerMove(int64_t movetime_ms, int64_t margin_ms = 50) {
  TimeControl control;
  control.movetime_ms = movetime_ms;
  control.margin_ms = margin_ms;
  return control;
}

TimeControl PerGame(int64_t clock_ms, int64_t increment_ms, int64_t margin_ms = 50) {
  TimeControl control;
  control.clock_ms = clock_ms;
  control.increment_ms = increment_ms;
  control.margin_ms = margin_ms;
  return control;
}

TimeControl Nodes(int64_t nodes) {
  TimeControl control;
  control.nodes = nodes;
  return control;
}

TEST(GameClockTest, NothingIsLateWithoutATimeLimit) {
  GameClock clock(Nodes(5));
  EXPECT_FALSE(clock.is_timed());
  EXPECT_EQ(clock.Deadline(kFirst, kNow), std::nullopt);
  EXPECT_FALSE(clock.IsOverstepped(kFirst, std::chrono::hours(1)));
  clock.Charge(kFirst, std::chrono::hours(1));
  EXPECT_EQ(clock.shown_ms(kFirst), std::nullopt);
}

TEST(GameClockTest, TimePerMove) {
  GameClock clock(PerMove(100, 20));
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(100));
  EXPECT_FALSE(clock.IsOverstepped(kFirst, milliseconds(120)));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(121)));
  clock.Charge(kFirst, milliseconds(110));
  EXPECT_EQ(clock.shown_ms(kFirst), 110);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(100)) << "each move has the same";
}

TEST(GameClockTest, ClockWithIncrement) {
  GameClock clock(PerGame(1000, 50, 10));
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(1000 / 25 + 50));
  EXPECT_FALSE(clock.IsOverstepped(kFirst, milliseconds(1010)));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(1011)));
  clock.Charge(kFirst, milliseconds(400));
  EXPECT_EQ(clock.shown_ms(kFirst), 650);
  EXPECT_EQ(clock.shown_ms(kSecond), 1000) << "each seat has its own";
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(661)));
}

TEST(GameClockTest, TheMarginIsNotBorrowedFromTheNextMove) {
  GameClock clock(PerGame(100, 0, 10));
  clock.Charge(kFirst, milliseconds(105));
  EXPECT_EQ(clock.shown_ms(kFirst), 0);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow);
  EXPECT_FALSE(clock.IsOverstepped(kFirst, milliseconds(10)));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(11)));
}

TEST(GameClockTest, TheTighterOfTwoLimitsCounts) {
  TimeControl control = PerGame(1000, 0, 0);
  control.movetime_ms = 20;
  GameClock clock(control);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(20));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(21)));
  clock.Charge(kFirst, milliseconds(20));
  EXPECT_EQ(clock.shown_ms(kFirst), 980);
}

}  // namespace
}  // namespace triarch
