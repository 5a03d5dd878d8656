// Reads the address, model and key for the bot `llm` from the environment.

#ifndef TRIARCH_BOTS_LLM_ENVIRONMENT_H_
#define TRIARCH_BOTS_LLM_ENVIRONMENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "bots/llm/settings.h"

// Settings that the bot `llm` reads from the environment of the playing process, so they appear
// in no file, record or message.
namespace triarch::llm {

struct Environment {
  std::string url;  // base URL of the endpoint without a trailing slash: "http://localhost:8080/v1"
  std::string model;
  std::string key;  // empty if the server requires none
};

// Reads TRIARCH_LLM_URL, TRIARCH_LLM_MODEL (which the settings may override) and TRIARCH_LLM_KEY.
// Returns FailedPrecondition if the URL or model is missing or a variable is invalid; the message
// names the variable, not its value.
absl::StatusOr<Environment> ReadEnvironment(const Settings& settings);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_ENVIRONMENT_H_
