// Starts child processes with vfork and a clean environment.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_SPAWN_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_SPAWN_H_

#include <sys/resource.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {

inline constexpr size_t kSpawnFdsMax = 16;

// How to start a process. The process gets no controlling terminal, no blocked or ignored signals,
// and only the descriptors listed here.
struct SpawnPlan {
  struct Limit {
    int resource;  // RLIMIT_…
    rlim_t value;  // both soft and hard
  };

  std::vector<std::string> command;      // the program is looked up in this process's PATH
  std::vector<std::string> environment;  // NAME=value
  std::string dir;                       // working folder; this process's if empty
  std::vector<int> fds;                  // become descriptors 0, 1, 2, …; -1 means closed
  std::vector<int> groups;               // open files of Cgroup::joins()
  std::vector<Limit> limits;
  std::optional<uid_t> uid;      // user and group to run as; default: this process's
  bool ends_with_parent = true;  // if this process ends
};

struct Child {
  pid_t pid;
  Fd pidfd;
};

// Starts a child. Uses vfork, so the cost does not depend on this process's memory. The child is
// killed when the calling thread ends (see ends_with_parent), so call it from a long-lived thread.
// The error names the step that failed, e.g. that the program does not exist.
absl::StatusOr<Child> Spawn(const SpawnPlan& plan);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_SPAWN_H_
