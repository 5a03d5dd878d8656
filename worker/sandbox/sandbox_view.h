#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_VIEW_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

// The descriptors of a sandbox: bubblewrap's own, and the bot's pipes on their way to the bot.
enum SandboxFd : int {
  kScriptFd = 0,  // what the shell in the sandbox does: start the bot
  kLogFd = 1,     // nothing is written to it
  kErrorsFd = 2,  // the bot's standard error, and what bubblewrap says when it fails
  kInputFd = 3,
  kOutputFd = 4,
  kOptionsFd = 5,
  kFilterFd = 6,
  kStatusFd = 7,
  kSandboxFds = 8,
};

struct SandboxView {
  std::string dir;     // the bot's, absolute; may be empty
  std::string source;  // where it lies outside
  int64_t tmp_bytes = 0;
};

// Options of bubblewrap, each with a NUL: what a bot sees of the machine.
std::string SandboxOptions(const SandboxView& view);

// All that is in a bot's environment.
std::vector<std::string> SandboxEnvironment();

// A line for the shell that is the sandbox's first process: it starts the bot, waits for it and
// ends as it did. The shell is there
// - because bubblewrap keeps its own standard input and output open while the bot lives, so that a
//   bot that closes its output would not be noticed;
// - because the number of processes must be limited within the sandbox's user namespace, where no
//   others of the worker's user are counted;
// - instead of the first process that bubblewrap would add, which has no seccomp filter: a bot
// could
//   write to its memory (/proc/1/mem).
// A shell has its background jobs ignore SIGINT and SIGQUIT.
std::string StartBot(const std::vector<std::string>& command, int64_t processes);

// The number in what bubblewrap writes to kStatusFd, after the name; -1 if it is not there.
int64_t NumberInStatus(std::string_view status, std::string_view name);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_VIEW_H_
