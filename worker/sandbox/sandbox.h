// Runs a process bot, with or without a bubblewrap sandbox.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_H_

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_spec.h"
#include "worker/sandbox/sandbox_stock.h"

namespace triarch {

// Checks whether this machine can sandbox bots. Fails with FailedPrecondition, naming what is
// missing. Takes a few milliseconds until it has succeeded once.
absl::Status CheckSandbox();

// A running process bot. The bot and everything it started end without a trace when this object is
// destroyed or this process ends for any reason. Not thread-safe.
//
// If spec.is_sandboxed, it runs in bubblewrap, in its own user, PID, IPC, network and UTS
// namespaces. It sees /usr and its folder, both read-only, and a private /tmp, but no other process
// and no network. If this process is root, the bot runs as a separate user. A seccomp filter blocks
// the kernel's riskier calls. A control group, where possible, limits all its processes together.
// Otherwise setrlimit applies: the memory limit is then per process, and shared memory is not
// limited. There is no fallback to weaker isolation.
//
// Without a sandbox it runs as this process's user, in its own session and without limits.
class BotProcess {
 public:
  // Starts the bot. In a sandbox, a missing program shows only when the process ends. Fails like
  // CheckSandbox, or with NotFound if the bot's folder or, without a sandbox, its program is
  // missing.
  static absl::StatusOr<std::unique_ptr<BotProcess>> Start(const BotSpec& spec,
                                                           const ProcessLimits& limits = {});
  BotProcess(const BotProcess&) = delete;
  ~BotProcess();

  // Non-blocking descriptors that no other process inherits. Block SIGPIPE, which a write raises
  // after the bot has closed its input.
  int input() const;   // the bot's standard input, for writing
  int output() const;  // the bot's standard output
  int errors() const;  // the bot's standard error
  int pidfd() const;   // readable when its first process has ended; the rest is then killed

  // Returns the CPU time of all processes that it ever started, including startup. With a control
  // group, this is exact up to the last clock tick (at most 4 ms) of running processes. Otherwise
  // it is computed like CpuTimeOfTree, from which a bot can hide the time of ended processes. Never
  // decreases.
  absl::StatusOr<std::chrono::nanoseconds> CpuTime() const;

  // Kills all its processes. pidfd becomes readable soon after.
  void Kill();

  // Returns "it used 900 of at most 1024 MiB of memory" or, if some process was killed for lack of
  // it, "it ran out of memory (at most 1024 MiB)". Empty if it uses less than a quarter of its
  // limit, or if no control group limits it.
  std::string DescribeMemory() const;

  // Returns "exit code 3", "signal 9 (killed)" or "signal 9 (killed), out of memory (at most 1024
  // MiB)". Returns kStillRunning before pidfd is readable. In a sandbox, an exit code above 128
  // counts as a signal.
  std::string DescribeExit() const;
  static constexpr std::string_view kStillRunning = "still running";

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
