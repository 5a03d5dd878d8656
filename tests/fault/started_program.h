#ifndef TRIARCH_TESTS_FAULT_STARTED_PROGRAM_H_
#define TRIARCH_TESTS_FAULT_STARTED_PROGRAM_H_

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/binary_runner.h"

namespace triarch {

// A program that runs beside the test, which may send it signals.
class StartedProgram {
 public:
  StartedProgram(const std::string& program, const std::vector<std::string>& arguments);
  // Kills it if it still runs.
  ~StartedProgram();
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  void Signal(int signal_number);
  // Whether it ended by itself within that time.
  bool EndsWithin(std::chrono::milliseconds time);
  // Waits until it has written that to stderr; false if it ended before.
  bool WaitForError(std::string_view text);
  // Waits for its end.
  Ran Wait();

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;
  bool has_ended_ = false;
  int exit_code_ = -1;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_FAULT_STARTED_PROGRAM_H_
