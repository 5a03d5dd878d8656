#include "worker/sandbox/sandbox_spawn.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "worker/sandbox/sandbox_child.h"

namespace triarch {
namespace {

// Everything the child needs, prepared before the vfork. The child shares this process's memory
// until it executes its program, so it allocates nothing and writes only to this struct.
struct ChildPlan {
  const SpawnPlan& plan;
  std::vector<char*> command;
  std::vector<char*> environment;
  pid_t parent;
  ChildSteps* steps = nullptr;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
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
    child.steps->Must("control group", Call(SYS_write, group, "0", 1));
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
  child->steps->MoveReportTo(kOutOfTheWay);
  std::array<long, kSpawnFdsMax> moved{};
  for (size_t i = 0; i < fds.size(); ++i) {
    if (fds[i] < 0) continue;
    moved[i] = Call(SYS_fcntl, fds[i], F_DUPFD_CLOEXEC, kOutOfTheWay);
    child->steps->Must("descriptors", moved[i]);
  }
  for (int i = 0; i < last; ++i) {
    if (fds[static_cast<size_t>(i)] < 0) {
      Call(SYS_close, i);
    } else {
      child->steps->Must("descriptors", Call(SYS_dup3, moved[static_cast<size_t>(i)], i, 0));
    }
  }
  // Closes all other descriptors, even those without O_CLOEXEC.
  child->steps->Must("close_range (Linux 5.11)",
                     Call(SYS_close_range, static_cast<unsigned>(last), ~0u, CLOSE_RANGE_CLOEXEC));
}

void SetLimits(const ChildPlan& child) {
  for (const SpawnPlan::Limit& limit : child.plan.limits) {
    const std::array<uint64_t, 2> soft_and_hard = {limit.value, limit.value};
    child.steps->Must("limits",
                      Call(SYS_prlimit64, 0, limit.resource, soft_and_hard.data(), nullptr));
  }
}

[[noreturn]] void RunChild(ChildPlan* child) {
  const SpawnPlan& plan = child->plan;
  ResetSignals();
  child->steps->Must("setsid", Call(SYS_setsid));
  JoinGroups(*child);
  PreferForOomKill();
  if (!plan.dir.empty()) child->steps->Must("its folder", Call(SYS_chdir, plan.dir.c_str()));
  PlaceFds(child);
  SetLimits(*child);
  if (plan.uid) BecomeUser(*child->steps, *plan.uid);
  if (plan.ends_with_parent) {
    child->steps->Must("prctl", Call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
    if (Call(SYS_getppid) != child->parent) ExitChild(127);
  }
  execvpe(child->command[0], child->command.data(), child->environment.data());
  child->steps->Fail(child->command[0]);
}

absl::StatusOr<Fd> OpenPidfd(pid_t pid) {
  Fd pidfd(static_cast<int>(Call(SYS_pidfd_open, pid, 0)));
  if (!pidfd.is_open()) return SystemError("pidfd_open");
  return pidfd;
}

}  // namespace

absl::StatusOr<Child> Spawn(const SpawnPlan& plan) {
  CHECK(!plan.command.empty() && plan.fds.size() <= kSpawnFdsMax);
  ChildPlan child = {.plan = plan,
                     .command = Pointers(plan.command),
                     .environment = Pointers(plan.environment),
                     .parent = getpid()};
  ASSIGN_OR_RETURN(const pid_t pid, Vfork([&child](ChildSteps* steps) {
                     child.steps = steps;
                     RunChild(&child);
                   }));
  absl::StatusOr<Fd> pidfd = OpenPidfd(pid);
  if (!pidfd.ok()) {
    kill(pid, SIGKILL);
    ReapChild(pid);
    return pidfd.status();
  }
  return Child{.pid = pid, .pidfd = *std::move(pidfd)};
}

}  // namespace triarch
