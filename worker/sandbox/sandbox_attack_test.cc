// Runs attacks (tests/attacks) on the sandbox and checks that they achieve nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/base/text.h"
#include "tests/attacks/talking_bot.h"
#include "worker/sandbox/sandbox.h"
#include "worker/sandbox/sandbox_fd.h"

// If this machine cannot sandbox bots, CanSandboxOrSkip checks that the error says so.
namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr int64_t kMiB = 1 << 20;

// Returns the number at the start of the text.
int64_t NumberIn(const std::string& reports) {
  return ParseInt64(std::string_view(reports).substr(0, reports.find(' '))).value_or(-1);
}

// Returns the reports of an attack in a sandbox. The bot keeps playing.
std::string ReportsOf(const std::vector<std::string>& attack, const ProcessLimits& limits = {}) {
  const AttackerFolder folder;
  TalkingBot bot(folder.Spec(attack), limits);
  std::string reports = bot.Attack();
  bot.Say("isready");
  EXPECT_EQ(bot.HearUntil("readyok"), "");
  return reports;
}

TEST(SandboxAttack, ForkBomb) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  const std::string token = UniqueToken();
  TalkingBot bot(folder.Spec({"fork_bomb", token}));
  const std::string reports = bot.Attack();
  EXPECT_THAT(reports, HasSubstr("children, then EAGAIN"));
  EXPECT_LT(NumberIn(reports), 64);
  const int count = CountProcesses(token);
  EXPECT_GT(count, 10);
  EXPECT_LE(count, 64);
  // Other bots can still start.
  TalkingBot other(folder.Spec({"nothing"}));
  EXPECT_EQ(other.Attack(), "");
  bot.Destroy();
  EXPECT_EQ(CountProcesses(token), 0);
}

TEST(SandboxAttack, ThreadBomb) {
  if (!CanSandboxOrSkip()) return;
  const int64_t threads = NumberIn(ReportsOf({"thread_bomb"}, {.processes = 20}));
  EXPECT_GT(threads, 10);
  EXPECT_LT(threads, 20);
}

TEST(SandboxAttack, MemoryHog) {
  if (!CanSandboxOrSkip()) return;
  const ProcessLimits limits = {.memory_bytes = 128 * kMiB};
  if (!LimitsMemoryTogether()) {
    // No process exceeds the limit.
    const int64_t size = NumberIn(ReportsOf({"memory_hog"}, limits));
    EXPECT_GT(size, 32);
    EXPECT_LT(size, 128);
    return;
  }
  const AttackerFolder folder;
  TalkingBot bot(folder.Spec({"memory_hog"}), limits);
  EXPECT_EQ(bot.Attack(), "…");
  EXPECT_EQ(bot.End(), "signal 9 (killed), out of memory (at most 128 MiB)");
}

TEST(SandboxAttack, SaysHowMuchMemoryItUses) {
  if (!CanSandboxOrSkip() || !LimitsMemoryTogether()) return;
  const BotSpec spec = {.name = "hog",
                        .bot = std::string(kProcessBot),
                        .command = {"python3", "-c",
                                    "input(); hog = bytearray(b'1') * (90 << 20); print('full', "
                                    "flush=True); input()"}};
  TalkingBot bot(spec, {.memory_bytes = 128 * kMiB});
  EXPECT_EQ(bot.process().DescribeMemory(), "");
  bot.Say("go");
  EXPECT_EQ(bot.HearUntil("full"), "");
  EXPECT_THAT(bot.process().DescribeMemory(),
              testing::MatchesRegex("it used [0-9]+ of at most 128 MiB of memory"));
}

// Without a control group the limit is per process, and all eight survive.
TEST(SandboxAttack, MemoryHogWithChildren) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  const std::string token = UniqueToken();
  TalkingBot bot(folder.Spec({"memory_hog_family", token}), {.memory_bytes = 512 * kMiB});
  bot.Attack();
  if (LimitsMemoryTogether()) {
    EXPECT_LT(CountProcesses(token), 9);
  } else {
    EXPECT_EQ(CountProcesses(token), 9);
  }
}

