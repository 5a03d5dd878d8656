// Shows a bot its folder, in a sandbox that is already set up.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_FOLDER_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_FOLDER_H_

#include <sys/types.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "worker/sandbox/sandbox_fd.h"

namespace triarch {

// A bot's folder outside its sandbox.
struct SourceFolder {
  std::string path;
  Fd fd;  // opened with O_PATH
};

// Mounts the folder, with all that is mounted in it, read-only at the path `dir` of a sandbox.
// `init` is the sandbox's first process, a pidfd, and `user` is the user that it was given.
// Requires: no bot runs in the sandbox yet, because its root is writable in between. Needs Linux
// 5.12. The error names the step that failed.
absl::Status ShowFolder(const SourceFolder& source, const Fd& init, std::optional<uid_t> user,
                        const std::string& dir);

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_FOLDER_H_
