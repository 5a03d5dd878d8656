// Measures how near the memory of a process is to its limit.

#ifndef TRIARCH_HTTP_MEMORY_USE_H_
#define TRIARCH_HTTP_MEMORY_USE_H_

#include <optional>
#include <string>

namespace triarch {

// In bytes.
struct MemoryUse {
  double used = 0;   // without the cache of files, which the kernel can drop
  double limit = 0;  // where the kernel begins to kill processes
};

// Returns the use of the whole machine, or of the one of this process's control groups (version 2)
// that is nearest to its limit, if that is nearer. A control group includes the processes of bots.
// Returns nullopt if it cannot be read.
std::optional<MemoryUse> ReadMemoryUse(const std::string& proc = "/proc",
                                       const std::string& cgroups = "/sys/fs/cgroup");

}  // namespace triarch

#endif  // TRIARCH_HTTP_MEMORY_USE_H_
