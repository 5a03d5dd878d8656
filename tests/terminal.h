// Runs triarch on a pseudo-terminal and emulates its screen.

#ifndef TRIARCH_TESTS_TERMINAL_H_
#define TRIARCH_TESTS_TERMINAL_H_

#include <sys/types.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// Supports the escape sequences that triarch uses; any other fails the test.
class Terminal {
 public:
  Terminal(const std::vector<std::string>& arguments, int columns, int rows);
  // Kills the program if it is still running.
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void Type(const std::string& keys);
  void Signal(int number);
  void Resize(int columns, int rows) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the visible lines, without trailing spaces and empty lines.
  std::string Screen() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether the program shows the alternate screen.
  bool is_alternate() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether typed keys are echoed and come line by line, as in a shell; after Wait, whether
  // they were at the end.
  bool is_cooked() const;

  // Waits for its exit. Returns 128 + N if signal N killed it.
  int Wait();

 private:
  void Read();
  void Take(const std::string& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Put(const std::string& character) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetMode(bool is_on, size_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Obey(char command, size_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NewLine() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  using Line = std::vector<std::string>;  // one character per element

  int descriptor_ = -1;
  pid_t process_ = 0;
  int exit_code_ = -1;
  bool was_cooked_ = false;  // at the end
  mutable Mutex mutex_;
  size_t columns_ ABSL_GUARDED_BY(mutex_);
  std::vector<Line> screen_ ABSL_GUARDED_BY(mutex_);  // one per row
  std::vector<Line> hidden_ ABSL_GUARDED_BY(mutex_);  // by the alternate screen
  bool is_alternate_ ABSL_GUARDED_BY(mutex_) = false;
  size_t row_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t column_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string rest_ ABSL_GUARDED_BY(mutex_);  // an incomplete sequence or character
  std::thread reader_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_TERMINAL_H_
