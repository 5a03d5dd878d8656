// Generates the help and the reference of a tournament's options from their table.

#ifndef TRIARCH_SPEC_OPTION_REFERENCE_H_
#define TRIARCH_SPEC_OPTION_REFERENCE_H_

#include <string>

#include "spec/option.h"

namespace triarch {

// Returns the value in a file that omits the option: "1", "required".
std::string DefaultText(const Option& option);
// Returns the flag's line in the help.
std::string FlagHelp(const Option& option);
// Returns the placeholder for the value in that line: "N", "wall|cpu".
std::string FlagPlaceholder(const Option& option);

// Returns the table in docs/tournament-file.md, as Markdown.
std::string OptionReference();

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPTION_REFERENCE_H_
