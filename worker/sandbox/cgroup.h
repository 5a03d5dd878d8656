// Creates control groups that limit and measure a bot.

#ifndef TRIARCH_WORKER_SANDBOX_CGROUP_H_
#define TRIARCH_WORKER_SANDBOX_CGROUP_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/sandbox/sandbox_fd.h"

namespace triarch {

// The folders below which this process may create control groups: its own groups, where they are
// writable. Version 1 has a hierarchy per controller, version 2 a single one.
struct CgroupRoots {
  std::map<std::string, std::string> v1;  // "memory", "pids", "cpuacct"
  std::string v2;                         // empty if not available
  std::string v2_top;                     // the topmost group that this process can see

  // Finds the folders, and removes groups left behind by killed workers. If this process is alone
  // in a version 2 group (systemd: Delegate=yes), moves it one level down, because only groups
  // without processes can delegate controllers to their children. If that is not possible (as in
  // root's shell, which shares its group), uses the top group if it delegates controllers.
  static CgroupRoots Find();
  // Parses the contents of /proc/self/cgroup and /proc/self/mountinfo, without checking access.
  static CgroupRoots Parse(const std::string& cgroups, const std::string& mounts);
};

struct CgroupLimits {
  int64_t memory_bytes;  // all processes together, including files in memory; no swap
  int64_t processes;     // including threads
};

// A control group (one per hierarchy) for one bot. The destructor removes it. Requires: its
// processes have ended by then.
class Cgroup {
 public:
  // Returns null if no group can be created that at least measures CPU time.
  static std::unique_ptr<Cgroup> Make(const CgroupRoots& roots, const CgroupLimits& limits);
  Cgroup(const Cgroup&) = delete;
  ~Cgroup();

  // Files that add a process to the group: a single-threaded process joins by writing "0" to each.
  std::vector<int> joins() const;
  // Returns whether joining takes milliseconds, during which no process can be created.
  bool joins_slowly() const { return joins_slowly_; }
  bool limits_memory() const { return limits_memory_; }

  // Returns the CPU time of all processes that were ever in the group. Exact up to the last clock
  // tick (at most 4 ms) of running processes.
  std::optional<std::chrono::nanoseconds> CpuTime() const;
  // Returns how many bytes its processes use now, including files in memory, if they are limited.
  std::optional<int64_t> MemoryUsed() const;
  bool RanOutOfMemory() const;

 private:
  Cgroup() = default;
  bool Add(const std::string& dir, const char* join_file);
  void LimitV1(const CgroupRoots& roots, const CgroupLimits& limits);
  void LimitV2(const CgroupRoots& roots, const CgroupLimits& limits);

  std::string name_;
  std::vector<std::string> dirs_;
  std::vector<Fd> joins_;
  bool joins_slowly_ = false;
  bool limits_memory_ = false;
  std::string memory_used_;    // file with the bytes in use
  std::string memory_events_;  // file that counts out-of-memory kills
  Fd cpu_;
  bool is_cpu_v2_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_CGROUP_H_
