#ifndef TRIARCH_WORKER_SANDBOX_BOT_PROCESS_TREE_H_
#define TRIARCH_WORKER_SANDBOX_BOT_PROCESS_TREE_H_

#include <sys/types.h>

#include <chrono>
#include <string>

// A process and all that it started, by /proc: for bots without a control group or a sandbox.
namespace triarch {

// Processor time of a process, its descendants that live, and those that ended and were waited for
// (these to 10 ms each). What a process leaves to others by ending before its children, or never
// waits for, is not in it. Zero if there is no such process.
std::chrono::nanoseconds CpuTimeOfTree(pid_t root);

// 0 if there is no such process.
pid_t ParentOf(pid_t pid);

// Kills every process of the session, and every one that has `mark` (NAME=value) in the environment
// it was started with, until there is none; only a process that has changed both on purpose is not
// found. The leader must not have been waited for, or its session could be somebody else's.
void KillSessionAndMarked(pid_t session, const std::string& mark);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_BOT_PROCESS_TREE_H_
