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

// Where this process may make control groups of its own: the folders of its own groups, where they
// are writable. Version 1 has a hierarchy for each controller, version 2 one for all.
struct CgroupRoots {
  std::map<std::string, std::string> v1;  // "memory", "pids", "cpuacct"
  std::string v2;                         // empty: none
  std::string v2_top;                     // the first group that this process can see

  // Finds them, removes what workers that were killed have left in them, and in a group of version
  // 2 that is this process's alone (systemd: Delegate=yes) makes room: the process moves one level
  // down, since only groups without processes give controllers to the groups below. Where that is
  // not possible (root's shell shares its group) the top is taken, if it gives controllers.
  static CgroupRoots Find();
  // From the texts of /proc/self/cgroup and /proc/self/mountinfo, writable or not.
  static CgroupRoots Parse(const std::string& cgroups, const std::string& mounts);
};

struct CgroupLimits {
  int64_t memory_bytes;  // of all processes together, with their files in memory; no swap
  int64_t processes;     // threads count too
};

// A control group (in each hierarchy) for one bot. Removed when destroyed; its processes must have
// ended by then.
class Cgroup {
 public:
  // Null if there is none that would at least measure processor time.
  static std::unique_ptr<Cgroup> Make(const CgroupRoots& roots, const CgroupLimits& limits);
  Cgroup(const Cgroup&) = delete;
  ~Cgroup();

  // A process of one thread that writes "0" to each of them is in the group.
  std::vector<int> joins() const;
  // Whether that takes milliseconds, in which no other process can be made.
  bool joins_slowly() const { return joins_slowly_; }
  bool limits_memory() const { return limits_memory_; }

  // Processor time of all that was ever in it: exact, up to the last tick (4 ms at most) of what
  // runs now.
  std::optional<std::chrono::nanoseconds> CpuTime() const;
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
  std::string memory_events_;  // a file that counts deaths for lack of memory
  Fd cpu_;
  bool is_cpu_v2_ = false;
};

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_CGROUP_H_
