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

TimeControl PerGame(int64_t base_ms, int64_t increment_ms, int64_t margin_ms = 50) {
  TimeControl control;
  control.clock = {.base_ms = base_ms, .increment_ms = increment_ms};
  control.margin_ms = margin_ms;
  return control;
}

GameClock ClockOf(const TimeControl& control) {
  return GameClock(PerSeat<TimeControl>{{control, control, control}});
}

TimeControl Nodes(int64_t nodes) {
  TimeControl control;
  control.nodes = nodes;
  return control;
}

TEST(GameClockTest, NothingIsLateWithoutATimeLimit) {
  GameClock clock = ClockOf(Nodes(5));
  EXPECT_FALSE(clock.is_timed());
  EXPECT_FALSE(clock.is_timed(kFirst));
  EXPECT_EQ(clock.Deadline(kFirst, kNow), std::nullopt);
  EXPECT_FALSE(clock.IsOverstepped(kFirst, std::chrono::hours(1)));
  clock.Charge(kFirst, std::chrono::hours(1));
  EXPECT_EQ(clock.shown_ms(kFirst), std::nullopt);
}

TEST(GameClockTest, TimePerMove) {
  GameClock clock = ClockOf(PerMove(100, 20));
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(100));
  EXPECT_FALSE(clock.IsOverstepped(kFirst, milliseconds(120)));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(121)));
  clock.Charge(kFirst, milliseconds(110));
  EXPECT_EQ(clock.shown_ms(kFirst), 110);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(100)) << "each move has the same";
}

TEST(GameClockTest, ClockWithIncrement) {
  GameClock clock = ClockOf(PerGame(1000, 50, 10));
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(1000 / 25 + 50));
  EXPECT_FALSE(clock.IsOverstepped(kFirst, milliseconds(1010)));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(1011)));
  clock.Charge(kFirst, milliseconds(400));
  EXPECT_EQ(clock.shown_ms(kFirst), 650);
  EXPECT_EQ(clock.shown_ms(kSecond), 1000) << "each seat has its own";
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(661)));
}

TEST(GameClockTest, TheMarginIsNotBorrowedFromTheNextMove) {
  GameClock clock = ClockOf(PerGame(100, 0, 10));
  clock.Charge(kFirst, milliseconds(105));
  EXPECT_EQ(clock.shown_ms(kFirst), 0);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow);
  EXPECT_FALSE(clock.IsOverstepped(kFirst, milliseconds(10)));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(11)));
}

TEST(GameClockTest, TheClockGetsMoreTimeAfterEachSession) {
  TimeControl control = PerGame(1000, 10, 0);
  control.clock->moves = 3;
  GameClock clock = ClockOf(control);
  EXPECT_EQ(clock.moves_to_go(kFirst), 3);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(1000 / 4 + 10));
  clock.Charge(kFirst, milliseconds(310));
  clock.Charge(kFirst, milliseconds(310));
  EXPECT_EQ(clock.moves_to_go(kFirst), 1);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(400 / 2 + 10));
  clock.Charge(kFirst, milliseconds(400));
  EXPECT_EQ(clock.shown_ms(kFirst), 1010) << "10 ms of increment and the next session's time";
  EXPECT_EQ(clock.moves_to_go(kFirst), 3);
  EXPECT_EQ(clock.moves_to_go(kSecond), 3) << "each seat has its own";
}

TEST(GameClockTest, ManyMovesToGoDoNotShrinkTheShare) {
  TimeControl control = PerGame(1000, 0, 0);
  control.clock->moves = 40;
  EXPECT_EQ(ClockOf(control).Deadline(kFirst, kNow), kNow + milliseconds(1000 / 25));
}

TEST(GameClockTest, TheTighterOfTwoLimitsCounts) {
  TimeControl control = PerGame(1000, 0, 0);
  control.movetime_ms = 20;
  GameClock clock = ClockOf(control);
  EXPECT_EQ(clock.Deadline(kFirst, kNow), kNow + milliseconds(20));
  EXPECT_TRUE(clock.IsOverstepped(kFirst, milliseconds(21)));
  clock.Charge(kFirst, milliseconds(20));
  EXPECT_EQ(clock.shown_ms(kFirst), 980);
}

}  // namespace
}  // namespace triarch
