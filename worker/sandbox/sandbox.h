#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "worker/sandbox/sandbox_stock.h"

namespace triarch {

// Whether bots can be sandboxed on this machine. FailedPrecondition says what is missing. Takes
// some milliseconds until it has succeeded once.
absl::Status CheckSandbox();

// A process bot. It and all that it started end, and leave nothing, when this is destroyed or this
// process ends, however it does. Not for several threads at a time.
//
// Sandboxed (spec.is_sandboxed) it runs in bubblewrap, in namespaces of its own (user, PID, IPC,
// network, UTS): it sees /usr, its folder, both read-only, and its own /tmp; there
// is no other process and no network. If this process is root it runs as a user of its own. A
// seccomp filter takes the kernel's riskier calls away. Its limits are those of a control group
// where one can be made, for all its processes together; else those of setrlimit: memory is then
// that of each process, and memory that processes share is not limited. Never falls back to less
// than that.
//
// Without a sandbox it is a process of this one's user, in a session of its own and without limits.
class BotProcess {
 public:
  // Starts it; whether its program is there shows only when it ends. NotFound: its folder is not
  // there; FailedPrecondition as CheckSandbox. Without a sandbox also if there is no such program.
  static absl::StatusOr<std::unique_ptr<BotProcess>> Start(const BotSpec& spec,
                                                           const ProcessLimits& limits = {});
  BotProcess(const BotProcess&) = delete;
  ~BotProcess();

  // Descriptors that do not block and that no other process gets. A write to a bot that reads no
  // more raises SIGPIPE: block it.
  int input() const;   // what it reads
  int output() const;  // what it writes
  int errors() const;  // its standard error
  int pidfd() const;   // can be read when its first process has ended; what it left is then killed

  // Processor time of all that it ever started, with its start. In a control group: exact, but for
  // what runs now since the last tick (4 ms at most). Else as CpuTimeOfTree counts: a bot can hide
  // the time of processes that have ended. Never falls.
  absl::StatusOr<std::chrono::nanoseconds> CpuTime() const;

  // Ends all of it, at once; pidfd can be read soon after.
  void Kill();

  // "exit code 3", "signal 9 (killed)", "signal 9 (killed), out of memory"; "it has not ended"
  // before pidfd can be read. In a sandbox an exit code above 128 is taken for a signal.
  std::string HowItEnded() const;

 private:
  struct Parts;
  explicit BotProcess(std::unique_ptr<Parts> parts);
  static absl::StatusOr<std::unique_ptr<BotProcess>> StartSandboxed(const BotSpec& spec,
                                                                    const ProcessLimits& limits);
  static absl::Status TrySandbox();
  friend absl::Status CheckSandbox();

  std::unique_ptr<Parts> parts_;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_H_
