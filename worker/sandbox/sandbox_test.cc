#include "worker/sandbox/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/attacks/talking_bot.h"

// Tests how bots run and end. sandbox_attack_test.cc tests what they cannot do.
namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

BotSpec Shell(const std::string& script, bool is_sandboxed = true) {
  return {.name = "shell",
          .bot = std::string(kProcessBot),
          .command = {"sh", "-c", script},
          .is_sandboxed = is_sandboxed};
}

// Returns both modes, or only the unsandboxed one if this machine cannot sandbox bots.
std::vector<bool> Kinds() {
  return CanSandboxOrSkip() ? std::vector{true, false} : std::vector{false};
}

std::string ErrorOfStarting(const BotSpec& spec) {
  return std::string(BotProcess::Start(spec).status().message());
}

TEST(Sandbox, ConnectsTheBotsPipes) {
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot bot(
        Shell("read a; echo \"<$a>\"; echo oh >&2; read b; echo \"<$b>\"", is_sandboxed));
    bot.Say("one two");
    EXPECT_EQ(bot.HearUntil("<one two>"), "");
    bot.Say("");
    EXPECT_EQ(bot.HearUntil("<>"), "");
    EXPECT_EQ(bot.HearUntil("more"), "…");
    EXPECT_EQ(bot.End(), "exit code 0");
    EXPECT_EQ(bot.Errors(), "oh\n");
  }
}

TEST(Sandbox, PassesArgumentsUnchanged) {
  for (const bool is_sandboxed : Kinds()) {
    BotSpec spec = Shell("printf '%s|' \"$@\"; echo", is_sandboxed);
    for (const char* word : {"sh", "it's", "", "a b", "$HOME", "\\n", "*", "ä\n\"x\""}) {
      spec.command.push_back(word);
    }
    TalkingBot bot(spec);
    EXPECT_EQ(bot.HearUntil("\"x\"|"), "it's||a b|$HOME|\\n|*|ä\n");
  }
}

TEST(Sandbox, ReportsHowTheBotEnded) {
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot waits(Shell("read a", is_sandboxed));
    EXPECT_EQ(waits.process().DescribeExit(), "still running");
    EXPECT_EQ(TalkingBot(Shell("exit 3", is_sandboxed)).End(), "exit code 3");
    EXPECT_EQ(TalkingBot(Shell("kill -9 $$", is_sandboxed)).End(), "signal 9 (killed)");
    waits.process().Kill();
    EXPECT_EQ(waits.End(), "signal 9 (killed)");
    EXPECT_EQ(waits.process().DescribeExit(), "signal 9 (killed)");
  }
}

