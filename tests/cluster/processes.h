#ifndef TRIARCH_TESTS_CLUSTER_PROCESSES_H_
#define TRIARCH_TESTS_CLUSTER_PROCESSES_H_

#include <string>
#include <vector>

// What /proc says of processes, for what measures clusters.
namespace triarch {

struct Process {
  int pid = 0;
  int parent = 0;
  std::string name;
  double cpu_seconds = 0;  // with its ended children
};

// All that run now.
std::vector<Process> Processes();

// Its command line, with a space after each word; "" if it is gone.
std::string ArgumentsOf(int pid);

// A line of its /proc/PID/status in MB: "VmRSS", or "VmHWM", the most that it ever was; 0 if it is
// gone.
double MemoryOf(int pid, const std::string& line);

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_PROCESSES_H_
