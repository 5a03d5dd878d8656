#include "tests/attacks/talking_bot.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/base/text.h"
#include "worker/sandbox/cgroup.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{20};

// Prepares a rerun before its tests.
class Beginning : public testing::Environment {
 public:
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    if (std::getenv("TRIARCH_TEST_AS_NOBODY") != nullptr) BecomeNobody();
    if (const char* token = std::getenv("TRIARCH_TEST_HOLD_BOTS")) HoldBotsAndDie(token);
    if (std::getenv("TRIARCH_TEST_NO_SANDBOX") != nullptr) ShowNoSandbox();
  }

 private:
  static void BecomeNobody() {
    constexpr uid_t kNobody = 65534;
    ASSERT_EQ(setgroups(0, nullptr), 0);
    ASSERT_EQ(setresgid(kNobody, kNobody, kNobody), 0);
    ASSERT_EQ(setresuid(kNobody, kNobody, kNobody), 0);
    prctl(PR_SET_DUMPABLE, 1);  // as in a process started as nobody
  }
  // Simulates a worker that is killed while it runs bots.
  static void HoldBotsAndDie(const std::string& token) {
    const AttackerFolder folder;
    TalkingBot bare(folder.Spec({"nothing", token}, false));
    bare.Attack();
    std::unique_ptr<TalkingBot> sandboxed;
    if (CheckSandbox().ok()) {
      sandboxed = std::make_unique<TalkingBot>(folder.Spec({"daemon", token}));
      sandboxed->Attack();
    }
    std::printf("holds %d processes\n", CountProcesses(token));
    std::fflush(stdout);
    raise(SIGKILL);
  }
  // Prints what ReportsWhatIsMissing checks.
  static void ShowNoSandbox() {
    const absl::Status status = CheckSandbox();
    EXPECT_FALSE(status.ok());
    std::printf("%s\n", status.ToString().c_str());
  }
};

const testing::Environment* const kBeginning = testing::AddGlobalTestEnvironment(new Beginning);

// Returns once sandboxes with these limits are set up, or fails.
void FillStock(const ProcessLimits& limits) {
  SandboxStock& stock = SandboxStock::Get();
  ASSERT_TRUE(stock.Take(limits).ok());
  const Clock::time_point end = Clock::now() + kPatience;
  while (stock.ready() < SandboxStock::kFull && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the last one is being set up
}

// A separate function, because the macro returns.
void ReportSkipped(const absl::Status& status) { GTEST_SKIP() << status.message(); }

}  // namespace

bool CanSandboxOrSkip() {
  const absl::Status status = CheckSandbox();
  if (status.ok()) return true;
  ReportSkipped(status);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("bubblewrap"), std::string::npos) << status;
  EXPECT_NE(status.message().find("`sandbox: none`"), std::string::npos) << status;
  return false;
}

bool LimitsMemoryTogether() {
  const std::unique_ptr<Cgroup> group =
      Cgroup::Make(CgroupRoots::Find(), {.memory_bytes = 1 << 20, .processes = 1});
  return group != nullptr && group->limits_memory();
}

AttackerFolder::AttackerFolder() {
  chmod(path().c_str(), 0755);  // root's bots run as other users
  const std::string source = TRIARCH_SOURCE_DIR "/tests/attacks/attacker.py";
  fs::copy_file(source, folder_ / "attacker.py");
  chmod((folder_ / "attacker.py").c_str(), 0755);
}

BotSpec AttackerFolder::Spec(const std::vector<std::string>& attack, bool is_sandboxed) const {
  BotSpec spec = {.name = "attacker",
                  .bot = std::string(kProcessBot),
                  .command = {"/usr/bin/python3", "attacker.py"},
                  .dir = path(),
                  .is_sandboxed = is_sandboxed};
  spec.command.insert(spec.command.end(), attack.begin(), attack.end());
  return spec;
}

