// Defines what a sandboxed bot sees: files, devices, environment and descriptors.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_VIEW_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// Descriptors in a sandbox: bubblewrap's own, and the bot's pipes before they are moved to 0 and 1.
enum SandboxFd : int {
  kScriptFd = 0,  // script of the shell in the sandbox, which starts the bot
  kReadyFd = 1,   // the same pipe as kStatusFd
  kErrorsFd = 2,  // the bot's standard error, and bubblewrap's error messages
  kInputFd = 3,
  kOutputFd = 4,
  kOptionsFd = 5,
  kFilterFd = 6,
  kStatusFd = 7,
  kProcessorsFd = 8,  // contents of the sandbox's /proc/stat
  kSandboxFds = 9,
};

// Returns the path of this program; a bot gets one in TRIARCH_PROGRAM, for `triarch rules`.
std::string ThisProgram();

// Returns bubblewrap's options for a sandbox without a bot's folder, each followed by a NUL.
// `tmp_bytes` is the size of /tmp.
std::string SandboxOptions(int64_t tmp_bytes);

// Returns the sandbox's /proc/stat. From it runtimes learn how many processors there are; the times
// are zero, because they would show how busy the machine is.
std::string SandboxProcessors();

// Returns the bot's complete environment.
std::vector<std::string> SandboxEnvironment();

// The first line of the script for the shell that is the sandbox's first process. The shell is
// started, and writes kReady to kReadyFd, after bubblewrap has set up everything else.
inline constexpr std::string_view kReady = "ready\n";
std::string ReportReady();

// Returns the rest of the script. It starts the bot in its folder (/tmp if empty), waits for it and
// exits with the bot's status. The shell is needed
// - because bubblewrap keeps its own standard input and output open while the bot runs, which would
//   hide that a bot closed its output;
// - to limit the number of processes inside the sandbox's user namespace, where other processes of
//   the worker's user do not count;
// - to replace the first process that bubblewrap would add without a seccomp filter: a bot could
//   write to its memory (/proc/1/mem). A shell makes its background jobs ignore SIGINT and SIGQUIT.
std::string StartBot(const std::vector<std::string>& command, const std::string& dir,
                     int64_t processes);

// Returns the number after the name in bubblewrap's status output (kStatusFd), or -1 if missing.
int64_t NumberInStatus(std::string_view status, std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_VIEW_H_
