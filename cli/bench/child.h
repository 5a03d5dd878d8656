// Runs another program, and measures its CPU time.

#ifndef TRIARCH_CLI_BENCH_CHILD_H_
#define TRIARCH_CLI_BENCH_CHILD_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace triarch {

struct ChildResult {
  std::string out;
  std::string err;
  int exit_code = 0;
  double cpu_seconds = 0;  // of all its threads
};

// Runs a program to its end, with `input` as its standard input. Fails if it cannot be started or
// is killed by a signal.
absl::StatusOr<ChildResult> RunChild(const std::vector<std::string>& command,
                                     std::string_view input = "");

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_CHILD_H_