TEST(Sandbox, ReportsAMissingProgram) {
  BotSpec spec = {.name = "none", .bot = "", .command = {"no-such-program"}};
  if (CanSandboxOrSkip()) {
    TalkingBot bot(spec);
    EXPECT_EQ(bot.End(), "exit code 127");
    EXPECT_THAT(bot.Errors(), HasSubstr("no-such-program: not found"));
  }
  spec.is_sandboxed = false;
  EXPECT_THAT(ErrorOfStarting(spec), StartsWith("no-such-program: "));
  spec.command = {};
  EXPECT_EQ(BotProcess::Start(spec).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Sandbox, ShowsACopyAtTheFoldersOwnPath) {
  if (!CanSandboxOrSkip()) return;
  const TemporaryFolder folder;
  const TemporaryFolder copy;
  std::filesystem::permissions(copy.path(), std::filesystem::perms(0755));
  std::ofstream(folder / "which") << "own\n";
  std::ofstream(copy / "which") << "copy\n";
  BotSpec spec = Shell("cat " + (folder / "which"));
  spec.dir = folder.path();
  spec.copy = copy.path();
  EXPECT_EQ(TalkingBot(spec).HearUntil("copy"), "");
}

// The sandbox waits for its bot, but shows the folder that is there when the bot starts.
TEST(Sandbox, ShowsAFolderThatHasTakenTheLastOnesPath) {
  if (!CanSandboxOrSkip()) return;
  const TemporaryFolder outer;
  std::filesystem::permissions(outer.path(), std::filesystem::perms(0755));
  BotSpec spec = Shell("cat which");
  spec.dir = outer / "bot";
  for (const std::string which : {"first", "second", "third"}) {
    std::filesystem::remove_all(spec.dir);
    std::filesystem::create_directory(spec.dir);
    std::ofstream(spec.dir + "/which") << which << '\n';
    EXPECT_EQ(TalkingBot(spec).HearUntil(which), "");
    std::this_thread::sleep_for(milliseconds(50));  // until the stock is full
  }
}

TEST(Sandbox, StartsBotsOfManyFoldersInTurn) {
  if (!CanSandboxOrSkip()) return;
  const TemporaryFolder outer;
  std::filesystem::permissions(outer.path(), std::filesystem::perms(0755));
  for (int i = 0; i < 20; ++i) {
    BotSpec spec = Shell("pwd; cat which");
    spec.dir = outer / std::to_string(i % 10);
    std::filesystem::create_directory(spec.dir);
    std::ofstream(spec.dir + "/which") << i << '\n';
    EXPECT_EQ(TalkingBot(spec).HearUntil(std::to_string(i)), spec.dir + "\n");
  }
}

TEST(Sandbox, ReportsAMissingFolder) {
  BotSpec spec = Shell("pwd");
  if (!CanSandboxOrSkip()) return;
  spec.dir = "/no/such/folder";
  EXPECT_EQ(ErrorOfStarting(spec), "/no/such/folder: No such file or directory");
  for (const char* dir : {"/", "//", "/usr/..", "relative"}) {
    spec.dir = dir;
    EXPECT_EQ(BotProcess::Start(spec).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

// Works even if only the worker can reach the folder, e.g. in /root.
TEST(Sandbox, RunsInItsFolder) {
  for (const bool is_sandboxed : Kinds()) {
    for (const mode_t mode : {0700, 0755}) {
      const TemporaryFolder outer;
      ASSERT_EQ(chmod(outer.path().c_str(), mode), 0);
      BotSpec spec = Shell("pwd; cat move.txt; echo x >move.txt", is_sandboxed);
      spec.dir = outer / "a bot's";
      std::filesystem::create_directory(spec.dir);
      std::ofstream(spec.dir + "/move.txt") << "b2-b4\n";
      TalkingBot bot(spec);
      EXPECT_EQ(bot.HearUntil("b2-b4"), spec.dir + "\n") << bot.Errors();
      EXPECT_EQ(bot.End(), is_sandboxed ? "exit code 2" : "exit code 0");
    }
  }
}

TEST(Sandbox, ReportsAFolderThatTheBotCannotRead) {
  if (!CanSandboxOrSkip()) return;
  const TemporaryFolder folder;  // accessible only to its owner
  BotSpec spec = Shell("echo here");
  spec.dir = folder.path();
  if (geteuid() == 0) {
    EXPECT_EQ(ErrorOfStarting(spec),
              folder.path() +
                  ": sandboxed bots do not run as root; make the folder readable by all users");
  } else {
    EXPECT_EQ(TalkingBot(spec).HearUntil("here"), "");
  }
}

TEST(Sandbox, HasAPrivateTmpAndHome) {
  if (!CanSandboxOrSkip()) return;
  const TemporaryFolder outside;
  const std::string name = UniqueToken();
  TalkingBot bot(Shell("echo $HOME $PATH; ls -A /tmp /dev/shm; echo x >$HOME/" + name +
                       "; ls -A /tmp /dev/shm; echo ."));
  EXPECT_EQ(bot.HearUntil("."),
            "/tmp /usr/local/bin:/usr/bin:/bin\n"
            "/dev/shm:\n\n/tmp:\n"
            "/dev/shm:\n" +
                name + "\n\n/tmp:\n" + name + "\n");
  EXPECT_FALSE(std::filesystem::exists("/tmp/" + name));
}

// Includes descriptors that a library opened without O_CLOEXEC.
TEST(Sandbox, InheritsNoDescriptorsOfTheWorker) {
  const int leaky = open("/proc/self/status", O_RDONLY);
  const int high = fcntl(leaky, F_DUPFD, 700);
  const AttackerFolder folder;
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot bot(folder.Spec({"rights"}, is_sandboxed));
    const std::string reports = bot.Attack();
    EXPECT_THAT(reports, HasSubstr("fd 0 pipe\nfd 1 pipe\nfd 2 pipe\nenvironment"));
  }
  close(leaky);
  close(high);
}

TEST(Sandbox, ClosesTheBotsDescriptorsOnExec) {
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot bot(Shell("read a", is_sandboxed));
    BotProcess& process = bot.process();
    for (const int fd : {process.input(), process.output(), process.errors(), process.pidfd()}) {
      EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
    }
    for (const int fd : {process.input(), process.output(), process.errors()}) {
      EXPECT_NE(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
    }
  }
}

TEST(Sandbox, HasNoPrivileges) {
  if (!CanSandboxOrSkip()) return;
  const AttackerFolder folder;
  TalkingBot bot(folder.Spec({"rights"}));
  const std::string reports = bot.Attack();
  for (const char* line :
       {"CapEff: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2", "root: False", "setuid: E"}) {
    EXPECT_THAT(reports, HasSubstr(line));
  }
  EXPECT_THAT(reports, EndsWith("environment HOME LANG PATH PWD TMPDIR TRIARCH_PROGRAM"));
}

// The bot does not inherit signals that the worker blocks or ignores. (In the sandbox SIGINT and
// SIGQUIT are ignored: see StartBot.)
TEST(Sandbox, ResetsSignals) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot bot(Shell("grep -E 'SigBlk|SigIgn' /proc/self/status; echo done", is_sandboxed));
    EXPECT_EQ(bot.HearUntil("done"),
              std::string("SigBlk:\t0000000000000000\nSigIgn:\t000000000000000") +
                  (is_sandboxed ? "6" : "0") + "\n");
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(Sandbox, MeasuresCpuTimeOfTheWholeTree) {
  const AttackerFolder folder;
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot bot(folder.Spec({"busy_children"}, is_sandboxed));
    bot.Say("uci");
    bot.HearUntil("uciok");
    const auto before = bot.process().CpuTime().value();
    EXPECT_EQ(bot.Attack(), "burned");
    const auto used = bot.process().CpuTime().value() - before;
    // 0.2 s by the bot itself, and 0.1 s by each of two children that have ended.
    EXPECT_GE(used, milliseconds(350)) << is_sandboxed;
    EXPECT_LE(used, milliseconds(600)) << is_sandboxed;
  }
}

TEST(Sandbox, MeasuresCpuTimeWhileRunning) {
  const AttackerFolder folder;
  for (const bool is_sandboxed : Kinds()) {
    TalkingBot bot(folder.Spec({"busy_loop"}, is_sandboxed));
    bot.Say("go");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto first = bot.process().CpuTime().value();
    auto last = first;
    while (last - first < milliseconds(200) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(5));
      const auto now = bot.process().CpuTime().value();
      EXPECT_GE(now, last);
      last = now;
    }
    EXPECT_GE(last - first, milliseconds(200));
  }
}

// The kernel kills a child whose parent thread has ended, if it was asked to kill it with its
// parent. The thread that starts a bot may end before the bot.
TEST(Sandbox, OutlivesTheThreadThatStartedIt) {
  for (const bool is_sandboxed : Kinds()) {
    std::unique_ptr<TalkingBot> bot;
    std::thread([&] {
      bot = std::make_unique<TalkingBot>(Shell("read a; echo $a", is_sandboxed));
    }).join();
    std::this_thread::sleep_for(milliseconds(50));
    bot->Say("alive");
    EXPECT_EQ(bot->HearUntil("alive"), "");
  }
}

TEST(Sandbox, StartsManyInParallel) {
  for (const bool is_sandboxed : Kinds()) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([is_sandboxed] {
        for (int j = 0; j < 5; ++j) {
          TalkingBot bot(Shell("read a; echo $a", is_sandboxed));
          bot.Say("alive");
          EXPECT_EQ(bot.HearUntil("alive"), "");
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// Takes about 1 ms on an idle machine, but this machine may be busy.
TEST(Sandbox, StartsQuickly) {
  if (!CanSandboxOrSkip()) return;
  milliseconds best = milliseconds::max();
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    TalkingBot bot(Shell("echo hello; read a"));
    EXPECT_EQ(bot.HearUntil("hello"), "");
    const auto time = std::chrono::steady_clock::now() - start;
    best = std::min(best, std::chrono::ceil<milliseconds>(time));
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_LE(best, milliseconds(20));
}

// The sandbox ends with the worker, even after SIGKILL. Without a sandbox, processes that the bot
// started in their own sessions would survive, but not the bot itself.
TEST(Sandbox, EndsWithAKilledWorker) {
  const std::string token = UniqueToken();
  const Rerun worker =
      RunThisTest("", "TRIARCH_TEST_HOLD_BOTS=" + token, "Sandbox.ReportsAMissingFolder");
  // Inside the sandbox the daemon is still running too.
  EXPECT_THAT(worker.output,
              HasSubstr(CanSandboxOrSkip() ? "holds 3 processes" : "holds 1 processes"));
  EXPECT_EQ(CountLeft(token), 0);
}

TEST(Sandbox, LeavesNoProcesses) {
  const AttackerFolder folder;
  for (const bool is_sandboxed : Kinds()) {
    for (const char* attack : {"daemon", "daemon_and_exit"}) {
      const std::string token = UniqueToken();
      TalkingBot bot(folder.Spec({attack, token}, is_sandboxed));
      bot.Say("go");
      EXPECT_EQ(bot.HearUntil("info string left one"), "");
      EXPECT_GE(CountProcesses(token), std::string_view(attack) == "daemon" ? 2 : 0);
      bot.Destroy();
      EXPECT_EQ(CountProcesses(token), 0) << attack;
    }
  }
}

// Repeats all tests for a worker with fewer rights: no control groups and no separate users.
TEST(SandboxElsewhere, PassesAsAnUnprivilegedUser) {
  if (geteuid() != 0) GTEST_SKIP() << "not root: the other tests have run without privileges";
  const Rerun rerun = RunThisTest("", "TRIARCH_TEST_AS_NOBODY=1", "-SandboxElsewhere.*:Cgroup.*");
  EXPECT_EQ(rerun.code, 0) << rerun.output;
  if (rerun.output.find("skipped:") != std::string::npos) GTEST_SKIP() << rerun.output;
}

// Repeats the attacks for bots whose sandboxes have been waiting for them.
TEST(SandboxElsewhere, ResistsAttacksInASandboxFromTheStock) {
  if (!CanSandboxOrSkip()) return;
  const Rerun rerun =
      RunThisTest("", "TRIARCH_TEST_FROM_STOCK=1",
                  "SandboxAttack.*:Sandbox.HasNoPrivileges:Sandbox.HasAPrivateTmpAndHome:"
                  "Sandbox.InheritsNoDescriptorsOfTheWorker:Sandbox.LeavesNoProcesses");
  EXPECT_EQ(rerun.code, 0) << rerun.output;
}

// Root of a container may lack the right to mount outside of a sandbox and to inspect it, and root
// of a user namespace has no other users.
TEST(SandboxElsewhere, ShowsTheFolderForARootOfFewRights) {
  if (geteuid() != 0 || !CanSandboxOrSkip()) GTEST_SKIP() << "not root, or no sandbox";
  for (const char* prefix :
       {"setpriv --bounding-set -sys_admin,-sys_ptrace", "unshare --user --map-root-user"}) {
    const Rerun rerun = RunThisTest(prefix, "TRIARCH_TEST_FROM_STOCK=1",
                                    "SandboxAttack.DiskFiller:SandboxAttack.NewNamespaces*:"
                                    "SandboxAttack.PtraceOfTheWorker:Sandbox.ShowsACopy*");
    EXPECT_EQ(rerun.code, 0) << prefix << rerun.output;
  }
}

// CanSandboxOrSkip checks the message of a failed check.
TEST(SandboxElsewhere, ReportsWhatIsMissing) {
  const Rerun no_namespaces = RunThisTest(
      "unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; exec "
      "\"$0\" "
      "\"$@\"'",
      "TRIARCH_TEST_NO_SANDBOX=1", "Sandbox.ReportsAMissingProgram");
  EXPECT_EQ(no_namespaces.code, 0) << no_namespaces.output;
  EXPECT_THAT(no_namespaces.output, HasSubstr("cannot sandbox bots: bwrap: "));
  const Rerun no_bubblewrap =
      RunThisTest("", "PATH=/nowhere TRIARCH_TEST_NO_SANDBOX=1", "Sandbox.ReportsAMissingProgram");
  EXPECT_EQ(no_bubblewrap.code, 0) << no_bubblewrap.output;
  EXPECT_THAT(no_bubblewrap.output,
              HasSubstr("cannot sandbox bots: bwrap: No such file or directory"));
}

}  // namespace
}  // namespace triarch
