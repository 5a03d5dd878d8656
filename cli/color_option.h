#ifndef TRIARCH_CLI_COLOR_OPTION_H_
#define TRIARCH_CLI_COLOR_OPTION_H_

#include <CLI/CLI.hpp>
#include <string>

#include "absl/status/statusor.h"

// --color of the commands that draw a board.
namespace triarch {

// Adds it; `when` must live as long as the command.
void AddColorOption(CLI::App* command, std::string* when);

// Whether that, "auto", "always" or "never", wants colours on standard output. An error is one of
// usage and names the flag.
absl::StatusOr<bool> IsColored(const std::string& when);

}  // namespace triarch

#endif  // TRIARCH_CLI_COLOR_OPTION_H_
