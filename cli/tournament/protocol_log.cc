#include "cli/tournament/protocol_log.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/text.h"

namespace triarch {

absl::StatusOr<std::unique_ptr<ProtocolLog>> ProtocolLog::Open(
    const std::string& path, std::function<void(const std::string&)> print) {
  std::FILE* file = nullptr;
  if (!path.empty()) {
    file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
      return absl::InvalidArgumentError("--log: cannot write " + Quote(path, 200) + ": " +
                                        std::strerror(errno));
    }
    std::setvbuf(file, nullptr, _IOLBF, BUFSIZ);
  }
  return std::unique_ptr<ProtocolLog>(new ProtocolLog(file, std::move(print)));
}

ProtocolLog::ProtocolLog(std::FILE* file, std::function<void(const std::string&)> print)
    : print_(std::move(print)), file_(file) {}

ProtocolLog::~ProtocolLog() {
  if (file_ != nullptr) std::fclose(file_);
}

void ProtocolLog::Add(std::string_view line) {
  const std::string text =
      absl::FormatTime("%H:%M:%E6S ", absl::Now(), absl::LocalTimeZone()) + std::string(line);
  if (print_) print_(text);
  if (file_ == nullptr) return;
  MutexLock lock(&mutex_);
  std::fprintf(file_, "%s\n", text.c_str());
}

}  // namespace triarch
