#include "worker/host/forked_call.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;

ForkedEnd EndOf(absl::FunctionRef<void(const SendLine&)> work,
                std::vector<std::string>* lines = nullptr) {
  return RunForked(
             work,
             [lines](std::string_view line) {
               if (lines != nullptr) lines->emplace_back(line);
             },
             [] { return uint64_t{0}; }, {.patience = std::chrono::seconds(60)})
      .value();
}

// Like a thread of the parent, this global object cannot end in a child.
struct EndsInItsProcess {
  ~EndsInItsProcess() {
    while (is_child) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  bool is_child = false;
};

TEST(ForkedCallTest, PassesLinesOn) {
  std::vector<std::string> lines;
  const ForkedEnd end = EndOf(
      [](const SendLine& send) {
        send("a");
        send("b");
      },
      &lines);
  EXPECT_TRUE(end.is_done);
  EXPECT_THAT(lines, ElementsAre("a", "b"));
}

TEST(ForkedCallTest, AnExitIsNoReturn) {
  static EndsInItsProcess global;
  const ForkedEnd end = EndOf([](const SendLine& send) {
    global.is_child = true;
    send("a");
    std::exit(0);
  });
  EXPECT_FALSE(end.is_done);
  EXPECT_EQ(end.how, "ended the process with exit code 0");
}

TEST(ForkedCallTest, AnInterruptEndsTheChild) {
  const ForkedEnd end =
      RunForked([](const SendLine&) { std::this_thread::sleep_for(std::chrono::seconds(60)); },
                [](std::string_view) {}, [] { return uint64_t{0}; },
                {.patience = std::chrono::seconds(60), .is_interrupted = [] { return true; }})
          .value();
  EXPECT_FALSE(end.is_done);
  EXPECT_EQ(end.how, "was interrupted");
}

TEST(ForkedCallTest, AnExceptionEndsTheChild) {
  const ForkedEnd end = EndOf([](const SendLine&) { throw 3; });
  EXPECT_EQ(end.how, "crashed with signal 6 (aborted)");
}

}  // namespace
}  // namespace triarch
