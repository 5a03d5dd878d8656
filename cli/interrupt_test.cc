#include "cli/interrupt.h"

#include <signal.h>

#include <thread>

#include "gtest/gtest.h"

namespace triarch {
namespace {

TEST(InterruptTest, TheFirstSignalSetsTheFlag) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.is_asked());
    raise(signal_number);
    EXPECT_TRUE(interrupt.is_asked());
  }
}

TEST(InterruptDeathTest, TheSecondSignalEndsTheProcess) {
  const Interrupt interrupt;
  raise(SIGTERM);
  raise(SIGTERM);  // as if from the same interrupt
  std::this_thread::sleep_for(kSameInterrupt);
  EXPECT_EXIT(raise(SIGINT), ::testing::ExitedWithCode(128 + SIGINT), "");
}

TEST(InterruptDeathTest, RestoresTheDefaultHandlers) {
  { const Interrupt interrupt; }
  EXPECT_EXIT(raise(SIGINT), ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace triarch
