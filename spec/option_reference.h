// Writes the help and the reference of a tournament's options from their table.

#ifndef TRIARCH_SPEC_OPTION_REFERENCE_H_
#define TRIARCH_SPEC_OPTION_REFERENCE_H_

#include <string>

#include "spec/option.h"

namespace triarch {

// What a file has if it does not give the option: "1", "required".
std::string DefaultText(const Option& option);
// The line in the help of a flag.
std::string FlagHelp(const Option& option);
// What stands for the value in that line: "N", "wall|cpu".
std::string FlagPlaceholder(const Option& option);

// The table in docs/tournament-file.md, as Markdown.
std::string OptionReference();

}  // namespace triarch

#endif  // TRIARCH_SPEC_OPTION_REFERENCE_H_
