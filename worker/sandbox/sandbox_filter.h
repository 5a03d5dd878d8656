// Makes the seccomp filter of sandboxed bots.

#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_FILTER_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_FILTER_H_

#include <string>

#include "absl/status/statusor.h"

namespace triarch {

// Returns the BPF program, to be loaded by bubblewrap, that denies the system calls a bot may not
// make.
absl::StatusOr<std::string> MakeSandboxFilter();

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_FILTER_H_
