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

// How a process is started. It has no controlling terminal, no signal blocked or ignored, and no
// descriptor but those named here.
struct SpawnPlan {
  struct Limit {
    int resource;  // RLIMIT_…
    rlim_t value;  // soft and hard
  };

  std::vector<std::string> command;      // the program is looked for in this process's PATH
  std::vector<std::string> environment;  // NAME=value
  std::string dir;                       // where it runs; empty: where this process does
  std::vector<int> fds;                  // become its 0, 1, 2, …; -1: not open
  std::vector<int> groups;               // open: who writes "0" there is in that control group
  std::vector<Limit> limits;
  std::optional<uid_t> uid;  // whom it runs as, and the group of that number; else as this process
};

struct Child {
  pid_t pid;
  Fd pidfd;
};

// Starts it, with vfork: how much memory this process has does not matter. The child is killed when
// the thread that called this ends, so let it be one that does not. An error says which step
// failed: that the program is not there, for instance.
absl::StatusOr<Child> Spawn(const SpawnPlan& plan);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_SPAWN_H_