TalkingBot::TalkingBot(const BotSpec& spec, const ProcessLimits& limits) {
  const bool is_from_stock = spec.is_sandboxed && std::getenv("TRIARCH_TEST_FROM_STOCK") != nullptr;
  if (is_from_stock) FillStock(limits);
  const int64_t taken = SandboxStock::Get().taken();
  absl::StatusOr<std::unique_ptr<BotProcess>> process = BotProcess::Start(spec, limits);
  if (!process.ok()) {
    std::fprintf(stderr, "%s\n", process.status().ToString().c_str());
    std::abort();
  }
  process_ = *std::move(process);
  if (is_from_stock) {
    EXPECT_EQ(SandboxStock::Get().taken(), taken + 1);
  }
}

void TalkingBot::Say(std::string_view line) {
  const std::string text = absl::StrCat(std::string(line), "\n");
  EXPECT_EQ(write(process_->input(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

std::string TalkingBot::HearUntil(std::string_view start) {
  const Clock::time_point end = Clock::now() + kPatience;
  std::string before;
  while (true) {
    for (size_t line_end; (line_end = heard_.find('\n')) != std::string::npos;) {
      const std::string line = heard_.substr(0, line_end);
      heard_.erase(0, line_end + 1);
      if (line.starts_with(start)) return before;
      before += line + "\n";
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd output = {.fd = process_->output(), .events = POLLIN, .revents = 0};
    if (left <= 0 || poll(&output, 1, static_cast<int>(left)) <= 0) return before + "…";
    std::array<char, 4096> bytes;
    const ssize_t count = read(process_->output(), bytes.data(), bytes.size());
    if (count <= 0) return before + "…";
    heard_.append(bytes.data(), static_cast<size_t>(count));
  }
}

std::string TalkingBot::Attack() {
  Say("uci");
  HearUntil("uciok");
  Say("go legal a b");
  std::string reports;
  const std::string heard = HearUntil("bestmove a");
  for (const std::string_view line : Split(heard, '\n')) {
    constexpr std::string_view kInfo = "info string ";
    reports += line.starts_with(kInfo) ? line.substr(kInfo.size()) : line;
    reports += "\n";
  }
  return std::string(Trim(reports));
}

std::string TalkingBot::Errors() {
  std::string text;
  std::array<char, 4096> bytes;
  ssize_t count = 0;
  while ((count = read(process_->errors(), bytes.data(), bytes.size())) > 0) {
    text.append(bytes.data(), static_cast<size_t>(count));
  }
  return text;
}

std::string TalkingBot::End() {
  pollfd end = {.fd = process_->pidfd(), .events = POLLIN, .revents = 0};
  poll(&end, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count()));
  return process_->DescribeExit();
}

std::string UniqueToken() {
  static std::atomic<int> count = 0;
  return absl::StrCat("token-", getpid(), "-", count.fetch_add(1));
}

int CountProcesses(const std::string& token) {
  int count = 0;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    if (!ParseInt64(entry->path().filename().string())) continue;
    const std::string command = ReadSmallFile(entry->path().string() + "/cmdline");
    for (const std::string_view word : Split(command, '\0')) count += word == token;
  }
  return count;
}

int CountLeft(const std::string& token) {
  int count = 0;
  for (int i = 0; i < 500 && (count = CountProcesses(token)) > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return count;
}

Rerun RunThisTest(const std::string& prefix, const std::string& environment,
                  const std::string& filter) {
  const std::string self = fs::read_symlink("/proc/self/exe");
  const std::string command =
      absl::StrCat(environment, " ", prefix, " '", self, "' --gtest_filter='", filter, "' 2>&1");
  FILE* const output = popen(command.c_str(), "r");
  Rerun rerun = {.code = -1, .output = {}};
  std::array<char, 4096> bytes;
  size_t count = 0;
  while ((count = std::fread(bytes.data(), 1, bytes.size(), output)) > 0) {
    rerun.output.append(bytes.data(), count);
  }
  rerun.code = WEXITSTATUS(pclose(output));
  // ctest would mistake the rerun's line for that of the current test.
  rerun.output = absl::StrReplaceAll(rerun.output, {{"[  SKIPPED ]", "skipped:"}});
  return rerun;
}

}  // namespace triarch
