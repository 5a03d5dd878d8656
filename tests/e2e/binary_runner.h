// Runs a program without a shell and returns its output and exit code.

#ifndef TRIARCH_TESTS_E2E_BINARY_RUNNER_H_
#define TRIARCH_TESTS_E2E_BINARY_RUNNER_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/base/temporary_folder.h"

namespace triarch {

struct Ran {
  int exit_code = -1;  // 128 + N if signal N ended it
  std::string out;
  std::string err;
};

// Runs the program at a path to its end. Removes NO_COLOR and TERM from its environment.
Ran RunProgram(const std::string& program, const std::vector<std::string>& arguments,
               std::string_view input = "");

std::string ReadWholeFile(const std::string& path);
void WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_TESTS_E2E_BINARY_RUNNER_H_
