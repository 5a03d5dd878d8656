#include "cli/cluster/log_writer.h"

#include <chrono>
#include <optional>

#include "absl/time/clock.h"
#include "cli/report.h"

namespace triarch {

void LogWriter::Write(const LogEntry& entry) {
  MutexLock lock(&mutex_);
  const std::optional<int64_t> left_out = limiter_.Admit(entry, std::chrono::steady_clock::now());
  if (!left_out) return;
  LogEntry shown = entry;
  if (*left_out > 0) shown.fields.push_back({"left_out", *left_out});
  Log(LogLine(shown, format_, absl::Now()));
}

int LogWriter::Finish(const absl::Status& status) {
  if (status.ok()) {
    Write({.event = "stop", .message = "Stopped."});
    return kExitDone;
  }
  Write({.level = LogLevel::kError,
         .event = "stop",
         .message = "Stopped by an error.",
         .fields = {{"why", std::string(status.message())}}});
  return kExitFailed;
}

void AddLogFormatOption(const Command& command, std::string* format) {
  command.AddChoice({"--log-format", "FORMAT", "Log as text, or as json with an object per line"},
                    {"text", "json"}, format);
}

LogFormat LogFormatOf(const std::string& format) {
  return format == "json" ? LogFormat::kJson : LogFormat::kText;
}

}  // namespace triarch
