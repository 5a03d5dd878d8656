#include "bots/llm/environment.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace triarch::llm {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns whether the text can be sent in a line of an HTTP request.
bool IsVisible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

// Requires more than the scheme. Allows no query or fragment, which belong to a single request.
bool IsBaseUrl(std::string_view url) {
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  return has_scheme && IsVisible(url) && url.find_first_of("?#") == std::string_view::npos &&
         url.substr(url.find("//") + 2).find_first_not_of('/') == 0;
}

}  // namespace

absl::StatusOr<Environment> ReadEnvironment(const Settings& settings) {
  Environment environment = {.url = Variable("TRIARCH_LLM_URL"),
                             .model = Variable("TRIARCH_LLM_MODEL"),
                             .key = Variable("TRIARCH_LLM_KEY")};
  if (!settings.model.empty()) environment.model = settings.model;
  while (environment.url.ends_with('/')) environment.url.pop_back();
  if (environment.url.empty()) {
    return absl::FailedPreconditionError(
        "the environment variable TRIARCH_LLM_URL is not set; expected the address of a chat "
        "endpoint, e.g. http://localhost:8080/v1");
  }
  if (!IsBaseUrl(environment.url)) {
    return absl::FailedPreconditionError(
        "the environment variable TRIARCH_LLM_URL is not a valid address; expected e.g. "
        "http://localhost:8080/v1 or https://api.example.com/v1");
  }
  if (environment.model.empty()) {
    return absl::FailedPreconditionError(
        "no model is set; expected the option model or the environment variable TRIARCH_LLM_MODEL");
  }
  if (!IsVisible(environment.key)) {
    return absl::FailedPreconditionError(
        "the environment variable TRIARCH_LLM_KEY contains spaces, line breaks or other characters "
        "that are invalid in a key");
  }
  return environment;
}

}  // namespace triarch::llm
