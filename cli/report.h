// Reports errors, exit codes and log lines of the commands.

#ifndef TRIARCH_CLI_REPORT_H_
#define TRIARCH_CLI_REPORT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace triarch {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // the job failed, or what was checked is wrong
inline constexpr int kExitUsage = 2;   // the command line is wrong: an option or a value

// Flushes standard output, prints "error: WHAT" as a single line on standard error, and returns the
// exit code.
int Fail(std::string_view what);
int Fail(const absl::Status& status);
int UsageError(std::string_view what);
int UsageError(const absl::Status& status);

// Writes a line to the log of a long-running command, standard error.
void Log(const std::string& line);

// Returns InvalidArgument with the option's name before the error's message.
absl::Status ForOption(std::string_view option, const absl::Status& error);

// Returns kExitDone, or reports the error.
int Finish(const absl::Status& status);

}  // namespace triarch

#endif  // TRIARCH_CLI_REPORT_H_
