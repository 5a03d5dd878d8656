// Tests when requests that wait are answered.

#include "arena/api/long_polls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "arena/api/test_arena.h"

namespace triarch::arena {
namespace {

class LongPollsTest : public testing::Test {
 protected:
  // A request that is answered once `is_ready_`, with 200 if in time, else with 204.
  std::shared_ptr<TestExchange> Wait(const std::string& table, int64_t until_ms) {
    auto exchange = std::make_shared<TestExchange>(WebRequest{});
    polls_.Wait(table, exchange, until_ms, now_ms_, [this, exchange](bool is_last) {
      ++asked_;
      if (!is_ready_ && !is_last) return false;
      exchange->Reply({.status = is_ready_ ? 200 : 204});
      return true;
    });
    return exchange;
  }

  LongPolls polls_;
  int64_t now_ms_ = 1'000;
  bool is_ready_ = false;
  int asked_ = 0;
};

TEST_F(LongPollsTest, AnswersAtOnceWhatIsReadyOrDoesNotWait) {
  EXPECT_EQ(Wait("t", 1'000)->status(), 204);
  is_ready_ = true;
  EXPECT_EQ(Wait("t", 9'000)->status(), 200);
  EXPECT_EQ(polls_.size(), 0u);
}

TEST_F(LongPollsTest, AnswersAtAChangeOfItsTable) {
  const auto exchange = Wait("t", 9'000);
  const auto other = Wait("u", 9'000);
  polls_.Changed("t");
  EXPECT_FALSE(exchange->is_answered());
  EXPECT_EQ(polls_.size(), 2u);
  is_ready_ = true;
  polls_.Changed("none");
  EXPECT_FALSE(exchange->is_answered());
  polls_.Changed("t");
  EXPECT_EQ(exchange->status(), 200);
  EXPECT_FALSE(other->is_answered());
  EXPECT_EQ(polls_.size(), 1u);
  polls_.Changed("t");
}

TEST_F(LongPollsTest, AnswersAtTheEndOfItsTime) {
  const auto early = Wait("t", 2'000);
  const auto late = Wait("t", 3'000);
  polls_.Tick(1'999);
  EXPECT_FALSE(early->is_answered());
  EXPECT_EQ(asked_, 2);  // a tick does not look for changes
  polls_.Tick(2'000);
  EXPECT_EQ(early->status(), 204);
  EXPECT_FALSE(late->is_answered());
  polls_.Tick(9'000);
  EXPECT_EQ(late->status(), 204);
  EXPECT_EQ(polls_.size(), 0u);
}

TEST_F(LongPollsTest, ForgetsClientsThatAreGone) {
  const auto exchange = Wait("t", 9'000);
  const auto other = Wait("t", 9'000);
  exchange->Leave();
  polls_.Tick(1'001);
  EXPECT_EQ(polls_.size(), 1u);
  is_ready_ = true;
  other->Leave();
  polls_.Changed("t");
  EXPECT_EQ(polls_.size(), 0u);
  EXPECT_FALSE(exchange->is_answered() || other->is_answered());
}

TEST_F(LongPollsTest, TheEndAnswersAllAndKeepsNobodyWaiting) {
  const auto one = Wait("t", 9'000);
  const auto two = Wait("u", 9'000);
  polls_.End();
  EXPECT_EQ(one->status(), 204);
  EXPECT_EQ(two->status(), 204);
  EXPECT_EQ(polls_.size(), 0u);
  EXPECT_EQ(Wait("t", 9'000)->status(), 204);
}

TEST_F(LongPollsTest, AnAnswerMayAddAndChange) {
  std::shared_ptr<TestExchange> added;
  const auto other = Wait("t", 9'000);
  for (const std::string table : {"t", "u"}) {
    const auto exchange = std::make_shared<TestExchange>(WebRequest{});
    polls_.Wait(table, exchange, 9'000, now_ms_, [this, &added, exchange](bool) {
      if (!is_ready_) return false;
      is_ready_ = false;
      added = Wait("t", 9'000);
      is_ready_ = true;
      polls_.Changed("t");  // not those that are being asked
      exchange->Reply({.status = 200});
      return true;
    });
  }
  is_ready_ = true;
  polls_.Changed("t");
  ASSERT_NE(added, nullptr);
  EXPECT_EQ(added->status(), 200);
  EXPECT_EQ(other->status(), 200);
  EXPECT_EQ(polls_.size(), 1u);
  added = nullptr;
  polls_.Tick(9'000);
  ASSERT_NE(added, nullptr);
  EXPECT_EQ(added->status(), 200);
  EXPECT_EQ(polls_.size(), 0u);
}

}  // namespace
}  // namespace triarch::arena
