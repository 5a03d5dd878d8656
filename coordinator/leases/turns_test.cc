#include "coordinator/leases/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace triarch {
namespace {

class TurnsTest : public testing::Test {
 protected:
  // Serves the candidates `count` times and returns whom: "1121".
  std::string Serve(const std::vector<int64_t>& candidates, int count) {
    std::string served;
    for (int i = 0; i < count; ++i) {
      const int64_t id = turns_.Next(candidates);
      turns_.Charge(id, candidates, seconds_.contains(id) ? seconds_.at(id) : 10);
      served += std::to_string(id);
    }
    return served;
  }

  Turns turns_;
  std::map<int64_t, double> seconds_;  // that a lease takes, unless 10
};

TEST_F(TurnsTest, EqualTournamentsTakeTurns) {
  turns_.Add(1, {});
  turns_.Add(2, {});
  turns_.Add(3, {});
  turns_.Add(4, {});
  EXPECT_EQ(Serve({1, 2, 3, 4}, 8), "12341234");
}

TEST_F(TurnsTest, AHigherPriorityComesFirst) {
  turns_.Add(1, {});
  turns_.Add(2, {.priority = 5});
  turns_.Add(3, {.priority = -1});
  EXPECT_EQ(Serve({1, 2, 3}, 3), "222");
  EXPECT_EQ(Serve({1, 3}, 3), "111");
  turns_.Set(3, {.priority = 7});
  EXPECT_EQ(Serve({1, 2, 3}, 2), "33");
}

TEST_F(TurnsTest, SharesDivideTheTimeAndNotTheLeases) {
  turns_.Add(1, {.share = 3});
  turns_.Add(2, {});
  seconds_ = {{1, 10}, {2, 200}};
  const std::string served = Serve({1, 2}, 1'000);
  const auto first = static_cast<double>(std::count(served.begin(), served.end(), '1'));
  EXPECT_NEAR(first * 10, 3 * (1'000 - first) * 200, 600);
}

TEST_F(TurnsTest, LeasesThatAreNotPlayedYetCount) {
  turns_.Add(1, {.share = 2});
  turns_.Add(2, {});
  std::string served;
  for (int i = 0; i < 6; ++i) {
    const int64_t id = turns_.Next(std::vector<int64_t>{1, 2});
    turns_.Hold(id, 10);
    served += std::to_string(id);
  }
  EXPECT_EQ(std::count(served.begin(), served.end(), '1'), 4) << served;
  turns_.ForgetHeld();
  EXPECT_EQ(turns_.Next(std::vector<int64_t>{1, 2}), 1);
}

TEST_F(TurnsTest, ANewTournamentHasNothingToCatchUpOn) {
  turns_.Add(1, {});
  Serve({1}, 1'000);
  turns_.Add(2, {});
  EXPECT_EQ(Serve({1, 2}, 4), "1212");
}

TEST_F(TurnsTest, ATournamentThatCannotBePlayedSavesNothingUp) {
  turns_.Add(1, {});
  turns_.Add(2, {});
  EXPECT_EQ(Serve({1, 2}, 2), "12");
  EXPECT_EQ(Serve({1}, 9), "111111111");
  EXPECT_EQ(Serve({1, 2}, 4), "1212");
}

// Each leaves while it owes something.
TEST_F(TurnsTest, ShortTournamentsDoNotHoldBackALongOne) {
  turns_.Add(1, {});
  for (int64_t id = 2; id < 100; ++id) {
    turns_.Add(id, {});
    seconds_[id] = 1'000;
    while (turns_.Next(std::vector<int64_t>{1, id}) != id) Serve({1, id}, 1);
    Serve({1, id}, 1);
    turns_.Remove(id);
  }
  turns_.Add(100, {});
  const std::string served = Serve({1, 100}, 2);
  EXPECT_TRUE(served == "1100" || served == "1001") << served;
}

}  // namespace
}  // namespace triarch
