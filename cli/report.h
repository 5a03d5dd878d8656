// Reports the commands' errors, exit codes and log lines.

#ifndef TRIARCH_CLI_REPORT_H_
#define TRIARCH_CLI_REPORT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace triarch {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // the job failed, or the checked input is wrong
inline constexpr int kExitUsage = 2;   // the command line is wrong: an option or a value
// Of a sequential test; kExitDone only if the new bot is better.
inline constexpr int kExitNotShown = 3;
inline constexpr int kExitUndecided = 4;

// Returns the exit code for a test's verdict: "better", "not_shown", …
int ExitCodeOfVerdict(std::string_view verdict);

// Flushes standard output, prints "error: WHAT" as a single line on standard error, and returns the
// exit code.
int Fail(std::string_view what);
int Fail(const absl::Status& status);
int UsageError(std::string_view what);
int UsageError(const absl::Status& status);

// Writes a line to standard error: of a log, or a note about what a command does. Escapes what
// could control a terminal or look like another line.
void Log(std::string_view line);

// Prefixes an InvalidArgument error with the option's name.
absl::Status ForOption(std::string_view option, const absl::Status& error);

// Returns kExitDone, or reports the error.
int Finish(const absl::Status& status);

}  // namespace triarch

#endif  // TRIARCH_CLI_REPORT_H_
