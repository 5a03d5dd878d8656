// Identifies the sources of this build.

#ifndef TRIARCH_CLI_BUILD_ID_H_
#define TRIARCH_CLI_BUILD_ID_H_

#include <string>
#include <string_view>

namespace triarch {

// Twelve hexadecimal digits. They change with the rules core, the bots and the game runner.
extern const std::string_view kBuildId;

// The commit of the sources as abbreviated by Git, "with changes" if there were any; or "unknown".
extern const std::string_view kCommit;

// Returns how a cluster identifies this build: the version and kBuildId.
inline std::string BuildIdentity() { return TRIARCH_VERSION "+" + std::string(kBuildId); }

}  // namespace triarch

#endif  // TRIARCH_CLI_BUILD_ID_H_
