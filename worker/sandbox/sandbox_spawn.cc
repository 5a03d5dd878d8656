#include "worker/sandbox/sandbox_spawn.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

// Reports why the child could not execute its program.
struct Failure {
  int error;
  std::array<char, 28> step;
};

// Everything the child needs, prepared before the vfork. The child shares this process's memory
// until it executes its program, so it allocates nothing and writes only to this struct.
struct ChildPlan {
  const SpawnPlan& plan;
  std::vector<char*> command;
  std::vector<char*> environment;
  pid_t parent;
  int failures;  // receives a Failure; closed by exec
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Raw system calls. The C library's wrappers would affect this process too: its setresuid applies
// to all threads, and sanitizers track descriptors and signal handlers.
template <typename... Arguments>
long Call(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

[[noreturn]] void Fail(const ChildPlan& child, const char* step) {
  Failure failure{.error = errno, .step = {}};
  for (size_t i = 0; i + 1 < failure.step.size() && step[i] != '\0'; ++i) failure.step[i] = step[i];
  Call(SYS_write, child.failures, &failure, sizeof failure);
  Call(SYS_exit_group, 127);
  __builtin_unreachable();
}

void Must(const ChildPlan& child, const char* step, long result) {
  if (result < 0) Fail(child, step);
}

void ResetSignals() {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    unsigned long mask;
  } by_default = {};
  constexpr int kSignals = 64;
  for (int i = 1; i <= kSignals; ++i) {
    Call(SYS_rt_sigaction, i, &by_default, nullptr, sizeof by_default.mask);
  }
  const unsigned long none = 0;
  Call(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
}

void JoinGroups(const ChildPlan& child) {
  for (const int group : child.plan.groups) {
    Must(child, "control group", Call(SYS_write, group, "0", 1));
  }
}

// Makes the process the first candidate for the out-of-memory killer.
void PreferForOomKill() {
  const long file = Call(SYS_openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  Call(SYS_write, file, "1000", 4);
  Call(SYS_close, file);
}

void PlaceFds(ChildPlan* child) {
  constexpr int kOutOfTheWay = 64;  // a target number may belong to a descriptor still to be moved
  const std::vector<int>& fds = child->plan.fds;
  const int last = static_cast<int>(fds.size());
  child->failures =
      static_cast<int>(Call(SYS_fcntl, child->failures, F_DUPFD_CLOEXEC, kOutOfTheWay));
  std::array<long, kSpawnFdsMax> moved{};
  for (size_t i = 0; i < fds.size(); ++i) {
    if (fds[i] < 0) continue;
    moved[i] = Call(SYS_fcntl, fds[i], F_DUPFD_CLOEXEC, kOutOfTheWay);
    Must(*child, "descriptors", moved[i]);
  }
  for (int i = 0; i < last; ++i) {
    if (fds[static_cast<size_t>(i)] < 0) {
      Call(SYS_close, i);
    } else {
      Must(*child, "descriptors", Call(SYS_dup3, moved[static_cast<size_t>(i)], i, 0));
    }
  }
  // Closes all other descriptors, even those without O_CLOEXEC.
  Must(*child, "close_range (Linux 5.11)",
       Call(SYS_close_range, static_cast<unsigned>(last), ~0u, CLOSE_RANGE_CLOEXEC));
}

void SetLimits(const ChildPlan& child) {
  for (const SpawnPlan::Limit& limit : child.plan.limits) {
    const std::array<uint64_t, 2> soft_and_hard = {limit.value, limit.value};
    Must(child, "limits", Call(SYS_prlimit64, 0, limit.resource, soft_and_hard.data(), nullptr));
  }
}

void BecomeUser(const ChildPlan& child) {
  if (!child.plan.uid) return;
  const uid_t uid = *child.plan.uid;
  Must(child, "setgroups", Call(SYS_setgroups, 0, nullptr));
  Must(child, "setresgid", Call(SYS_setresgid, uid, uid, uid));
  Must(child, "setresuid", Call(SYS_setresuid, uid, uid, uid));
}

[[noreturn]] void RunChild(ChildPlan* child) {
  const SpawnPlan& plan = child->plan;
  ResetSignals();
  Must(*child, "setsid", Call(SYS_setsid));
  JoinGroups(*child);
  PreferForOomKill();
  if (!plan.dir.empty()) Must(*child, "its folder", Call(SYS_chdir, plan.dir.c_str()));
  PlaceFds(child);
  SetLimits(*child);
  BecomeUser(*child);
  Must(*child, "prctl", Call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
  if (Call(SYS_getppid) != child->parent) Call(SYS_exit_group, 127);
  execvpe(child->command[0], child->command.data(), child->environment.data());
  Fail(*child, child->command[0]);
}

// Blocks signals, because a vforked child must not run this process's signal handlers.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

pid_t Fork(ChildPlan* child) {
  const SignalsBlocked blocked;
  const pid_t pid = vfork();
  if (pid == 0) RunChild(child);
  return pid;
}

absl::StatusOr<Fd> OpenPidfd(pid_t pid) {
  Fd pidfd(static_cast<int>(Call(SYS_pidfd_open, pid, 0)));
  if (!pidfd.is_open()) return SystemError("pidfd_open");
  return pidfd;
}

void Reap(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

absl::StatusOr<Child> Spawn(const SpawnPlan& plan) {
  CHECK(!plan.command.empty() && plan.fds.size() <= kSpawnFdsMax);
  ASSIGN_OR_RETURN(Pipe failures, MakePipe());
  ChildPlan child = {.plan = plan,
                     .command = Pointers(plan.command),
                     .environment = Pointers(plan.environment),
                     .parent = getpid(),
                     .failures = failures.write_end.get()};
  const pid_t pid = Fork(&child);
  if (pid < 0) return SystemError("vfork");
  failures.write_end.Close();
  Failure failure;
  ssize_t count = 0;
  do {
    count = read(failures.read_end.get(), &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  if (count == sizeof failure) {
    Reap(pid);
    return SystemError(failure.step.data(), failure.error);
  }
  absl::StatusOr<Fd> pidfd = OpenPidfd(pid);
  if (!pidfd.ok()) {
    kill(pid, SIGKILL);
    Reap(pid);
    return pidfd.status();
  }
  return Child{.pid = pid, .pidfd = *std::move(pidfd)};
}

}  // namespace triarch
