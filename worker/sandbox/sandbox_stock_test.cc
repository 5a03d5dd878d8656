#include "worker/sandbox/sandbox_stock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/text.h"
#include "tests/attacks/talking_bot.h"
#include "worker/sandbox/bot_process_tree.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kFull = SandboxStock::kFull;
constexpr milliseconds kSetUpTime(100);  // of a sandbox, or more

// Returns this process's children, living and dead ones.
std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::optional<int64_t> pid = ParseInt64(entry->path().filename().string());
    if (!pid || ParentOf(static_cast<pid_t>(*pid)) != getpid()) continue;
    children.push_back(static_cast<pid_t>(*pid));
  }
  return children;
}

// Returns once they have ended, without reaping them.
void KillAndWait(const std::vector<pid_t>& children) {
  for (const pid_t pid : children) {
    kill(pid, SIGKILL);
    siginfo_t info;
    waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT);
  }
}

// Waits up to 10 s.
template <typename Condition>
bool Becomes(const Condition& condition) {
  const auto end = steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

// Returns whether the stock gets full.
bool Fills(const SandboxStock& stock) {
  return Becomes([&] { return stock.ready() == kFull; });
}

// Processes whose parent has ended become children of this one, as in the first process of a
// container.
class Adoption {
 public:
  Adoption() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Adoption() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

TEST(SandboxStock, LeavesNoProcesses) {
  if (!CanSandboxOrSkip()) return;
  const Adoption adoption;
  ASSERT_TRUE(Fills(SandboxStock::Get()));
  const size_t before = Children().size();
  for (const bool is_set_up : {true, false}) {
    SandboxStock stock;
    ASSERT_TRUE(stock.Take({}).ok());
    ASSERT_TRUE(Fills(stock));
    if (is_set_up) std::this_thread::sleep_for(kSetUpTime);
    // Discards three and the one that is returned here.
    ASSERT_TRUE(stock.Take({.processes = 20}).ok());
    ASSERT_TRUE(Fills(stock));
    EXPECT_TRUE(Becomes([&] { return Children().size() == before + kFull; }));
  }
  EXPECT_TRUE(Becomes([&] { return Children().size() == before; }));
}

TEST(SandboxStock, CountsWhatIsTakenFromIt) {
  if (!CanSandboxOrSkip()) return;
  SandboxStock stock;
  ASSERT_TRUE(stock.Take({}).ok());
  EXPECT_EQ(stock.taken(), 0);
  ASSERT_TRUE(Fills(stock));
  const auto taken = stock.Take({});
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(stock.taken(), 1);
  // Other limits.
  ASSERT_TRUE(Fills(stock));
  const auto made = stock.Take({.processes = 20});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ((*made)->limits.processes, 20);
  EXPECT_EQ(stock.taken(), 1);
  ASSERT_TRUE(Fills(stock));
  EXPECT_EQ(stock.Take({.processes = 20}).value()->limits.processes, 20);
  EXPECT_EQ(stock.taken(), 2);
}

TEST(SandboxStock, ReplacesOldSandboxesUntilItIsNoLongerUsed) {
  if (!CanSandboxOrSkip()) return;
  constexpr milliseconds kLifetime(300);
  SandboxStock stock(kLifetime);
  ASSERT_TRUE(stock.Take({}).ok());
  ASSERT_TRUE(Fills(stock));
  const auto filled = steady_clock::now();
  std::this_thread::sleep_for(kLifetime);
  ASSERT_TRUE(Fills(stock));
  EXPECT_GT(stock.Take({}).value()->made_at, filled);
  const auto used = steady_clock::now();
  EXPECT_TRUE(
      Becomes([&] { return stock.ready() == 0 && steady_clock::now() - used > 10 * kLifetime; }));
  std::this_thread::sleep_for(kLifetime);
  EXPECT_EQ(stock.ready(), 0);
}

// E.g. because memory ran out.
TEST(SandboxStock, SkipsDeadSandboxes) {
  if (!CanSandboxOrSkip()) return;
  ASSERT_TRUE(Fills(SandboxStock::Get()));
  const std::vector<pid_t> others = Children();
  SandboxStock stock;
  ASSERT_TRUE(stock.Take({}).ok());
  ASSERT_TRUE(Fills(stock));
  std::vector<pid_t> in_stock = Children();
  std::erase_if(in_stock, [&](pid_t pid) {
    return std::find(others.begin(), others.end(), pid) != others.end();
  });
  ASSERT_EQ(in_stock.size(), kFull);
  std::this_thread::sleep_for(kSetUpTime);
  KillAndWait(in_stock);
  const auto made = stock.Take({});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(kill((*made)->process.pid, 0), 0);
  EXPECT_FALSE(WaitReadable((*made)->process.pidfd.get(), -1, 50).ok());  // it lives
  EXPECT_EQ(stock.taken(), 0);
}

TEST(SandboxStock, StartsABotIfTheSandboxesInStockAreDead) {
  if (!CanSandboxOrSkip()) return;
  const BotSpec spec = {
      .name = "hello", .bot = std::string(kProcessBot), .command = {"echo", "hello"}};
  TalkingBot(spec).End();
  ASSERT_TRUE(Fills(SandboxStock::Get()));
  std::this_thread::sleep_for(kSetUpTime);
  KillAndWait(Children());
  EXPECT_EQ(TalkingBot(spec).HearUntil("hello"), "");
}

// What a bot sees of the preparation of its sandbox, and of the bot before it.
TEST(SandboxStock, ShowsABotNothingOfWhatWasBefore) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  BotSpec spec = {
      .name = "look",
      .bot = std::string(kProcessBot),
      .command = {"/usr/bin/python3", "-c",
                  "import os\n"
                  "print(os.listdir('/tmp'), os.getcwd(), sorted(os.environ))\n"
                  "print(sorted(os.listdir('/proc/self/fd')))\n"
                  "print(sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))\n"
                  "open('/tmp/left', 'w').write('x')\n"
                  "if os.fork() == 0: os.setsid(); os.execvp('sleep', ['sleep', '60'])\n"
                  "print('done', flush=True); input()"},
      .dir = "/bot",
      .copy = folder.path()};
  TalkingBot(spec).HearUntil("done");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Fills(SandboxStock::Get()));
    const int64_t taken = SandboxStock::Get().taken();
    TalkingBot bot(spec);
    EXPECT_EQ(bot.HearUntil("done"),
              "[] /bot ['HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR', 'TRIARCH_PROGRAM']\n"
              "['0', '1', '2', '3']\n[1, 2]\n")
        << bot.Errors();
    EXPECT_EQ(SandboxStock::Get().taken(), taken + 1);
  }
}

