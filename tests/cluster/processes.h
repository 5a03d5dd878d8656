// Reads CPU time and memory of processes from /proc, for load tests.

#ifndef TRIARCH_TESTS_CLUSTER_PROCESSES_H_
#define TRIARCH_TESTS_CLUSTER_PROCESSES_H_

#include <string>
#include <vector>

namespace triarch {

struct Process {
  int pid = 0;
  int parent = 0;
  std::string name;
  double cpu_seconds = 0;  // including children that ended
};

// Returns all running processes.
std::vector<Process> Processes();

// Returns the command line with a space after each word, or "" if the process has ended.
std::string ArgumentsOf(int pid);

// Returns a line of /proc/PID/status in MB: "VmRSS", or "VmHWM" for the peak. Returns 0 if the
// process has ended.
double MemoryOf(int pid, const std::string& line);

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_PROCESSES_H_
