// A program that runs alongside a test, which can send it signals.

#ifndef TRIARCH_TESTS_FAULT_STARTED_PROGRAM_H_
#define TRIARCH_TESTS_FAULT_STARTED_PROGRAM_H_

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/e2e/binary_runner.h"

namespace triarch {

class StartedProgram {
 public:
  StartedProgram(const std::string& program, const std::vector<std::string>& arguments);
  // Kills the program if it is still running.
  ~StartedProgram();
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  pid_t pid() const { return process_; }
  void Signal(int signal_number);
  // Returns whether it exits by itself within `time`.
  bool EndsWithin(std::chrono::milliseconds time);
  // Waits until it has written `text` to stderr. Returns false if it exits first.
  bool WaitForError(std::string_view text);
  // Waits for its exit.
  Ran Wait();

 private:
  TemporaryFolder folder_;
  pid_t process_ = 0;
  bool has_ended_ = false;
  int exit_code_ = -1;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_FAULT_STARTED_PROGRAM_H_
