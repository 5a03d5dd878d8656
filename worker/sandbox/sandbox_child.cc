#include "worker/sandbox/sandbox_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "core/base/status_macros.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {
namespace {

struct Failure {
  int error;
  std::array<char, 28> step;
};

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

pid_t VforkTo(const std::function<void(ChildSteps*)>& body, ChildSteps* steps) {
  const SignalsBlocked blocked;
  const pid_t pid = vfork();
  if (pid == 0) {
    body(steps);
    ExitChild(0);
  }
  return pid;
}

}  // namespace

void ChildSteps::Fail(const char* step) const {
  Failure failure{.error = errno, .step = {}};
  for (size_t i = 0; i + 1 < failure.step.size() && step[i] != '\0'; ++i) failure.step[i] = step[i];
  Call(SYS_write, failures_, &failure, sizeof failure);
  ExitChild(127);
}

void ChildSteps::MoveReportTo(int lowest_fd) {
  failures_ = static_cast<int>(Call(SYS_fcntl, failures_, F_DUPFD_CLOEXEC, lowest_fd));
}

void ExitChild(int code) {
  Call(SYS_exit_group, code);
  __builtin_unreachable();
}

void BecomeUser(const ChildSteps& steps, uid_t uid) {
  steps.Must("setgroups", Call(SYS_setgroups, 0, nullptr));
  steps.Must("setresgid", Call(SYS_setresgid, uid, uid, uid));
  steps.Must("setresuid", Call(SYS_setresuid, uid, uid, uid));
}

absl::StatusOr<pid_t> Vfork(const std::function<void(ChildSteps*)>& body) {
  ASSIGN_OR_RETURN(Pipe failures, MakePipe());
  ChildSteps steps(failures.write_end.get());
  const pid_t pid = VforkTo(body, &steps);
  if (pid < 0) return SystemError("vfork");
  failures.write_end.Close();
  Failure failure;
  ssize_t count = 0;
  do {
    count = read(failures.read_end.get(), &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  if (count != sizeof failure) return pid;
  ReapChild(pid);
  return SystemError(failure.step.data(), failure.error);
}

void ReapChild(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace triarch
