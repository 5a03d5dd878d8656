#include "worker/match/turn_timer.h"

#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::nanoseconds;

TurnTimer::TimePoint fake_now;
int readings = 0;
TurnTimer::TimePoint FakeNow() {
  ++readings;
  return fake_now;
}

void PlayTurn(TurnTimer& timer, Seat seat, nanoseconds time) {
  timer.Begin(seat);
  fake_now += time;
  timer.End(seat, timer.Elapsed(seat));
}

TEST(TurnTimerTest, SlowMovesAreAllMeasured) {
  TurnTimer timer(FakeNow, false);
  for (int i = 1; i <= 20; ++i) PlayTurn(timer, Seat::kFirst, nanoseconds(5000 + i));
  EXPECT_EQ(timer.total(Seat::kFirst), nanoseconds(100'210));
  EXPECT_EQ(timer.total(Seat::kSecond), nanoseconds(0));
}

TEST(TurnTimerTest, AfterManyFastMovesTurnsAreSampled) {
  TurnTimer timer(FakeNow, false);
  readings = 0;
  for (int i = 0; i < 50; ++i) PlayTurn(timer, Seat::kFirst, nanoseconds(100));
  EXPECT_EQ(timer.total(Seat::kFirst), nanoseconds(5000));
  EXPECT_EQ(readings, 66) << "the first 32 turns and the 48th, at both ends";
}

TEST(TurnTimerTest, AFewFastMovesDoNotStartSampling) {
  TurnTimer timer(FakeNow, false);
  for (int i = 0; i < 20; ++i) PlayTurn(timer, Seat::kFirst, nanoseconds(100));
  for (int i = 0; i < 20; ++i) PlayTurn(timer, Seat::kFirst, nanoseconds(1'000'000));
  EXPECT_EQ(timer.total(Seat::kFirst), nanoseconds(20'002'000));
}

TEST(TurnTimerTest, SeatsAreIndependent) {
  TurnTimer timer(FakeNow, false);
  for (int i = 0; i < 10; ++i) {
    PlayTurn(timer, Seat::kFirst, nanoseconds(100));
    PlayTurn(timer, Seat::kSecond, nanoseconds(9000));
  }
  EXPECT_EQ(timer.total(Seat::kFirst), nanoseconds(1000));
  EXPECT_EQ(timer.total(Seat::kSecond), nanoseconds(90'000));
}

TEST(TurnTimerTest, ExactModeMeasuresEveryTurn) {
  TurnTimer timer(FakeNow, true);
  for (int i = 1; i <= 3; ++i) PlayTurn(timer, Seat::kFirst, nanoseconds(i));
  EXPECT_EQ(timer.total(Seat::kFirst), nanoseconds(6));
}

}  // namespace
}  // namespace triarch
