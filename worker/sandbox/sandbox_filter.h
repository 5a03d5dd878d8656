#ifndef TRIARCH_WORKER_SANDBOX_SANDBOX_FILTER_H_
#define TRIARCH_WORKER_SANDBOX_SANDBOX_FILTER_H_

#include <string>

#include "absl/status/statusor.h"

namespace triarch {

// The system calls that a sandboxed bot may not make, as a seccomp filter: the BPF program that
// bubblewrap loads.
absl::StatusOr<std::string> MakeSandboxFilter();

}  // namespace triarch

#endif  // TRIARCH_WORKER_SANDBOX_SANDBOX_FILTER_H_
