// Reads the address, model and key of the bot `llm` from the environment.

#ifndef TRIARCH_BOTS_LLM_ENVIRONMENT_H_
#define TRIARCH_BOTS_LLM_ENVIRONMENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "bots/llm/settings.h"

// What the bot `llm` takes from the environment of the process that plays, so that it stands in no
// file, record or message.
namespace triarch::llm {

struct Environment {
  std::string
      url;  // of the endpoint's base: "http://localhost:8080/v1", without a slash at its end
  std::string model;
  std::string key;  // empty: the server asks for none
};

// Reads TRIARCH_LLM_URL, TRIARCH_LLM_MODEL, which the settings may name instead, and
// TRIARCH_LLM_KEY. FailedPrecondition if there is no URL or no model, or one of them cannot be what
// it should be; the message names the variable, not its value.
absl::StatusOr<Environment> ReadEnvironment(const Settings& settings);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_ENVIRONMENT_H_
