// Adds --color to the commands that draw a board.

#ifndef TRIARCH_CLI_COLOR_OPTION_H_
#define TRIARCH_CLI_COLOR_OPTION_H_

#include <string>

#include "cli/command.h"

namespace triarch {

// `when` must live as long as the command.
void AddColorOption(const Command& command, std::string* when);

// Returns whether "auto", "always" or "never" asks for colors on standard output.
bool IsColored(const std::string& when);

}  // namespace triarch

#endif  // TRIARCH_CLI_COLOR_OPTION_H_
