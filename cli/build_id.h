// Identifies the sources that decide how a game is played.

#ifndef TRIARCH_CLI_BUILD_ID_H_
#define TRIARCH_CLI_BUILD_ID_H_

#include <string_view>

namespace triarch {

// Twelve hexadecimal digits. They change with the rules core, the bots and the game runner.
extern const std::string_view kBuildId;

}  // namespace triarch

#endif  // TRIARCH_CLI_BUILD_ID_H_
