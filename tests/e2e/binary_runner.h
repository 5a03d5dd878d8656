#ifndef TRIARCH_TESTS_E2E_BINARY_RUNNER_H_
#define TRIARCH_TESTS_E2E_BINARY_RUNNER_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/base/temporary_folder.h"

// Runs a program to its end, without a shell between, and says what came of it.
namespace triarch {

struct Ran {
  int exit_code = -1;  // 128 + N if signal N ended it
  std::string out;
  std::string err;
};

// `program` is a path; NO_COLOR and TERM are taken out of its environment.
Ran RunProgram(const std::string& program, const std::vector<std::string>& arguments,
               std::string_view input = "");

std::string ReadWholeFile(const std::string& path);
void WriteWholeFile(const std::string& path, std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_TESTS_E2E_BINARY_RUNNER_H_
