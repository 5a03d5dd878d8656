// Finds, measures and kills a process and its descendants through /proc.

#ifndef TRIARCH_WORKER_SANDBOX_BOT_PROCESS_TREE_H_
#define TRIARCH_WORKER_SANDBOX_BOT_PROCESS_TREE_H_

#include <sys/types.h>

#include <chrono>
#include <string>

// Used for bots without a control group or a sandbox.
namespace triarch {

// Returns the CPU time of a process, its living descendants, and its descendants that ended and
// were waited for (with a precision of 10 ms each). Misses processes that were never waited for or
// whose parent ended first. Returns zero if the process does not exist.
std::chrono::nanoseconds CpuTimeOfTree(pid_t root);

// Returns 0 if the process does not exist.
pid_t ParentOf(pid_t pid);

// Kills every process in the session or with `mark` (NAME=value) in its initial environment, until
// none is left. Only a process that deliberately changed both escapes. Requires: the session leader
// has not been waited for; otherwise the session id could be reused.
void KillSessionAndMarked(pid_t session, const std::string& mark);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_BOT_PROCESS_TREE_H_
