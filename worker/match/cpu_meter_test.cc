#include "worker/match/cpu_meter.h"

#include <chrono>
#include <optional>

#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

nanoseconds Burn(nanoseconds time) {
  const nanoseconds began = ThreadCpuTime();
  while (ThreadCpuTime() - began < time) {
  }
  return ThreadCpuTime() - began;
}

TEST(CpuMeterTest, MeasuredTurnsCountExactly) {
  CpuMeter meter(/*is_one_thread=*/true, /*reads_all=*/true);
  EXPECT_TRUE(meter.wants(Seat::kFirst));
  meter.EndTurn(Seat::kFirst, microseconds(9), microseconds(8), true);
  EXPECT_TRUE(meter.wants(Seat::kFirst));
  meter.EndTurn(Seat::kFirst, milliseconds(9), microseconds(5), true);
  meter.EndTurn(Seat::kFirst, milliseconds(9), microseconds(500), /*is_move=*/false);
  meter.EndGame(milliseconds(30));
  EXPECT_EQ(meter.total(Seat::kFirst, microseconds(9009)), microseconds(13));
  EXPECT_EQ(meter.total(Seat::kSecond, nanoseconds(0)), nanoseconds(0));
}

TEST(CpuMeterTest, ReadsOnlyAfterALongTurn) {
  CpuMeter meter(true, false);
  EXPECT_TRUE(meter.wants(Seat::kFirst));
  meter.EndTurn(Seat::kFirst, microseconds(9), microseconds(9), true);
  EXPECT_FALSE(meter.wants(Seat::kFirst));
  EXPECT_TRUE(meter.wants(Seat::kSecond)) << "seats are independent";
  meter.EndTurn(Seat::kFirst, milliseconds(2), std::nullopt, true);
  EXPECT_TRUE(meter.wants(Seat::kFirst));
}

// The thread slept for half the game.
TEST(CpuMeterTest, UnmeasuredTurnsAreAShareOfTheirTime) {
  CpuMeter meter(true, false);
  meter.EndTurn(Seat::kFirst, microseconds(9), microseconds(9), true);
  for (int i = 0; i < 20; ++i) meter.EndTurn(Seat::kFirst, milliseconds(1), std::nullopt, true);
  const nanoseconds burnt = Burn(milliseconds(20));
  meter.EndGame(2 * burnt);
  const nanoseconds cpu = meter.total(Seat::kFirst, milliseconds(20) + microseconds(9)).value();
  EXPECT_GE(cpu, milliseconds(10));
  EXPECT_LT(cpu, milliseconds(14));
}

// Time that a measured player spends waiting does not affect the estimates for the others.
TEST(CpuMeterTest, TheShareExcludesMeasuredTurns) {
  CpuMeter meter(true, false);
  meter.EndTurn(Seat::kFirst, microseconds(9), microseconds(9), true);
  for (int i = 0; i < 20; ++i) meter.EndTurn(Seat::kFirst, milliseconds(1), std::nullopt, true);
  meter.EndTurn(Seat::kSecond, milliseconds(900), microseconds(3), /*is_move=*/false);
  const nanoseconds burnt = Burn(milliseconds(20));
  meter.EndGame(burnt + milliseconds(900));
  const nanoseconds cpu = meter.total(Seat::kFirst, milliseconds(20) + microseconds(9)).value();
  EXPECT_GE(cpu, milliseconds(19));
  EXPECT_LE(cpu, milliseconds(20) + microseconds(9));
}

TEST(CpuMeterTest, UnmeasuredTurnsOfSeveralThreadsAreUnknown) {
  CpuMeter meter(/*is_one_thread=*/false, false);
  meter.EndTurn(Seat::kFirst, microseconds(9), microseconds(8), true);
  EXPECT_TRUE(meter.wants(Seat::kFirst));
  meter.EndTurn(Seat::kSecond, microseconds(9), std::nullopt, true);
  meter.EndGame(milliseconds(1));
  EXPECT_EQ(meter.total(Seat::kFirst, microseconds(9)), microseconds(8));
  EXPECT_EQ(meter.total(Seat::kSecond, microseconds(9)), std::nullopt);
}

}  // namespace
}  // namespace triarch
