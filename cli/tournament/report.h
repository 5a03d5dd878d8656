#ifndef TRIARCH_CLI_TOURNAMENT_REPORT_H_
#define TRIARCH_CLI_TOURNAMENT_REPORT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

// How a command ends: its exit code, and one line on stderr where something is wrong.
namespace triarch {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // the job failed, or the thing checked is wrong
inline constexpr int kExitUsage = 2;   // the command line itself: a flag, an argument's value

// Prints "error: what", always one line, and returns the exit code for it. What stdout has been
// given goes out before.
int Fail(std::string_view what);
int Fail(const absl::Status& status);
int UsageError(std::string_view what);
int UsageError(const absl::Status& status);

// Prints a line of a long-running command's log to stderr.
void Log(const std::string& line);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_REPORT_H_