TEST(SandboxAttack, DiskFiller) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  std::ofstream(folder.path() + "/mine.txt") << "mine";
  TalkingBot bot(folder.Spec({"disk_filler"}));
  EXPECT_THAT(bot.Attack(), MatchesRegex("\\.: 0 MiB, then EROFS\n"
                                         "/: 0 MiB, then EROFS\n"
                                         "/usr: 0 MiB, then EROFS\n"
                                         "/dev: 0 MiB, then EROFS\n"
                                         "/tmp: 6[0-4] MiB, then ENOSPC\n"
                                         "/dev/shm: 6[0-4] MiB, then ENOSPC"));
  // It cannot change its own folder either.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST(SandboxAttack, BigFile) {
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf({"big_file"}), "truncate: EFBIG");
}

TEST(SandboxAttack, OpenFiles) {
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf({"open_files"}), "253 files, then EMFILE");
}

TEST(SandboxAttack, ReadsSystemSecrets) {
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf({"read_files", "/etc/shadow", "/etc/passwd", "/root/.ssh/id_rsa",
                       "/proc/1/root/etc/shadow", "/sys/kernel/notes"}),
            "/etc/shadow: ENOENT\n/etc/passwd: ENOENT\n/root/.ssh/id_rsa: ENOENT\n"
            "/proc/1/root/etc/shadow: ENOENT\n/sys/kernel/notes: ENOENT");
  EXPECT_EQ(ReportsOf({"list_folders", "/home", "/root", "/sys", "/run", "/var", "/mnt"}),
            "/home: ENOENT\n/root: ENOENT\n/sys: ENOENT\n/run: triarch\n/var: ENOENT\n"
            "/mnt: ENOENT");
}

TEST(SandboxAttack, ReadsAnotherBotsFolder) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder other;
  TalkingBot victim(other.Spec({"nothing"}));
  victim.Attack();
  EXPECT_EQ(ReportsOf({"list_folders", other.path()}), other.path() + ": ENOENT");
  EXPECT_EQ(ReportsOf({"read_files", other.path() + "/attacker.py"}),
            other.path() + "/attacker.py: ENOENT");
}

// Sockets that listen for connections.
class Listeners {
 public:
  Listeners() : tcp_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in any = {};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Listen(tcp_, reinterpret_cast<sockaddr*>(&any), sizeof any);
    socklen_t size = sizeof any;
    getsockname(tcp_.get(), reinterpret_cast<sockaddr*>(&any), &size);
    port_ = ntohs(any.sin_port);
    ListenLocally(abstract_, std::string(1, '\0') + name_);
    ListenLocally(local_, path());
  }
  std::vector<std::string> Attack() const {
    return {"network", std::to_string(port_), name_, path()};
  }
  std::string path() const { return folder_ / "socket"; }

 private:
  static void Listen(const Fd& fd, const sockaddr* address, socklen_t size) {
    EXPECT_EQ(bind(fd.get(), address, size), 0) << std::strerror(errno);
    EXPECT_EQ(listen(fd.get(), 5), 0);
  }
  static void ListenLocally(const Fd& fd, const std::string& name) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    Listen(fd, reinterpret_cast<sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size()));
  }

  const TemporaryFolder folder_;
  const std::string name_ = UniqueToken();
  const Fd tcp_;
  const Fd abstract_{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const Fd local_{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  int port_ = 0;
};

TEST(SandboxAttack, Network) {
  const Listeners listeners;
  // Without a sandbox there is something to reach.
  const AttackerFolder folder;
  TalkingBot bare(folder.Spec(listeners.Attack(), false));
  EXPECT_THAT(bare.Attack(), HasSubstr("connect: open\nabstract: open\npath: EISCONN"));
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf(listeners.Attack()),
            "inet: EAFNOSUPPORT\ninet6: EAFNOSUPPORT\nnetlink: EAFNOSUPPORT\n"
            "packet: EAFNOSUPPORT\nconnect: EAFNOSUPPORT\nabstract: ECONNREFUSED\npath: ENOENT");
}

