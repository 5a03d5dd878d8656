#include "cli/report.h"

#include <cstdio>
#include <string>

#include "core/base/text.h"

namespace triarch {
namespace {

int PrintError(std::string_view what, int exit_code) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", PrintableLine(what).c_str());
  return exit_code;
}

}  // namespace

int Fail(std::string_view what) { return PrintError(what, kExitFailed); }
int Fail(const absl::Status& status) { return Fail(std::string(status.message())); }
int UsageError(std::string_view what) { return PrintError(what, kExitUsage); }
int UsageError(const absl::Status& status) { return UsageError(std::string(status.message())); }

void Log(std::string_view line) {
  std::fprintf(stderr, "%s\n", PrintableLine(line).c_str());
  std::fflush(stderr);
}

absl::Status ForOption(std::string_view option, const absl::Status& error) {
  return absl::InvalidArgumentError(std::string(option) + ": " + std::string(error.message()));
}

int ExitCodeOfVerdict(std::string_view verdict) {
  if (verdict == "better") return kExitDone;
  return verdict == "not_shown" ? kExitNotShown : kExitUndecided;
}

int Finish(const absl::Status& status) { return status.ok() ? kExitDone : Fail(status); }

}  // namespace triarch
