// Writes the log of a long-running command to standard error, as text or JSON.

#ifndef TRIARCH_CLI_CLUSTER_LOG_WRITER_H_
#define TRIARCH_CLI_CLUSTER_LOG_WRITER_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "cli/cluster/log_line.h"
#include "cli/command.h"
#include "core/base/log.h"
#include "core/base/mutex.h"

namespace triarch {

// Thread-safe.
class LogWriter {
 public:
  explicit LogWriter(LogFormat format) : format_(format) {}

  // If entries were left out before this one, adds the field `left_out`.
  void Write(const LogEntry& entry) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a function that writes here.
  LogTo to() {
    return [this](const LogEntry& entry) { Write(entry); };
  }
  // Writes how the command ended, and returns its exit code.
  int Finish(const absl::Status& status);

 private:
  const LogFormat format_;
  Mutex mutex_;
  LogLimiter limiter_ ABSL_GUARDED_BY(mutex_);
};

// Adds --log-format.
void AddLogFormatOption(const Command& command, std::string* format);
// Reads its value.
LogFormat LogFormatOf(const std::string& format);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_LOG_WRITER_H_
