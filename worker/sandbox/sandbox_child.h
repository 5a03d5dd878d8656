// Runs code in a vforked child, which shares this process's memory.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_CHILD_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_CHILD_H_

#include <sys/types.h>
#include <unistd.h>

#include <functional>

#include "absl/status/statusor.h"

namespace triarch {

// A raw system call. The C library's wrappers would affect this process too: its setresuid applies
// to all threads, and sanitizers track descriptors and signal handlers.
template <typename... Arguments>
long Call(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

// The steps of a vforked child: system calls that must succeed. The child ends at the first one
// that fails, and reports it.
class ChildSteps {
 public:
  explicit ChildSteps(int failures) : failures_(failures) {}

  void Must(const char* step, long result) const {
    if (result < 0) Fail(step);
  }
  // Reports errno.
  [[noreturn]] void Fail(const char* step) const;
  // Frees lower numbers of descriptors.
  void MoveReportTo(int lowest_fd);

 private:
  int failures_;  // closed by exec
};

// Ends the calling child.
[[noreturn]] void ExitChild(int code);

void BecomeUser(const ChildSteps& steps, uid_t uid);

// Vforks and returns the child once `body` has replaced itself by a program or has returned, which
// ends the child. The error names the step that failed; the child is then reaped. Signals are
// blocked in the child, because it must not run this process's handlers. `body` must not allocate
// memory, and may change only memory that is its own.
absl::StatusOr<pid_t> Vfork(const std::function<void(ChildSteps*)>& body);

// Waits until the child has ended.
void ReapChild(pid_t pid);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_CHILD_H_