// ulimit -f counts blocks of 512 bytes.
TEST(SandboxStock, AppliesChangedLimits) {
  if (!CanSandboxOrSkip()) return;
  const BotSpec spec = {
      .name = "limits",
      .bot = std::string(kProcessBot),
      .command = {"sh", "-c", "ulimit -n; ulimit -f; df -k --output=size /tmp | tr -d ' '"}};
  for (int i = 0; i < 3; ++i) {
    TalkingBot(spec).End();
    ASSERT_TRUE(Fills(SandboxStock::Get()));
    TalkingBot usual(spec);
    EXPECT_EQ(usual.HearUntil("65536"), "256\n131072\n1K-blocks\n");
    TalkingBot other(spec, {.open_files = 100, .file_bytes = 1 << 20, .tmp_bytes = 3 << 20});
    EXPECT_EQ(other.HearUntil("3072"), "100\n2048\n1K-blocks\n");
  }
}

TEST(SandboxStock, StartsFromManyThreadsWithChangingLimits) {
  if (!CanSandboxOrSkip()) return;
  const BotSpec spec = {
      .name = "limits", .bot = std::string(kProcessBot), .command = {"sh", "-c", "ulimit -n"}};
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < 4; ++i) {
    threads.emplace_back([&spec, i] {
      for (int64_t j = 0; j < 6; ++j) {
        const int64_t open_files = 100 + (i + j) % 2;
        TalkingBot bot(spec, {.open_files = open_files});
        EXPECT_EQ(bot.HearUntil(std::to_string(open_files)), "");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace triarch