// All bots see the files of /usr, so a lock on one would tell something to another bot.
TEST(SandboxAttack, LeavesNoMessagesOnSharedFiles) {
  if (!CanSandboxOrSkip()) return;
  const std::string reports = ReportsOf({"messages", "/usr/bin/env"});
  const std::vector<std::string_view> lines = Split(reports, '\n');
  EXPECT_EQ(lines.size(), 17u) << reports;
  for (const std::string_view line : lines) EXPECT_TRUE(line.ends_with(": EPERM")) << line;
}

TEST(SandboxAttack, LearnsNothingAboutTheMachine) {
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf({"machine"}),
            "groups /\nhost bot\nbusy 0\nprocessors True\ncmdline: b''\nloadavg: b''\n"
            "uptime: b''\ninterrupts: b''\nvmstat: b''\ndiskstats: b''\n"
            "sys: []\nsys: EROFS\npressure: []\npressure: EROFS\nfs: []\nfs: EROFS\n"
            "irq: []\nirq: EROFS");
}

TEST(SandboxAttack, PtraceOfTheWorker) {
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf({"ptrace", std::to_string(getpid())}),
            "attach: EPERM\nmemory: ENOENT\nparent: EPERM\nsees 2 processes\n"
            "0 without a filter");
}

TEST(SandboxAttack, KillsEverythingItCan) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  const std::string token = UniqueToken();
  TalkingBot other(folder.Spec({"nothing", token}));
  other.Attack();
  // The kernel ignores signals to a sandbox's first process from within.
  EXPECT_EQ(ReportsOf({"kill_all", std::to_string(getpid())}),
            "worker: ESRCH\nparent: None\nall: ESRCH\ngroup: None");
  EXPECT_EQ(CountProcesses(token), 1);
}

TEST(SandboxAttack, NewNamespacesAndMounts) {
  if (!CanSandboxOrSkip()) return;
  EXPECT_EQ(ReportsOf({"new_namespaces"}),
            "unshare user: EPERM\nunshare net: EPERM\nsetns: EPERM\nmount: EPERM\numount: EPERM\n"
            "chroot: EPERM\nsethostname: EPERM\npersonality: EPERM\nreboot: EPERM");
}

TEST(SandboxAttack, ClosesItsPipes) {
  const AttackerFolder folder;
  for (const bool is_sandboxed : {true, false}) {
    if (is_sandboxed && !CanSandboxOrSkip()) continue;
    TalkingBot bot(folder.Spec({"close_pipes"}, is_sandboxed));
    EXPECT_EQ(bot.Attack(), "…");  // end of file, not a timeout:
    char byte;
    EXPECT_EQ(read(bot.process().output(), &byte, 1), 0);
    EXPECT_EQ(bot.process().DescribeExit(), "still running");
  }
}

TEST(SandboxAttack, ExitsInTheGame) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  TalkingBot exits(folder.Spec({"exit_now"}));
  EXPECT_EQ(exits.Attack(), "…");
  EXPECT_EQ(exits.End(), "exit code 3");
  TalkingBot aborts(folder.Spec({"abort"}));
  EXPECT_EQ(aborts.Attack(), "…");
  EXPECT_EQ(aborts.End(), "signal 6 (aborted)");
}

// Whatever a bot does, it can be ended quickly.
TEST(SandboxAttack, CannotDelayItsEnd) {
  const AttackerFolder folder;
  for (const bool is_sandboxed : {true, false}) {
    if (is_sandboxed && !CanSandboxOrSkip()) continue;
    for (const char* attack : {"stop_self", "stop_group", "busy_loop", "endless_output",
                               "endless_line", "endless_errors", "silence", "close_input"}) {
      TalkingBot bot(folder.Spec({attack}, is_sandboxed));
      bot.Say("uci");
      bot.HearUntil("uciok");
      bot.Say("go");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_EQ(bot.process().DescribeExit(), "still running") << attack;
      const auto start = std::chrono::steady_clock::now();
      bot.Destroy();
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3)) << attack;
    }
  }
}

}  // namespace
}  // namespace triarch
