#include "core/base/event_loop.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using Clock = EventLoop::Clock;
using Watch = EventLoop::Watch;

class EventLoopTest : public ::testing::Test {
 protected:
  EventLoopTest() { EXPECT_EQ(pipe(pipe_.data()), 0); }
  ~EventLoopTest() override {
    close(pipe_[0]);
    close(pipe_[1]);
  }
  void Send() { EXPECT_EQ(write(pipe_[1], "x", 1), 1); }
  void Receive() {
    char byte;
    EXPECT_EQ(read(pipe_[0], &byte, 1), 1);
  }

  EventLoop loop_;
  std::array<int, 2> pipe_{};
};

TEST_F(EventLoopTest, RunsErrandsInOrderIncludingThoseBeforeStop) {
  std::vector<int> done;
  loop_.Post([&] {
    done.push_back(1);
    loop_.Post([&] { done.push_back(3); });
    loop_.Stop();
  });
  loop_.Post([&] { done.push_back(2); });
  loop_.Run();
  EXPECT_THAT(done, ElementsAre(1, 2, 3));
}

TEST_F(EventLoopTest, CanRunAgain) {
  int runs = 0;
  for (int i = 0; i < 3; ++i) {
    loop_.Post([&] {
      ++runs;
      loop_.Stop();
    });
    loop_.Run();
  }
  EXPECT_EQ(runs, 3);
}

TEST_F(EventLoopTest, OtherThreadsWakeIt) {
  std::optional<std::thread::id> ran_in;
  std::jthread other([&] {
    loop_.Post([&] { ran_in = std::this_thread::get_id(); });
    loop_.Stop();
  });
  loop_.Run();
  EXPECT_EQ(ran_in, std::this_thread::get_id());
}

TEST_F(EventLoopTest, CallsWhileThereIsDataToRead) {
  int calls = 0;
  Watch watch(loop_, Watch::For::kReading, [&] {
    Receive();
    if (++calls == 3) loop_.Stop();
  });
  watch.Start(pipe_[0]);
  Send();
  Send();
  Send();
  loop_.Run();
  EXPECT_EQ(calls, 3);
}

TEST_F(EventLoopTest, AStoppedWatchIsNotCalled) {
  bool is_called = false;
  Watch watch(loop_, Watch::For::kReading, [&] { is_called = true; });
  watch.Start(pipe_[0]);
  EXPECT_TRUE(watch.is_on());
  Send();
  watch.Stop();
  EXPECT_FALSE(watch.is_on());
  EventLoop::Timer end(loop_, [&] { loop_.Stop(); });
  end.Set(Clock::now() + milliseconds(5));
  loop_.Run();
  EXPECT_FALSE(is_called);
}

TEST_F(EventLoopTest, AnExpectedWatchIsCalledBeforeTheWait) {
  int calls = 0;
  Watch watch(loop_, Watch::For::kReading, [&] {
    // No data is ever sent.
    if (++calls < 3) return watch.Expect();
    loop_.Stop();
  });
  watch.Start(pipe_[0]);
  watch.Expect();
  EventLoop::Timer end(loop_, [&] { ADD_FAILURE() << "it waited after " << calls; });
  end.Set(Clock::now() + std::chrono::seconds(10));
  loop_.Run();
  EXPECT_EQ(calls, 3);
}

TEST_F(EventLoopTest, AWatchThatIsAlwaysExpectedAgainDoesNotDelayTheWait) {
  int calls = 0;
  Watch watch(loop_, Watch::For::kReading, [&] {
    ++calls;
    watch.Expect();
  });
  watch.Start(pipe_[0]);
  watch.Expect();
  int calls_before_wait = 0;
  EventLoop::Timer first(loop_, [&] { calls_before_wait = calls; });
  first.Set(Clock::now() + milliseconds(1));
  EventLoop::Timer end(loop_, [&] { loop_.Stop(); });
  end.Set(Clock::now() + milliseconds(5));
  loop_.Run();
  EXPECT_GT(calls_before_wait, 1);
  EXPECT_EQ(calls, calls_before_wait) << "the call that was left is dropped";
}

TEST_F(EventLoopTest, AStoppedWatchIsNotExpected) {
  bool is_called = false;
  std::optional<Watch> stopped;
  stopped.emplace(loop_, Watch::For::kReading, [&] { is_called = true; });
  stopped->Start(pipe_[0]);
  stopped->Expect();
  stopped.reset();
  EventLoop::Timer end(loop_, [&] { loop_.Stop(); });
  end.Set(Clock::now() + milliseconds(5));
  loop_.Run();
  EXPECT_FALSE(is_called);
}

// Both are ready; the one called first destroys the other.
TEST_F(EventLoopTest, ACallbackMayDestroyAnotherReadyWatch) {
  std::optional<Watch> first;
  std::optional<Watch> second;
  int calls = 0;
  first.emplace(loop_, Watch::For::kReading, [&] {
    ++calls;
    second.reset();
    Receive();
    loop_.Stop();
  });
  second.emplace(loop_, Watch::For::kWriting, [&] {
    ++calls;
    first.reset();
    second->Stop();
    loop_.Stop();
  });
  first->Start(pipe_[0]);
  second->Start(pipe_[1]);
  Send();
  loop_.Run();
  EXPECT_EQ(calls, 1);
}

TEST_F(EventLoopTest, TimersFireInOrderAndNeverEarly) {
  std::vector<int> order;
  const Clock::time_point start = Clock::now();
  std::optional<Clock::time_point> due;
  EventLoop::Timer late(loop_, [&] {
    order.push_back(2);
    due = Clock::now();
    loop_.Stop();
  });
  EventLoop::Timer early(loop_, [&] { order.push_back(1); });
  EventLoop::Timer never(loop_, [&] { order.push_back(3); });
  late.Set(start + milliseconds(20));
  early.Set(start + milliseconds(1));
  never.Set(start + milliseconds(2));
  never.Clear();
  loop_.Run();
  EXPECT_THAT(order, ElementsAre(1, 2));
  EXPECT_GE(*due, start + milliseconds(20));
}

TEST_F(EventLoopTest, APostponedTimerFiresAtItsNewTime) {
  const Clock::time_point start = Clock::now();
  Clock::time_point due;
  EventLoop::Timer timer(loop_, [&] {
    due = Clock::now();
    loop_.Stop();
  });
  timer.Set(start + milliseconds(1));
  timer.Set(start + milliseconds(20));
  loop_.Run();
  EXPECT_GE(due, start + milliseconds(20));
  EXPECT_LE(due, start + std::chrono::seconds(5));
}

TEST_F(EventLoopTest, AMovedTimerFiresOnce) {
  int calls = 0;
  EventLoop::Timer timer(loop_, [&] { ++calls; });
  timer.Set(Clock::now() + std::chrono::hours(1));
  timer.Set(Clock::now() - milliseconds(1));
  EventLoop::Timer end(loop_, [&] { loop_.Stop(); });
  end.Set(Clock::now() + milliseconds(20));
  loop_.Run();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace triarch
