#ifndef TRIARCH_TESTS_CLUSTER_TERMINAL_H_
#define TRIARCH_TESTS_CLUSTER_TERMINAL_H_

#include <sys/types.h>

#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace triarch {

// `triarch ARGUMENTS…` on a terminal (a pseudo-terminal of the system), and what is to be seen
// there: the escape sequences that we use are obeyed, any other fails the test.
class Terminal {
 public:
  Terminal(const std::vector<std::string>& arguments, int columns, int rows);
  // Kills the program if it still runs.
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void Type(const std::string& keys);
  void Resize(int columns, int rows) ABSL_LOCKS_EXCLUDED(mutex_);

  // The lines that are to be seen, without spaces and empty lines at their ends.
  std::string Screen() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Waits for its end; 128 + N if signal N ended it.
  int Wait();

 private:
  void Read();
  void Take(const std::string& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Put(const std::string& character) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Obey(char command, size_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NewLine() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  using Line = std::vector<std::string>;  // a character each

  int descriptor_ = -1;
  pid_t process_ = 0;
  int exit_code_ = -1;
  mutable Mutex mutex_;
  size_t columns_ ABSL_GUARDED_BY(mutex_);
  std::vector<Line> screen_ ABSL_GUARDED_BY(mutex_);  // as many as there are rows
  size_t row_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t column_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string rest_ ABSL_GUARDED_BY(mutex_);  // the beginning of a sequence or character
  std::thread reader_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_TERMINAL_H_
