// Logs the lines that process bots read and write.

#ifndef TRIARCH_CLI_TOURNAMENT_PROTOCOL_LOG_H_
#define TRIARCH_CLI_TOURNAMENT_PROTOCOL_LOG_H_

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"

namespace triarch {

// A log with a line per line of the protocol: "15:04:05.123456 mine 1.1 > go nodes 9". Readers see
// each line at once. Thread-safe.
class ProtocolLog {
 public:
  // Replaces the file at `path`. `print` also gets each line, if it is not null. Fails if the file
  // cannot be written.
  static absl::StatusOr<std::unique_ptr<ProtocolLog>> Open(
      const std::string& path, std::function<void(const std::string&)> print);
  ~ProtocolLog();
  ProtocolLog(const ProtocolLog&) = delete;
  ProtocolLog& operator=(const ProtocolLog&) = delete;

  void Add(std::string_view line) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  ProtocolLog(std::FILE* file, std::function<void(const std::string&)> print);

  const std::function<void(const std::string&)> print_;
  Mutex mutex_;
  std::FILE* const file_;  // null if there is no file
};

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_PROTOCOL_LOG_H_
