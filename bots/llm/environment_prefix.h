// Names the prefix of the environment variables of the bot `llm`.

#ifndef TRIARCH_BOTS_LLM_ENVIRONMENT_PREFIX_H_
#define TRIARCH_BOTS_LLM_ENVIRONMENT_PREFIX_H_

#include <string_view>

namespace triarch::llm {

// The prefix of the variables of the bot `llm`. Processes of other bots do not receive them.
inline constexpr std::string_view kEnvironmentPrefix = "TRIARCH_LLM_";

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_ENVIRONMENT_PREFIX_H_
