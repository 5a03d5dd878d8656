// Says what was built into the program.

#ifndef TRIARCH_CLI_VERSION_TEXT_H_
#define TRIARCH_CLI_VERSION_TEXT_H_

#include <string>

namespace triarch {

// Returns the lines of `triarch --version`, without the last line break. Tries the sandbox and
// loads the torch module.
std::string VersionText();

}  // namespace triarch

#endif  // TRIARCH_CLI_VERSION_TEXT_H_
